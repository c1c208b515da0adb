"""Pages over the hostile graph of ``tests.web.stage``, and over the bundled one with the built-in policy."""

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from agents.builtin.policy import build_builtin_policy
from agents.domain import load_domain
from agents.engine import Engine
from agents.runs import RunFolder
from kg.bundled import FOLDER
from kg.store import EmbeddedStore
from retrieval.encoder import WordLlamaEncoder
from tests.web.stage import finish, site_of, stage
from web.app import create_app


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    """The engine over the hostile graph, without runs."""
    return stage(tmp_path / "runs", policies=("all", "other"))


@pytest.fixture
def app(engine: Engine) -> Flask:
    """Its pages. Errors come to the test only where a page would be answered, as in earnest."""
    return create_app(site_of(engine))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """What asks them."""
    return app.test_client()


@pytest.fixture
def run_id(client: FlaskClient) -> str:
    """A finished run over the hostile graph, with hostile texts in it."""
    typed = {"question": "<script>alert('q')</script>", "extra": "<b>x</b>", "caption": "<img src=y>"}
    response = client.post("/ask", data=typed)
    assert response.status_code == 303
    finish(client.application, response.headers["Location"])
    return response.headers["Location"].rsplit("/", 1)[-1]


@pytest.fixture(scope="session")
def bundled_engine(bundled_store: EmbeddedStore, tmp_path_factory: pytest.TempPathFactory) -> Engine:
    """The engine over the bundled graph with the built-in policy."""
    policy = build_builtin_policy(bundled_store, WordLlamaEncoder(), load_domain(FOLDER / "domain.toml"))
    runs = RunFolder(tmp_path_factory.mktemp("bundled-runs"))
    return Engine(bundled_store, lambda _name: policy, ("builtin",), runs)


@pytest.fixture(scope="session")
def bundled_app(bundled_engine: Engine) -> Flask:
    """Its pages."""
    return create_app(site_of(bundled_engine))
