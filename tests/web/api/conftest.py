"""A site with everything on, asked by programs."""

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.whole import hostile_home, whole_site
from web.app import create_app


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(whole_site(hostile_home(tmp_path)))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
