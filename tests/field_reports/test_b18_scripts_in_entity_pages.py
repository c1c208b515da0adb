"""B18: a script ran out of a literal, or out of an IRI in an attribute.

On the page of an entity literals, labels, conditions and IRIs stay text; only http(s) addresses and pages of this site
are links; and the policy of the page runs no script that stands in it.
"""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.entity.conftest import imported

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>"
QUOTES = "\\\"' onmouseover=alert(3) x='{{ 7*7 }}"
GRAPH = f"""
<a'onclick=alert(4)> rdfs:label "{EVIL}" , "{QUOTES}"@en ; skos:altLabel "{EVIL}" ; sf:context "{EVIL}" ;
  a <javascript:alert(5)> , ex:Kind ; ex:html "{EVIL}"^^rdf:HTML ;
  ex:link "javascript:alert(6)"^^xsd:anyURI , "data:text/html,x" ;
  ex:to <javascript:alert(7)> , <data:text/html,%3Cscript%3E> , <http://good.example/'onclick=alert(8)> ;
  ex:rel <b> ; ex:typed "x"^^<javascript:alert(9)> ; ex:in [ rdfs:label "{EVIL}" ; <javascript:alert(10)> "{QUOTES}" ] ;
  sf:hasCaption [ a sf:GeneratedCaption ; sf:text "{EVIL}" ; sf:model "{EVIL}" ;
    prov:wasAttributedTo <javascript:alert(11)> ] ;
  sf:hasMedia <m> .
<m> a sf:Image ; rdfs:label "{QUOTES}" ; schema:contentUrl "javascript:alert(12)" ; schema:encodingFormat "{EVIL}" ;
  sf:sha256 "{EVIL}" ; sf:frameIndex "{EVIL}" .
<m2> a sf:Video ; schema:contentUrl <javascript:alert(13)> .
ex:Kind rdfs:label "{EVIL}" .
ex:rel rdfs:label "{EVIL}" ; sf:baseRelation ex:rel ; sf:condition ex:c . ex:c a sf:Condition ; rdfs:label "{EVIL}" .
<b> rdfs:label "{EVIL}" ; ex:rel <a'onclick=alert(4)> .
<f> a sf:Fact, rdf:Statement ; rdf:subject <a'onclick=alert(4)> ; rdf:predicate ex:rel ; rdf:object <b> ;
  sf:conditionText "{EVIL}" ; sf:information "{QUOTES}" ; sf:evidence <m2> ; dcterms:source <javascript:alert(14)> .
"""
PAGES = [
    "/id/evil/a'onclick=alert(4)",
    "/id/evil/b",
    "/id/evil/m",
    "/id/evil/m2",
    "/id/evil/f",
    "/entity?iri=javascript%3Aalert(5)",
    "/entity?iri=http%3A%2F%2Fexample.org%2Fns%23Kind",
    "/entity?iri=http%3A%2F%2Fexample.org%2Fns%23rel",
    "/entity/edges?iri=http%3A%2F%2Fexample.org%2Fid%2Fb&relation=http%3A%2F%2Fexample.org%2Fns%23rel&direction=in",
]


class Tags(HTMLParser):
    """The tags of a page with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    return imported(tmp_path, {"evil": GRAPH}).test_client()


@pytest.mark.parametrize("address", PAGES)
def test_texts_stay_texts_and_links_harmless(client: FlaskClient, address: str) -> None:
    response = client.get(address)
    assert response.status_code == 200
    page = response.get_data(as_text=True)
    for tag, attributes in Tags(page).found:
        assert not any(name.startswith("on") or name == "style" for name in attributes), (tag, attributes)
        if tag == "script":
            assert attributes["src"].startswith("/static/")
        for name in ("href", "src", "action"):
            value = attributes.get(name, "/")
            assert re.match(r"/(?!/)|#|https?://good\.example/|http://example\.org/", value), (tag, attributes)
            if tag in {"img", "video", "audio", "link", "script"}:
                assert value.startswith("/")
    assert "49" not in re.findall(r"x='(.*?)<", page)
    assert "unsafe-inline" not in response.headers["Content-Security-Policy"]


def test_the_texts_are_told(client: FlaskClient) -> None:
    page = client.get(PAGES[0]).get_data(as_text=True)
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") > 10
    assert "javascript:alert(7)" in page


@pytest.mark.parametrize("iri", ["http://example.org/id/b", "http://example.org/id/a'onclick=alert(4)"])
def test_programs_are_given_addresses_of_this_site_only(client: FlaskClient, iri: str) -> None:
    around = client.get("/api/neighbourhood", query_string={"iri": iri}).get_json()
    assert all(node["href"].startswith("/") for node in around["nodes"])
    known = client.get("/api/entity", query_string={"iri": iri}).get_json()
    for link in [known, *known["types"], *known["media"]]:
        assert link["href"].startswith("/")
        assert link.get("remote", "") == "" and link.get("src", "") == ""
