"""B18: a script runs out of a literal, an IRI or even the name of a variable in a table of results.

Every one of them is a text in the page, rdf:HTML too, and the only links are to the server's own pages. How a browser
takes the same is in tests/web/editor/test_editor_browser.py.
"""

from pathlib import Path

import pytest

from kg.home import Home
from tests.web.editor.conftest import FakeGuard, hostile_home, made_site
from tests.web.markup import Page
from tests.web.stage import stage

TAG = "<script>alert(1)</script><img src=x onerror='alert(2)'>"
HTML = "http://www.w3.org/1999/02/22-rdf-syntax-ns#HTML"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return hostile_home(tmp_path)


@pytest.mark.parametrize(
    "query",
    [
        f'SELECT ("{TAG}" AS ?text) {{}}',
        f'SELECT ("{TAG}"^^<{HTML}> AS ?html) {{}}',
        "SELECT (<javascript:alert(1)> AS ?iri) (<data:text/html,%3Cscript%3E> AS ?data) {}",
        f'CONSTRUCT {{ <javascript:alert(1)> <data:,x> "{TAG}" }} {{}}',
        f"SELECT ?{TAG} {{}}",
    ],
)
def test_nothing_of_an_answer_becomes_markup(tmp_path: Path, home: Home, query: str) -> None:
    client = made_site(home, stage(tmp_path / "runs"), FakeGuard(home)).test_client()
    page = Page(client.post("/query", data={"query": query}).text)
    page.check_harmless()
    assert "alert(1)" in page.text or "alert(1)" in str(page.all("a"))
    for link in page.all("a"):
        assert link["href"].startswith(("/", "#")), link
