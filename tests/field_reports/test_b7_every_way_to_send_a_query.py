"""B7: an endpoint takes a query by GET only.

GET, a posted form and a query as the body give the same answer; other methods are refused with those that work.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.whole import guarded_client

QUERY = "SELECT ?label { <http://example.org/other> <http://www.w3.org/2000/01/rdf-schema#label> ?label }"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    with guarded_client(tmp_path) as client:
        yield client


def test_three_ways_one_answer(client: FlaskClient) -> None:
    ways = (
        client.get("/sparql", query_string={"query": QUERY}),
        client.post("/sparql", data={"query": QUERY}),
        client.post("/sparql", data=QUERY, content_type="application/sparql-query"),
    )
    for response in ways:
        assert response.status_code == 200
        assert [row["label"]["value"] for row in response.get_json()["results"]["bindings"]] == ["Other"]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
def test_other_methods_are_refused_with_those_that_work(client: FlaskClient, method: str) -> None:
    response = client.open("/sparql", method=method, query_string={"query": QUERY})
    assert response.status_code == 405
    assert {"GET", "POST"} <= set(response.headers["Allow"].split(", "))
