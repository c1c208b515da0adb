"""``/healthz`` and ``/metrics``, over a guarded graph."""

import threading
from pathlib import Path

import pyoxigraph as ox
import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from agents.engine import Engine
from agents.runs import RunFolder
from kg.home import Home
from ontology import terms
from sparql.errors import Busy, LimitExceeded, Malformed
from sparql.guard.requests import Answer, QueryRequest, UpdateRequest
from tests.web.stage import everything
from web.app import create_app
from web.ask.walks import walks_of
from web.site import Site


class ScriptedGuard:
    """Answers, or raises what comes next."""

    def __init__(self) -> None:
        self.next: list[Exception] = []

    def query(self, request: QueryRequest) -> Answer:
        if self.next:
            raise self.next.pop(0)
        return Answer("ASK", "application/sparql-results+json", b'{"head": {}, "boolean": true}', 1)

    def update(self, request: UpdateRequest) -> int:
        raise AssertionError

    def parse(self, document: bytes, media_type: str, *, base_iri: str) -> bytes:
        raise AssertionError


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    with made.write() as draft:
        draft.add([_quad()])
    return made


def _quad() -> ox.Quad:

    node = ox.NamedNode("http://example.org/a")
    return ox.Quad(node, terms.RDFS_LABEL, ox.Literal("a"), ox.NamedNode("http://example.org/g"))


@pytest.fixture
def guard() -> ScriptedGuard:
    return ScriptedGuard()


@pytest.fixture
def client(home: Home, guard: ScriptedGuard) -> FlaskClient:
    def engine() -> Engine:
        return Engine(home.reader(), everything, ("all",), RunFolder(home.path / "runs"))

    return create_app(Site(engine, home, guard)).test_client()


def samples(client: FlaskClient) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    answer = client.get("/metrics")
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    families = text_string_to_metric_families(answer.text)
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


def value(client: FlaskClient, name: str, **labels: str) -> float:
    return samples(client).get((f"scoutfly_{name}", frozenset(labels.items())), 0.0)


def test_a_well_server_says_which_generation_it_shows(client: FlaskClient, home: Home) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.get_json()["status"]) == (200, "ok")
    assert (answer.get_json()["generation"], bool(answer.get_json()["version"])) == (home.current(), True)
    (home.path / "CURRENT").write_text("rubbish")
    failing = client.get("/healthz")
    assert (failing.status_code, failing.get_json()["status"]) == (503, "failing")
    assert failing.get_json()["reason"]
    assert str(home.path) not in failing.get_data(as_text=True)  # it stands in the server's log
    assert client.get("/metrics").status_code == 200


def test_requests_are_counted_by_route_and_never_by_address(client: FlaskClient) -> None:
    for n in range(3):
        client.get(f"/nothing/{n}")
        client.get(f"/runs/none-{n}")
    counted = {"method": "GET", "status": "404"}
    assert value(client, "http_requests_total", route="/runs/<run_id>", **counted) == 3
    assert value(client, "http_requests_total", route="(none)", method="(none)", status="404") == 3
    assert value(client, "http_request_seconds_count", route="/runs/<run_id>") == 3
    assert not [labels for _, labels in samples(client) if any("none-" in text for _, text in labels)]


def test_guarded_queries_are_counted_by_how_they_ended(client: FlaskClient, guard: ScriptedGuard) -> None:
    guard.next = [
        Malformed("no"),
        LimitExceeded("long", limit="time"),
        LimitExceeded("large", limit="size of the query"),
        Busy("full"),
    ]
    for _ in range(6):
        client.get("/sparql?query=ASK%7B%7D")
    outcomes = {"malformed": 1, "limit: time": 1, "limit: size of the query": 1, "busy": 1, "answered": 2}
    for outcome, times in outcomes.items():
        assert value(client, "guarded_requests_total", kind="query", outcome=outcome) == times
    assert value(client, "guarded_seconds_count", kind="query") == 6
    assert value(client, "guard_kills_total", limit="time") == 1
    assert value(client, "guard_busy") == value(client, "guard_long") == 0


def test_the_graph_and_the_walks_are_measured(client: FlaskClient, home: Home) -> None:
    assert value(client, "asks_running") == 0
    walks = walks_of(client.application)
    walks._running[threading.current_thread()] = None  # type: ignore[assignment]
    assert value(client, "asks_running") == 1
    assert value(client, "triples") == 1
    assert value(client, "generation") == home.current()
