"""B16: the link of a blank node led nowhere, or to another node of the same name.

A blank node has no link here. What is stated of it stands inside what it belongs to, on the page and in the data,
however the nodes lead to one another.
"""

import re
from html import unescape
from pathlib import Path

import pyoxigraph as ox
import pytest
from flask.testing import FlaskClient

from tests.web.entity.conftest import imported, triples_of

GRAPH = """
<tea> ex:maker [ rdfs:label "Ann" ; ex:shop [ rdfs:label "Corner" ] ] , [ rdfs:label "Ben" ] ;
  ex:steps ( "boil" <pour> [ rdfs:label "wait" ] ) .
<other> ex:maker [ rdfs:label "Carl" ] .
<loop> ex:next _:a . _:a rdfs:label "first" ; ex:next _:b . _:b rdfs:label "second" ; ex:next _:a .
<deep> ex:in [ ex:in [ ex:in [ ex:in [ ex:in [ ex:in [ ex:in [ ex:in [ rdfs:label "ground" ] ] ] ] ] ] ] ] .
<ring> ex:steps _:c . _:c rdf:first "again" ; rdf:rest _:c .
[ ex:of <tea> ; rdfs:label "Something" ] .
"""


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    return imported(tmp_path, {"cafe": GRAPH}).test_client()


def page_of(client: FlaskClient, name: str) -> str:
    response = client.get(f"/id/cafe/{name}")
    assert response.status_code == 200
    return response.get_data(as_text=True)


def test_what_is_stated_of_it_stands_under_its_parent(client: FlaskClient) -> None:
    page = page_of(client, "tea")
    text = " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())
    for said in ("Ann", "Corner", "Ben", "boil", "pour", "wait"):
        assert said in text
    assert "Carl" not in text
    assert text.index("boil") < text.index("pour") < text.index("wait")


def test_no_page_links_to_one(client: FlaskClient) -> None:
    for name in ("tea", "loop", "deep", "ring"):
        assert not re.search(r'href="[^"]*(_:|_%3A|genid|bnode)', page_of(client, name))


def test_those_that_lead_here_are_counted(client: FlaskClient) -> None:
    assert "1 without a name of its own" in page_of(client, "tea")


def test_nodes_that_lead_to_one_another_end(client: FlaskClient) -> None:
    page = page_of(client, "loop")
    assert page.count("first") == page.count("second") == 1
    assert "the unnamed thing above" in page
    assert "the unnamed thing above" in page_of(client, "ring")
    assert "told in the data" in page_of(client, "deep")


@pytest.mark.parametrize(
    ("name", "wanted"), [("loop", "second"), ("deep", "ground"), ("tea", "Corner"), ("tea", "wait")]
)
def test_the_data_hold_all_of_them(client: FlaskClient, name: str, wanted: str) -> None:
    for suffix, media_type in (
        (".ttl", "text/turtle"),
        (".jsonld", "application/ld+json"),
        (".rdf", "application/rdf+xml"),
    ):
        triples = triples_of(client.get(f"/id/cafe/{name}{suffix}").data, media_type)
        assert wanted in {t.object.value for t in triples if isinstance(t.object, ox.Literal)}
        assert "Carl" not in {t.object.value for t in triples if isinstance(t.object, ox.Literal)}
