"""A home with the bundled graph, and the site over it."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from agents.engine import Engine
from agents.runs import RunFolder
from kg.bundled import ensure_bundled
from kg.home import Home
from tests.web.stage import everything
from web.app import create_app
from web.site import Site


@pytest.fixture(scope="session")
def bundled_home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """For reading."""
    home = Home(tmp_path_factory.mktemp("download") / "home")
    ensure_bundled(home)
    return home


def site_over(home: Home, runs: Path) -> Site:
    """A site that follows a home."""
    return Site(lambda: Engine(home.reader(), everything, ("all",), RunFolder(runs)), home)


@pytest.fixture(scope="session")
def home_client(bundled_home: Home, tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    """What asks the pages over that home."""
    return create_app(site_over(bundled_home, tmp_path_factory.mktemp("runs"))).test_client()
