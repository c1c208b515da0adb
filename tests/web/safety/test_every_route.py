"""Every address that the site answers, attacked: no failure, no raw markup, all the headers, no traceback."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask, Response, request
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ontology import terms
from sparql.guard.limits import Limits
from sparql.guard.pool import WorkerPool
from tests.web.safety.attacks import MARK, Attack, attacks_on, faults_of
from tests.web.stage import finish
from tests.web.whole import TOKEN as SECRET
from tests.web.whole import hostile_home, whole_site
from web.app import create_app
from web.protection import protect
from web.site import WebSettings

EACH = 40
DEAR = {"/api/import": 6}
"""Addresses where each request starts a process, and how often they are asked."""
BEARER = {"Authorization": f"Bearer {SECRET}"}
EX = "http://example.org/"


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """The site over the hostile graph, with a guard of the real kind."""
    home = hostile_home(tmp_path_factory.mktemp("attacked"))
    with WorkerPool(home.path, Limits(seconds=2, workers=2)) as guard:
        yield create_app(whole_site(home, guard=guard))


def test_every_address_stands_what_strangers_send(attacked: Flask, tmp_path: Path) -> None:
    chance, told, count = random.Random(4), (SECRET, str(tmp_path.parent), "root:x:"), 0
    client = attacked.test_client()
    client.post("/import/sign-in", data={"token": SECRET})
    right, statuses, faults = _right(attacked, client), Counter[int](), list[str]()
    for rule in sorted(attacked.url_map.iter_rules(), key=str):
        for attack in attacks_on(rule, each=DEAR.get(str(rule), EACH), chance=chance, right=right):
            count += 1
            response = _answer(client, attack)
            statuses[response.status_code] += 1
            faults += [f"{fault}: {attack}" for fault in faults_of(response, told=told)]
            response.close()
    assert count > 2000
    assert statuses[200] > count / 5, statuses  # else the attacks did not get beyond the door
    assert faults == [], f"{len(faults)} faults:\n" + "\n".join(faults[:10])


def _right(app: Flask, client: FlaskClient) -> dict[str, list[str]]:
    """What the site knows, by the names under which it is asked for."""
    sent = client.post("/api/import?dry_run=true&file=x.ttl", data=f"<urn:a> <urn:b> '{MARK}' .", headers=BEARER)
    asked = client.post("/ask", data={"question": MARK, "extra": MARK})
    address = asked.headers["Location"]
    finish(app, address)
    return {
        "iri": [EX + "top", EX + "leaf", EX + "rel-c", EX + "media", EX + "Kind"],
        "graph": [str(terms.source_graph("odd").value)],
        "slug": ["odd"],
        "rest": ["top", "leaf", "leaf.ttl"],
        "name": ["graph.ttl", "odd.nt", "class.ttl", "citation.bib", "metadata.ttl.gz", "graph.trig.sha256"],
        "run_id": [address.rpartition("/")[2]],
        "upload_id": [sent.headers["Location"].rpartition("/")[2]],
        "suffix": [".ttl"],
        "path": ["x"],
        "q": ["t", "oth"],
        "type": [EX + "Kind"],
        "class": [EX + "Kind"],
        "direction": ["in", "out"],
        "relation": [EX + "rel"],
        "page": ["1"],
        "query": ["SELECT * { ?s ?p ?o } LIMIT 5", "DESCRIBE <http://example.org/top>"],
    }


@pytest.mark.parametrize(
    "view",
    [
        lambda: 1 // 0,
        lambda: f"<p>{request.args.get('q', '')}</p>",
        lambda: "<p><a href='javascript:x'>y</a></p>",
        lambda: "<script>x()</script>",
        lambda: Response("Traceback (most recent call last):", mimetype="text/plain"),
        lambda: f"<p>{SECRET}</p>",
    ],
)
def test_an_address_that_does_not_is_found_out(view: Callable[[], str | Response]) -> None:
    app = Flask(__name__)
    app.add_url_rule("/odd", "odd", view)
    protect(app, WebSettings())
    attack = Attack("GET", "/odd?q=" + MARK)
    assert faults_of(_answer(app.test_client(), attack), told=(SECRET,))


def _answer(client: FlaskClient, attack: Attack) -> TestResponse:
    headers = BEARER | attack.headers  # what lies behind the token is attacked too
    return client.open(
        attack.address, method=attack.method, headers=headers, data=attack.body, content_type=attack.content_type
    )
