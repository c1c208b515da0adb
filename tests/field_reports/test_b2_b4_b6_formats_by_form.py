"""B2, B4, B6: the format of an answer does not suit the form of the query.

A CONSTRUCT with the media type of a SELECT gets an error or JSON, a DESCRIBE gets something else than was asked for,
and a SELECT without Accept is called application/json, so that other stores cannot federate.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.whole import guarded_client

GRAPH_FORMS = ("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o } LIMIT 2", "DESCRIBE <http://example.org/top>")
SELECT, ASK = "SELECT * { ?s ?p ?o } LIMIT 2", "ASK { ?s ?p ?o }"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    with guarded_client(Path(tmp_path_factory.mktemp("formats"))) as client:
        yield client


def kind(client: FlaskClient, query: str, accept: str | None, **more: str) -> str:
    headers = {} if accept is None else {"Accept": accept}
    response = client.get("/sparql", query_string={"query": query, **more}, headers=headers)
    assert response.status_code == 200, response.text
    assert response.get_data()
    return response.mimetype or ""


@pytest.mark.parametrize("query", GRAPH_FORMS)
@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("text/turtle", "text/turtle"),
        ("application/rdf+xml", "application/rdf+xml"),
        ("application/n-triples;q=0.9, application/ld+json", "application/ld+json"),
        ("application/sparql-results+json, text/turtle", "text/turtle"),
        ("application/sparql-results+json", "text/turtle"),
        ("application/sparql-results+xml, application/rdf+xml;q=0.1", "application/rdf+xml"),
        ("*/*", "text/turtle"),
        (None, "text/turtle"),
    ],
)
def test_construct_and_describe_are_answered_from_the_same_table(
    client: FlaskClient, query: str, accept: str | None, expected: str
) -> None:
    assert kind(client, query, accept) == expected


def test_a_client_that_asks_for_json_of_a_construct_gets_a_graph_in_json(client: FlaskClient) -> None:
    assert kind(client, GRAPH_FORMS[0], "*/*", format="json") == "application/ld+json"


@pytest.mark.parametrize("query", [SELECT, ASK])
@pytest.mark.parametrize("accept", [None, "*/*", "text/turtle"])
def test_solutions_have_the_media_type_that_other_stores_read(
    client: FlaskClient, query: str, accept: str | None
) -> None:
    assert kind(client, query, accept) == "application/sparql-results+json"
