"""The editor's page without JavaScript: it runs, it explains, it downloads, and every text stays a text."""

import csv
import json

import pyoxigraph as ox
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from agents.engine import Engine
from sparql.errors import Busy, LimitExceeded, Refused
from tests.web.editor.conftest import BAIT, HTML, FakeGuard
from tests.web.markup import Page
from web.app import create_app
from web.editor.pages import FORMATS
from web.editor.queries import BUNDLED, load_queries
from web.editor.tables import SHOWN_CHARACTERS, SHOWN_ROWS, cell
from web.site import Site, WebSettings

SELECT = """SELECT ?s ?label { ?s a <https://w3id.org/scoutfly/mhw#Monster> ;
  <http://www.w3.org/2000/01/rdf-schema#label> ?label } ORDER BY ?label LIMIT 3"""
CONSTRUCT = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o } LIMIT 3"


def textarea(response: TestResponse) -> str:
    """What stands in the first text area of a page."""
    return response.text.split("<textarea", 1)[1].split(">", 1)[1].split("</textarea>", 1)[0]


def test_a_first_visit_offers_an_example_and_has_run_nothing(editor: FlaskClient, guard: FakeGuard) -> None:
    response = editor.get("/query")
    page = Page(response.text)
    assert response.status_code == 200
    assert "leap-attack" in textarea(response)
    assert guard.asked == []
    assert next(found for found in page.all("section") if found.get("id") == "results").get("hidden") is not None
    assert len([a for a in page.all("a") if "data-query" in a]) == len(load_queries(BUNDLED))


def test_a_query_runs_on_the_server(editor: FlaskClient) -> None:
    response = editor.get("/query", query_string={"query": SELECT, "run": "1"})
    page = Page(response.text)
    assert response.status_code == 200
    assert "3 rows" in page.text
    assert "?limit" not in page.text
    links = [a["href"] for a in page.all("a") if a.get("title", "").startswith("https://w3id.org/")]
    assert len(links) == 3
    assert all(link.startswith("/") for link in links)


def test_a_link_with_a_query_shows_it_without_running_it(editor: FlaskClient, guard: FakeGuard) -> None:
    response = editor.get("/query", query_string={"query": "ASK { ?a ?b ?c }"})
    assert textarea(response).strip() == "ASK { ?a ?b ?c }"
    assert guard.asked == []


def test_a_long_query_goes_by_post(editor: FlaskClient) -> None:
    query = SELECT + "\n# " + "x" * 60_000
    response = editor.post("/query", data={"query": query})
    assert response.status_code == 200
    assert "3 rows" in Page(response.text).text


def test_an_example_is_shown_by_its_number(editor: FlaskClient) -> None:
    assert "GROUP BY ?class" in textarea(editor.get("/query?example=2"))
    assert editor.get("/query?example=99").status_code == 404


@pytest.mark.parametrize(("query", "said"), [("ASK { ?s ?p ?o }", "Yes"), ("ASK { ?s <urn:none> ?o }", "No")])
def test_yes_and_no(editor: FlaskClient, query: str, said: str) -> None:
    assert f'<p class="yes-no">{said}</p>' in editor.post("/query", data={"query": query}).text


def test_no_rows_are_said_to_be_none(editor: FlaskClient) -> None:
    response = editor.post("/query", data={"query": "SELECT * { ?s <urn:none> ?o }"})
    assert "Nothing in the graph matches" in response.text
    assert "0 rows" in response.text


def test_a_construct_is_a_table_of_triples_with_the_formats_of_graphs(editor: FlaskClient) -> None:
    page = Page(editor.post("/query", data={"query": CONSTRUCT}).text)
    assert "3 rows" in page.text
    shown = [span for span in page.all("span") if "data-formats" in span and "hidden" not in span]
    assert [span["data-formats"] for span in shown] == ["graph"]


def test_more_rows_than_are_shown_are_counted(editor: FlaskClient) -> None:
    response = editor.post("/query", data={"query": "SELECT * { ?s ?p ?o }"})
    assert response.text.count("<tr>") == SHOWN_ROWS + 1
    assert "The first 1,000 rows" in response.text


def test_a_syntax_error_is_told_with_its_place_and_the_parsers_words(editor: FlaskClient) -> None:
    """Row B24: the store's own words, the line and the column are shown, and the query stays as it was typed."""
    response = editor.post("/query", data={"query": "SELECT * {\r\n  ?s ?p \r\n}"})
    page = Page(response.text)
    assert response.status_code == 400
    assert page.text.count("ine 3, column 2:") == 1  # the reason says it too, and is not shown twice
    assert "expected OPTIONAL" in page.text
    assert textarea(response) == "\nSELECT * {\n  ?s ?p \n}"


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (LimitExceeded("the query takes longer than 5 s", limit="time"), 503),
        (Busy("all workers are taken"), 503),
        (Refused("the query asks another server"), 403),
    ],
)
def test_other_faults_are_told_too(editor: FlaskClient, guard: FakeGuard, fault: Exception, status: int) -> None:
    guard.fault = fault  # type: ignore[assignment]
    response = editor.post("/query", data={"query": SELECT})
    assert response.status_code == status
    assert str(fault)[1:] in Page(response.text).text


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_can_be_downloaded(editor: FlaskClient, name: str) -> None:
    _, media_type, suffix = FORMATS[name]
    solutions = "sparql-results" in media_type or (media_type.startswith("text/") and name != "ttl")
    response = editor.post("/query", data={"query": SELECT if solutions else CONSTRUCT, "format": name})
    assert response.status_code == 200
    assert response.content_type.split(";")[0] == media_type
    assert response.headers["Content-Disposition"] == f"attachment; filename=result.{suffix}"
    if name == "json":
        assert len(json.loads(response.text)["results"]["bindings"]) == 3
    if name == "csv":
        assert len(list(csv.reader(response.text.splitlines()))) == 4
    if name == "ttl":
        assert len(list(ox.parse(response.data, format=ox.RdfFormat.TURTLE))) == 3


@pytest.mark.parametrize(
    ("query", "name", "status"), [(SELECT, "ttl", 406), (CONSTRUCT, "csv", 406), (SELECT, "x", 400)]
)
def test_a_format_that_does_not_fit_is_told(editor: FlaskClient, query: str, name: str, status: int) -> None:
    response = editor.get("/query", query_string={"query": query, "format": name})
    assert response.status_code == status
    assert "could not be answered" in response.text


def test_texts_of_the_graph_stay_texts(hostile_editor: Flask) -> None:
    """Row B18: literals, rdf:HTML, names of variables and IRIs are text, and no link leads to a script."""
    client = hostile_editor.test_client()
    query = f"""SELECT ?s ?p ?o ("{BAIT.replace('"', "'")}"^^<{HTML}> AS ?html) (<javascript:alert(1)> AS ?iri)
    {{ ?s ?p ?o }}"""
    page = Page(client.post("/query", data={"query": query}).text)
    page.check_harmless()
    assert "<script>document.title='caught'</script>" in page.text
    assert "rdf:HTML" in page.text
    assert (
        next(a["href"] for a in page.all("a", title="javascript:alert(1)")) == "/entity?iri=javascript%3Aalert%281%29"
    )


def test_a_hostile_query_stays_text_too(hostile_editor: Flask) -> None:
    typed = "</textarea><script>alert(1)</script> {{ 7 * 7 }}"
    response = hostile_editor.test_client().post("/query", data={"query": typed})
    assert response.status_code == 400
    Page(response.text).check_harmless()
    assert "{{ 7 * 7 }}" in response.text


def test_the_endpoint_is_named_whole_behind_a_proxy_too(editor: FlaskClient) -> None:
    """Row B11: the address of the endpoint is absolute, under the prefix that a reverse proxy adds."""
    response = editor.get("/query", base_url="https://graphs.example/scoutfly/")
    assert 'data-endpoint="https://graphs.example/scoutfly/sparql"' in response.text
    assert 'data-vocabulary="/scoutfly/api/vocabulary"' in response.text
    assert 'action="/scoutfly/query"' in response.text


def test_without_the_packages_the_page_is_whole(editor: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.editor.pages.vendored", lambda name: False)
    response = editor.get("/query", query_string={"query": SELECT, "run": "1"})
    assert "vendor/" not in response.text
    assert "3 rows" in response.text


def test_a_graph_elsewhere_is_asked_elsewhere(engine: Engine) -> None:
    settings = WebSettings(endpoint="http://graphs.example/sparql")
    client = create_app(Site(lambda: engine, settings=settings)).test_client()
    assert "<code>http://graphs.example/sparql</code>" in client.get("/query").text
    assert client.post("/query", data={"query": SELECT}).status_code == 503


def test_terms_for_reading() -> None:
    assert cell(ox.Literal(5)).note == "xsd:integer"
    assert cell(ox.Literal("x")).note == ""
    assert cell(ox.BlankNode("b")).text == "_:b"
    iri = cell(ox.NamedNode("https://example.org/a/b#c d".replace(" ", "%20")))
    assert (iri.space, iri.text) == ("https://example.org/a/b#", "c%20d")
    assert cell(ox.NamedNode("urn:x:y")).text == "urn:x:y"
    assert cell(ox.NamedNode("https://w3id.org/scoutfly/mhw#a/b")).space == "https://w3id.org/scoutfly/mhw#a/"
    assert cell(ox.Literal("x" * 5000)).text == "x" * SHOWN_CHARACTERS + "… (5,000 characters)"
    triple = ox.Triple(ox.NamedNode("urn:s"), ox.NamedNode("urn:p"), ox.Literal("<b>"))
    assert cell(triple).kind == "triple"
