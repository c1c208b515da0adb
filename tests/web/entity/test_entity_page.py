"""What the page of an entity tells: names, texts, edges with their conditions and facts, who says so; and how much."""

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pyoxigraph as ox
import pytest
from flask import Flask
from flask.testing import FlaskClient

from agents.engine import Engine
from agents.runs import RunFolder
from kg.remote import RemoteStore
from ontology import terms
from tests.conftest import OxigraphServer
from tests.web.entity.conftest import BASE, PROLOGUE, triples_of
from tests.web.stage import everything
from web.app import create_app
from web.site import Site

MakeApp = Callable[..., Flask]
VOCABULARY = """
ex:Beast rdfs:subClassOf sf:Entity ; rdfs:label "Beast" ; rdfs:comment "A living thing." .
ex:eats rdfs:label "eats" ; sf:baseRelation ex:eats ; rdfs:domain ex:Beast ;
  rdfs:range [ owl:unionOf ( ex:Beast ex:Plant ) ] .
ex:eats-hungry rdfs:label "eats when hungry" ; sf:baseRelation ex:eats ; sf:condition ex:hungry .
ex:hungry a sf:Condition ; rdfs:label "is hungry" .
"""
GRAPH = (
    VOCABULARY
    + """
<fox> a ex:Beast ; rdfs:label "Fox"@en, "Fuchs"@de, "renard"@fr, "vulpes" ; skos:altLabel "Reineke"@de, "red one" ;
  sf:context "It lives in a den." ; ex:eats <hare> ; ex:eats-hungry <hare>, <fox> ;
  ex:weight 6.5 ; ex:born "2020-01-01"^^xsd:date ;
  ex:home <http://elsewhere.example/den> .
<hare> a ex:Beast ; rdfs:label "Hare" .
<owl> a ex:Beast ; rdfs:label "Owl" ; ex:eats <hare> .
<f1> a sf:Fact, rdf:Statement ; rdf:subject <fox> ; rdf:predicate ex:eats-hungry ; rdf:object <hare> ;
  sf:conditionText "after a long winter" ; sf:information "It waits for hours." ; prov:wasAttributedTo <model> .
<f2> a sf:Fact, rdf:Statement ; rdf:subject <owl> ; rdf:predicate ex:eats ; rdf:object <hare> ;
  sf:information "By night." .
<model> rdfs:label "extractor-1" .
"""
)


@pytest.fixture
def client(make_app: MakeApp) -> FlaskClient:
    return make_app({"wood": GRAPH}).test_client()


def text_of(client: FlaskClient, address: str, **headers: str) -> str:
    """The page's text without its tags, spaces as one."""
    response = client.get(address, headers=headers)
    assert response.status_code == 200, address
    main = response.get_data(as_text=True).partition("<main")[2]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", main)).split())


def test_names_texts_and_properties(client: FlaskClient) -> None:
    text = text_of(client, "/id/wood/fox")
    for said in ("Fox", "Fuchs de", "renard fr", "vulpes", "Reineke", "red one", "It lives in a den.", "6.5 decimal"):
        assert said in text
    assert "2020-01-01 date" in text
    assert "Beast" in text


def test_parallel_edges_stay_apart_with_their_conditions(client: FlaskClient) -> None:
    page = client.get("/id/wood/fox").get_data(as_text=True)
    group = page.partition('id="outgoing"')[2].partition("</section>\n</section>")[0]
    assert re.search(r'eats</a>\s*<span class="count">3', group)
    assert group.count(">Hare</a>") == 2
    assert group.count(">Fox</a>") == 1
    assert '<span class="chip">after a long winter</span>' in group  # the free text of its fact
    assert '<span class="chip">is hungry</span>' in group  # the condition of the relation, where no fact says more
    assert "It waits for hours." in group
    assert ">extractor-1</a>" in group


def test_what_leads_here_is_told_with_its_facts(client: FlaskClient) -> None:
    text = text_of(client, "/id/wood/hare").partition("Relations to here")[2]
    assert "eats 3" in text and "Owl" in text and "By night." in text and "after a long winter" in text
    assert "subject" not in text.partition("Where this comes from")[0]  # facts stand with their edges


def test_who_states_what(make_app: MakeApp) -> None:
    own = "<hare> ex:eats <grass> . <grass> rdfs:label 'Grass' . <fox> ex:eats <grass> ."
    client = make_app({"wood": GRAPH, "meadow": own}).test_client()
    page = client.get("/entity?iri=http%3A%2F%2Fexample.org%2Fid%2Ffox", follow_redirects=True).get_data(as_text=True)
    where = page.partition('id="where"')[2]
    assert ">wood</a>" in where and ">meadow</a>" in where
    assert re.search(r"Grass</a>.*?Stated by <a[^>]*>meadow</a>", page, re.DOTALL)
    assert "is not known" not in where
    for address in re.findall(r'class="origin" href="([^"]*)"', where):
        assert client.get(address).status_code == 200


@pytest.mark.server
def test_a_graph_behind_an_endpoint_has_the_same_pages_and_data(
    oxigraph_server: OxigraphServer, client: FlaskClient, tmp_path: Path
) -> None:
    graph = GRAPH + "<den> ex:has [ rdfs:label 'entrance' ; ex:parts ( 'door' [ rdfs:label 'bell' ] ) ] ."
    oxigraph_server.fill(ox.parse(f"{PROLOGUE}BASE <{BASE}>\n{graph}", format=ox.RdfFormat.TURTLE))
    store = RemoteStore(oxigraph_server.query_url)
    site = Site(lambda: Engine(store, everything, ("all",), RunFolder(tmp_path)))
    remote = create_app(site).test_client()
    text = text_of(remote, f"/entity?iri={BASE}fox")
    for said in ("Fuchs de", "after a long winter", "It waits for hours.", "is not known for this graph"):
        assert said in text
    text = text_of(remote, f"/entity?iri={BASE}den")
    assert re.search("entrance.*door.*bell", text)
    own = triples_of(client.get("/id/wood/owl.nt").data, "application/n-triples")
    told = triples_of(remote.get(f"/entity.nt?iri={BASE}owl").data, "application/n-triples")
    assert len(told) > 5 and told <= own  # a home has the labels of the core vocabulary besides
    assert "bell" in remote.get(f"/entity.ttl?iri={BASE}den").get_data(as_text=True)
    assert remote.get(f"/media?iri={BASE}fox").status_code == 404


def test_without_a_home_nobody_knows_who_stated_what(client: FlaskClient, app: Flask) -> None:
    del client
    page = app.test_client().get("/entity?iri=http%3A%2F%2Fexample.org%2Ftop")
    assert "Which source states what is not known" in page.get_data(as_text=True)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/entity?iri=http%3A%2F%2Fexample.org%2Fns%23Beast", ["A living thing.", "Fox", "Hare", "Owl", "domain"]),
        ("/entity?iri=http%3A%2F%2Fexample.org%2Fns%23eats", ["Used between", "Fox", "Hare", "unionOf", "Plant"]),
        ("/entity?iri=http%3A%2F%2Fexample.org%2Fns%23hungry", ["is hungry", "eats when hungry"]),
        ("/entity?iri=http%3A%2F%2Fexample.org%2Fns%23eats-hungry", ["base relation", "is hungry", "Fox"]),
        ("/id/wood/f1", ["after a long winter", "It waits for hours.", "Hare"]),
    ],
)  # fmt: skip
def test_terms_of_the_vocabulary_have_pages(client: FlaskClient, address: str, said: list[str]) -> None:
    text = text_of(client, address)
    for part in said:
        assert part in text


def test_the_queries_behind_it_lead_to_the_editor(client: FlaskClient) -> None:
    page = client.get("/id/wood/fox").get_data(as_text=True)
    addresses = re.findall(r'href="(/query\?query=[^"]*)"', page)
    assert len(addresses) == 5
    assert all("%3Chttp%3A//example.org/id/fox%3E" in address for address in addresses)


def test_a_thousand_edges_do_not_make_a_page_without_end(make_app: MakeApp) -> None:
    eaters = "\n".join(f"<beast{n:04}> a ex:Beast ; rdfs:label 'Beast {n:04}' ; ex:eats <grass> ." for n in range(5000))
    many = " , ".join(f"'note {n}'" for n in range(3000))
    eaten = ", ".join(f"<beast{n:04}>" for n in range(2500))
    graph = f"{VOCABULARY}\n{eaters}\n<grass> rdfs:label 'Grass' ; ex:note {many} ; ex:eats {eaten} ."
    client = make_app({"meadow": graph}).test_client()
    response = client.get("/id/meadow/grass")
    page = response.get_data(as_text=True)
    assert len(response.data) < 200_000
    assert "Show all 5,000" in page and "Show all 2,500" in page and "2950 more in the data" in page
    (address,) = [unescape(a) for a in re.findall(r'href="(/entity/edges[^"]*)"', page) if "direction=in" in a]
    seen: list[str] = []
    for number in range(1, 51):
        shown = client.get(f"{address}&page={number}")
        assert len(shown.data) < 200_000
        seen += re.findall(r">(Beast \d{4})</a>", shown.get_data(as_text=True))
    assert seen == [f"Beast {n:04}" for n in range(5000)]
    assert client.get(f"{address}&page=51").status_code == 404
    data = client.get("/id/meadow/grass.nt").get_data(as_text=True)
    assert data.count(f"<{BASE}grass> <http://example.org/ns#note>") == 3000


@pytest.mark.parametrize("page", ["0", "-1", "x", "1e9", "99999999999999999999", "\uff11"])
def test_a_page_number_that_is_none_is_the_first(client: FlaskClient, page: str) -> None:
    address = f"/entity/edges?iri={BASE}hare&relation=http%3A%2F%2Fexample.org%2Fns%23eats&direction=in&page={page}"
    assert client.get(address).status_code in {200, 404}


def test_edges_of_nothing(client: FlaskClient) -> None:
    assert client.get(f"/entity/edges?iri={BASE}hare&relation=urn:x").status_code == 404
    assert client.get(f"/entity/edges?iri={BASE}hare").status_code == 400


def test_the_page_of_a_property_leads_to_all_that_it_is_used_for(make_app: MakeApp) -> None:
    beasts = " ".join(f"<b{n:02}> ex:eats <hare> ; ex:near <den> ; rdfs:label 'B {n:02}' ." for n in range(35))
    client = make_app({"wood": f"{VOCABULARY} {beasts}"}).test_client()
    for iri, path in (("http://example.org/ns#near", "/relations?"), (terms.RDFS_LABEL.value, "/query?")):
        page = client.get("/entity", query_string={"iri": iri}).get_data(as_text=True)
        uses = page.partition('id="uses"')[2].partition("</section>")[0]
        [(address, count)] = re.findall(r'href="([^"]*)">Show all (\d+)<', uses)
        assert (int(count) >= 35, address.startswith(path)) == (True, True)
        assert client.get(unescape(address)).status_code == 200


def test_a_base_relation_is_not_listed_as_its_own_base(client: FlaskClient) -> None:
    page = text_of(client, "/entity?iri=http%3A%2F%2Fexample.org%2Fns%23eats")
    assert "eats when hungry" in page  # which is one of those that it is the base of
    known = client.get("/api/entity", query_string={"iri": "http://example.org/ns#eats"}).get_json()
    base = [e for e in known["edges"] if e["relation"].endswith("baseRelation")]
    assert [(e["direction"], e["total"]) for e in base] == [("in", 1)]
