"""B12: a query that takes for ever cannot be stopped, runs on when its asker has left, and the page says nothing.

It is ended with its process at the limit, the answer names the limit, and others are answered meanwhile and after.
"""

import threading
import time
from dataclasses import replace
from pathlib import Path

from sparql.guard.limits import Limits
from tests.web.whole import SETTINGS, guarded_client

NODES = " ".join(f"<urn:n:{number}>" for number in range(3000))
CROSS = f"SELECT (COUNT(*) AS ?n) {{ VALUES ?a {{ {NODES} }} VALUES ?b {{ {NODES} }} VALUES ?c {{ {NODES} }} }}"
SECONDS = 1.0


def test_it_ends_at_the_limit_and_says_so(tmp_path: Path) -> None:
    settings = replace(SETTINGS, limits=Limits(seconds=SECONDS, workers=2))
    with guarded_client(tmp_path, settings) as client:
        answers = []
        asking = threading.Thread(target=lambda: answers.append(client.post("/sparql", data={"query": CROSS})))
        started = time.monotonic()
        asking.start()
        assert client.application.test_client().get("/sparql?query=ASK+%7B%7D").status_code == 200
        asking.join(30)
        assert time.monotonic() - started < SECONDS + 20
        [response] = answers
        assert response.status_code == 503
        assert response.mimetype == "text/plain"
        assert "1 s" in response.text
        problem = client.post("/sparql", data={"query": CROSS}, headers={"Accept": "application/json"})
        assert problem.get_json()["limit"] == "time"
        assert client.get("/sparql?query=ASK+%7B%7D").status_code == 200
