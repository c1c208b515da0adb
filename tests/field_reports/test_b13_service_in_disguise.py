"""B13: SERVICE and LOAD turn a read-only endpoint into something that asks servers which its asker cannot reach.

No query opens a connection, however the keyword is written; a word in a text or a comment does no harm.
"""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.whole import TOKEN, guarded_client


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    with guarded_client(Path(tmp_path_factory.mktemp("service"))) as client:
        yield client


@pytest.fixture
def inside() -> Iterator[socket.socket]:
    """A server that must not be asked."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.2)
        yield listening


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { SERVICE <URL> { ?s ?p ?o } }",
        "SELECT * { service silent <URL> { ?s ?p ?o } }",
        "SELECT * { SERVICE#\n<URL> { ?s ?p ?o } }",
        "SELECT * { { { SeRvIcE ?x { ?s ?p ?o } } } VALUES ?x { <URL> } }",
        "PREFIX a: <URL> SELECT * { SERVICE a: { ?s ?p ?o } }",
        "SELECT * { OPTIONAL { GRAPH ?g { SERVICE <URL> { ?s ?p ?o } } } }",
        "SELECT * { FILTER EXISTS { SERVICE <URL> { ?s ?p ?o } } }",
        "SELECT * FROM <URL> { ?s ?p ?o }",
        "SELECT * { GRAPH <URL> { ?s ?p ?o } }",
        "DESCRIBE <URL>",
    ],
)
def test_no_query_opens_a_connection(client: FlaskClient, inside: socket.socket, query: str) -> None:
    url = f"http://127.0.0.1:{inside.getsockname()[1]}/"
    response = client.post("/sparql", data={"query": query.replace("URL", url)})
    assert response.status_code == (403 if "service" in query.lower() else 200)
    with pytest.raises(TimeoutError):
        inside.accept()


@pytest.mark.parametrize(
    "update", ["LOAD <URL>", "load silent <URL> into graph <urn:g>", "CLEAR DEFAULT ; LOAD#\n<URL>"]
)
def test_no_update_does(client: FlaskClient, inside: socket.socket, update: str) -> None:
    url = f"http://127.0.0.1:{inside.getsockname()[1]}/"
    sent = {"update": update.replace("URL", url)}
    response = client.post("/sparql/update", data=sent, headers={"Authorization": f"Bearer {TOKEN}"})
    assert response.status_code == 403
    with pytest.raises(TimeoutError):
        inside.accept()


@pytest.mark.parametrize(
    "query",
    [
        "ASK { ?s ?p 'SERVICE <http://a/> {}' }",
        "ASK { ?service ?load ?o } # LOAD <http://a/>",
        "ASK { <urn:SERVICE> ?p ?o }",
    ],
)
def test_the_word_alone_does_no_harm(client: FlaskClient, query: str) -> None:
    assert client.post("/sparql", data={"query": query}).status_code == 200
