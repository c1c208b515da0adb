"""B24: the store says what is wrong with a query, and the page says only that something is.

The page shows the parser's words with line and column; the query stays as it was typed.
"""

from pathlib import Path

import pytest

from kg.home import Home
from tests.web.editor.conftest import FakeGuard, hostile_home, made_site
from tests.web.markup import Page
from tests.web.stage import stage


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return hostile_home(tmp_path)


def test_the_parsers_words_and_the_place_are_shown(tmp_path: Path, home: Home) -> None:
    client = made_site(home, stage(tmp_path / "runs"), FakeGuard(home)).test_client()
    response = client.post("/query", data={"query": "SELECT ?a {\n  ?a nowhere:b ?c\n}"})
    text = Page(response.text).text
    assert response.status_code == 400
    assert "Line 2, column " in text
    assert "Prefix not found" in text
    assert "nowhere:b ?c" in response.text


def test_the_editor_is_told_the_place_apart(tmp_path: Path, home: Home) -> None:
    client = made_site(home, stage(tmp_path / "runs"), FakeGuard(home)).test_client()
    response = client.post("/sparql", data={"query": "SELECT"}, headers={"Accept": "application/sparql-results+json"})
    assert response.status_code == 400
    assert response.content_type == "application/problem+json"
    said = response.get_json()
    assert (said["line"], said["column"] >= 1) == (1, True)
    plain = client.post("/sparql", data={"query": "SELECT"}, headers={"Accept": "text/plain"})
    assert plain.content_type.startswith("text/plain")
    assert "1" in plain.text
