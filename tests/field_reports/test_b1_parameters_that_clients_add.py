"""B1: an endpoint refuses the parameters that a client adds to every query.

What the protocol does not know is passed over; Accept says in which format to answer, and the added names do so only
where it does not.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.whole import guarded_client

CONSTRUCT = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o } LIMIT 2"
ADDED = {"format": "turtle", "output": "turtle", "results": "turtle", "timeout": "0", "debug": "on", "_": "1"}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    with guarded_client(tmp_path) as client:
        yield client


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_they_are_passed_over_and_accept_wins(client: FlaskClient, method: str) -> None:
    sent = {"query": CONSTRUCT, **ADDED}

    def asked(accept: str) -> tuple[int, str | None]:
        headers = {"Accept": accept}
        if method == "GET":
            response = client.get("/sparql", query_string=sent, headers=headers)
        else:
            response = client.post("/sparql", data=sent, headers=headers)
        return response.status_code, response.mimetype

    assert asked("application/n-triples") == (200, "application/n-triples")
    assert asked("*/*") == (200, "text/turtle")
