"""A home with one small source, a site with a token, and a browser that has signed in."""

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from agents.engine import Engine
from agents.runs import RunFolder
from kg.home import Home
from kg.importing import import_path
from tests.web.stage import everything
from web.app import create_app
from web.site import Site, WebSettings

TOKEN = "open sesame"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
GRAPH = b"<http://example.org/m> a <http://example.org/M> ; <http://example.org/madeOf> <http://example.org/s> .\n"
Send = Callable[..., TestResponse]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    (tmp_path / "first.ttl").write_bytes(b"<http://example.org/a> <http://example.org/p> <http://example.org/b> .")
    found = Home(tmp_path / "home")
    import_path(found, tmp_path / "first.ttl")
    return found


@pytest.fixture
def site(home: Home, tmp_path: Path) -> Site:
    runs = RunFolder(tmp_path / "runs")
    return Site(lambda: Engine(home.reader(), everything, ("all",), runs), home, settings=WebSettings(token=TOKEN))


@pytest.fixture
def app(site: Site) -> Flask:
    return create_app(site)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser that has signed in."""
    found = app.test_client()
    assert found.post("/import/sign-in", data={"token": TOKEN}).status_code == 303
    return found


def form_token_of(client: FlaskClient) -> str:
    match = re.search(r'name="form_token" value="([0-9a-f]{64})"', client.get("/import").get_data(as_text=True))
    assert match is not None
    return match[1]


@pytest.fixture
def send(client: FlaskClient) -> Send:
    """Sends files with the form, and gives the page to which it leads."""

    def sent(files: Mapping[str, bytes], **fields: str) -> TestResponse:
        data = {
            "form_token": form_token_of(client),
            "files": [(io.BytesIO(content), name) for name, content in files.items()],
            **fields,
        }
        return client.post("/import", data=data, follow_redirects=True)

    return sent


def zipped(members: Mapping[str, bytes], *, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive of these members."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()
