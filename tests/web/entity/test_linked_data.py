"""One address for the page and the data of an IRI: by Accept and by suffix, with headers that name the other forms."""

from collections.abc import Callable

import pyoxigraph as ox
import pytest
from flask.testing import FlaskClient

from tests.web.entity.conftest import BASE, triples_of
from web.entity.negotiation import FORMS

GRAPH = """
<tea> a ex:Drink ; rdfs:label "Tea"@en, "Tee"@de ; ex:goesWith <milk> ;
  ex:made [ ex:by [ rdfs:label "Ann" ] ; ex:on "Monday" ] .
<milk> rdfs:label "Milk" .
<coffee> ex:goesWith <milk> .
ex:Drink rdfs:label "Drink" .
<only-mentioned-by> ex:knows <ghost> .
<http://elsewhere.example/x#y> rdfs:label "Elsewhere" ; ex:likes <tea> .
"""
EX = "http://example.org/ns#"


@pytest.fixture
def client(make_app: Callable[..., object]) -> FlaskClient:
    return make_app({"cafe": GRAPH}).test_client()  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("text/turtle", "text/turtle"),
        ("application/ld+json", "application/ld+json"),
        ("application/n-triples", "application/n-triples"),
        ("application/rdf+xml", "application/rdf+xml"),
        ("text/html", "text/html"),
        ("*/*", "text/html"),
        (None, "text/html"),
        ("text/*", "text/html"),
        ("application/*", "application/ld+json"),
        ("text/html;q=0.5, text/turtle", "text/turtle"),
        ("text/turtle;q=0.4, application/rdf+xml;q=0.9, */*;q=0.1", "application/rdf+xml"),
        ("text/html;q=0, */*", "text/turtle"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", "text/html"),
        ("application/x-unknown, application/n-triples;q=0.2", "application/n-triples"),
        ("TEXT/TURTLE", "text/turtle"),
        ("application/json", "application/ld+json"),
        ("application/json;q=0.5, text/turtle;q=0.4", "application/ld+json"),
        ("application/json, application/ld+json;q=0, text/turtle;q=0.1", "text/turtle"),
        ("application/json, text/plain, */*", "text/html"),
    ],
)
def test_accept_chooses_the_form(client: FlaskClient, accept: str | None, media_type: str) -> None:
    for address in ("/id/cafe/tea", "/entity?iri=http%3A%2F%2Felsewhere.example%2Fx%23y"):
        response = client.get(address, headers={"Accept": accept} if accept else {})
        assert (response.status_code, response.mimetype) == (200, media_type)
        assert "accept" in [name.lower() for name in response.vary]


def test_a_program_is_told_in_text_that_there_is_nothing(client: FlaskClient) -> None:
    for address, accept in (
        ("/id/cafe/nothing", "text/turtle"),
        ("/id/cafe/tea", "application/trig"),
        ("/id/cafe/nothing.ttl", "*/*"),
        ("/entity.nt?iri=urn:nothing", "*/*"),
    ):
        assert client.get(address, headers={"Accept": accept}).mimetype == "text/plain", address


@pytest.mark.parametrize("accept", ["image/png", "application/x-unknown", "text/html;q=0, */*;q=0"])
def test_nothing_fits(client: FlaskClient, accept: str) -> None:
    response = client.get("/id/cafe/tea", headers={"Accept": accept})
    assert response.status_code == 406
    assert "text/turtle" in response.get_data(as_text=True)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.suffix)
def test_a_suffix_chooses_it_whatever_accept_says(client: FlaskClient, form: object) -> None:
    suffix, media_type = form.suffix, form.media_type  # type: ignore[attr-defined]
    for address in (f"/id/cafe/tea{suffix}", f"/entity{suffix}?iri=http%3A%2F%2Felsewhere.example%2Fx%23y"):
        response = client.get(address, headers={"Accept": "image/png"})
        assert (response.status_code, response.mimetype) == (200, media_type)
        assert response.headers["Content-Location"] == address
        assert response.headers["Link"].count('rel="alternate"') == len(FORMS) - 1
        assert f'type="{media_type}"' not in response.headers["Link"]
        assert client.head(address).status_code == 200


def test_every_alternate_is_what_it_is_said_to_be(client: FlaskClient) -> None:
    links = client.get("/id/cafe/tea").headers["Link"].split(", ")
    assert len(links) == 4
    for link in links:
        address, _, parameters = link.partition(">")
        response = client.get(address.removeprefix("<"))
        assert f'type="{response.mimetype}"' in parameters


def test_all_forms_say_the_same(client: FlaskClient) -> None:
    said = []
    for form in FORMS[1:]:
        response = client.get("/id/cafe/tea", headers={"Accept": form.media_type})
        triples = triples_of(response.data, form.media_type)
        said.append(sorted(str(triple) for triple in triples))  # blank nodes are named by content
        assert client.get(f"/id/cafe/tea{form.suffix}").data == response.data
    assert said[0] == said[1] == said[2] == said[3]


def test_the_document_holds_what_is_said_with_its_blank_nodes_labels_and_what_leads_here(client: FlaskClient) -> None:
    triples = triples_of(client.get("/id/cafe/tea.nt").data, "application/n-triples")
    tea, milk, away = (ox.NamedNode(iri) for iri in (BASE + "tea", BASE + "milk", "http://elsewhere.example/x#y"))
    label = ox.NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
    assert ox.Triple(tea, ox.NamedNode(EX + "goesWith"), milk) in triples
    assert ox.Triple(away, ox.NamedNode(EX + "likes"), tea) in triples
    assert ox.Triple(milk, label, ox.Literal("Milk")) in triples
    assert ox.Triple(away, label, ox.Literal("Elsewhere")) in triples
    (made,) = [t.object for t in triples if t.predicate.value == EX + "made"]
    (maker,) = [t.object for t in triples if t.subject == made and t.predicate.value == EX + "by"]
    assert ox.Triple(maker, label, ox.Literal("Ann")) in triples  # type: ignore[arg-type]
    assert not any(t.subject.value == BASE + "coffee" for t in triples)  # type: ignore[union-attr]


def test_what_is_only_mentioned_is_told_too(client: FlaskClient) -> None:
    for address in ("/id/cafe/ghost", "/entity?iri=http%3A%2F%2Fexample.org%2Fns%23knows"):
        assert client.get(address).status_code == 200
        triples = triples_of(client.get(address, headers={"Accept": "text/turtle"}).data, "text/turtle")
        assert BASE + "only-mentioned-by" in {t.subject.value for t in triples}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "address",
    ["/id/cafe/nothing", "/id/cafe/nothing.ttl", "/id/nowhere/tea", "/entity?iri=urn:nothing", "/id/cafe/tea.ttl.ttl"],
)
def test_of_which_nothing_is_said(client: FlaskClient, address: str) -> None:
    for accept in ("text/html", "text/turtle"):
        assert client.get(address, headers={"Accept": accept}, follow_redirects=True).status_code == 404


@pytest.mark.parametrize(
    "address", ["/entity", "/entity?iri=", "/entity?iri=no%20iri", "/entity?iri=tea", "/entity?iri=%3Ca%3E"]
)
def test_what_is_no_iri(client: FlaskClient, address: str) -> None:
    assert client.get(address).status_code == 400


@pytest.mark.parametrize("suffix", ["", *(form.suffix for form in FORMS)])
def test_own_iris_are_sent_to_their_address(client: FlaskClient, suffix: str) -> None:
    response = client.get(f"/entity{suffix}?iri=http%3A%2F%2Fexample.org%2Fid%2Ftea")
    assert response.status_code == 308
    assert response.headers["Location"] == f"/id/cafe/tea{suffix}"
    assert client.get(response.headers["Location"]).status_code == 200


def test_a_site_below_another_path_links_within_itself(client: FlaskClient) -> None:
    response = client.get(
        "/id/cafe/tea", headers={"Accept": "text/turtle"}, environ_overrides={"SCRIPT_NAME": "/graph"}
    )
    assert response.headers["Content-Location"] == "/graph/id/cafe/tea.ttl"
    assert "</graph/id/cafe/tea.html>" in response.headers["Link"]
    moved = client.get("/entity?iri=http%3A%2F%2Fexample.org%2Fid%2Ftea", environ_overrides={"SCRIPT_NAME": "/graph"})
    assert moved.headers["Location"] == "/graph/id/cafe/tea"
    page = client.get("/id/cafe/tea", environ_overrides={"SCRIPT_NAME": "/graph"}).get_data(as_text=True)
    assert 'href="/graph/id/cafe/milk"' in page
    assert 'href="/id/' not in page


@pytest.mark.parametrize(("length", "is_linked"), [(12_000, True), (20_000, False)])
def test_an_iri_too_long_for_a_header_of_links_is_answered_without(
    make_app: Callable[..., object], length: int, is_linked: bool
) -> None:
    name = "n" * length
    client = make_app({"cafe": f'<{name}> rdfs:label "Long" .'}).test_client()  # type: ignore[attr-defined]
    response = client.get(f"/id/cafe/{name}.ttl")
    assert response.status_code == 200
    assert ("Link" in response.headers) == is_linked
    assert max(len(value) for _, value in response.headers) < 65_000
