"""F15: two people of one name became one node; lists and searches keep them apart, and say which is which."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from agents.engine import Engine
from agents.runs import RunFolder
from tests.web.markup import Page
from tests.web.stage import everything, hostile_store, site_of
from web.app import create_app

GRAPH = """
ex:knows sf:baseRelation ex:knows ; rdfs:label "knows" .
ex:baker a ex:Person ; rdfs:label "John Smith" ; sf:context "Bakes bread." ; ex:knows ex:mayor .
ex:mayor a ex:Person ; rdfs:label "John Smith"@en ; sf:context "Governs the town." .
ex:Person rdfs:label "Person" .
"""


@pytest.fixture
def town(tmp_path: Path) -> FlaskClient:
    return create_app(site_of(Engine(hostile_store(GRAPH), everything, ("all",), RunFolder(tmp_path)))).test_client()


def test_a_search_gives_both_with_what_tells_them_apart(town: FlaskClient) -> None:
    results = town.get("/api/search?q=john").get_json()["results"]
    assert {each["iri"] for each in results} == {"http://example.org/baker", "http://example.org/mayor"}
    assert all(each["homonym"] for each in results)
    assert {each["context"] for each in results} == {"Bakes bread.", "Governs the town."}
    assert len({each["note"] for each in results}) == len({each["page"] for each in results}) == 2


@pytest.mark.parametrize("address", ["/search?q=john", "/browse?type=http://example.org/Person", "/relations"])
def test_lists_say_which_is_which(town: FlaskClient, address: str) -> None:
    text = Page(town.get(address).get_data(as_text=True)).text
    assert "example.org/baker" in text and "example.org/mayor" in text
