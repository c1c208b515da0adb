"""B9, B10: a page of another site cannot read the endpoint, or only at the second attempt, and is told nothing.

Where a site was allowed, its pages read answers, errors and preflights alike, and caches keep the sites apart.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.whole import ELSEWHERE, guarded_client

ALLOWED = "Access-Control-Allow-Origin"
THERE = {"Origin": ELSEWHERE, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    with guarded_client(tmp_path) as client:
        yield client


@pytest.mark.parametrize(("query", "status"), [("ASK {}", 200), ("ASK {", 400), ("ASK { SERVICE <urn:a> {} }", 403)])
def test_an_allowed_page_reads_answers_and_the_reason_of_errors(client: FlaskClient, query: str, status: int) -> None:
    posted = client.post("/sparql", data={"query": query}, headers=THERE)
    asked = client.get("/sparql", query_string={"query": query}, headers=THERE)
    for response in (posted, asked):
        assert response.status_code == status
        assert response.headers[ALLOWED] == ELSEWHERE
        assert "Origin" in response.headers["Vary"]
        assert response.get_data()


def test_the_preflight_says_the_same_as_the_answer(client: FlaskClient) -> None:
    asks = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    preflight = client.options("/sparql", headers=THERE | asks)
    assert preflight.status_code in {200, 204}
    assert preflight.headers[ALLOWED] == ELSEWHERE
    assert "Origin" in preflight.headers["Vary"]
    assert "POST" in preflight.headers["Access-Control-Allow-Methods"]
    assert "content-type" in preflight.headers["Access-Control-Allow-Headers"].lower()


def test_another_page_is_told_nothing_and_kept_apart(client: FlaskClient) -> None:
    headers = THERE | {"Origin": "https://evil.example"}
    assert client.post("/sparql", data={"query": "ASK {}"}, headers=headers).status_code == 403
    asked = client.get("/sparql", query_string={"query": "ASK {}"}, headers=headers)
    assert ALLOWED not in asked.headers
    assert "Origin" in asked.headers["Vary"]
