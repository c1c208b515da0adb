"""A guard without workers over a small store, and sites that have it: the bundled graph, and one of hostile texts."""

import json
import re
from collections.abc import Iterator

import pyoxigraph as ox
import pytest
from flask import Flask, Response, request
from flask.testing import FlaskClient

from agents.engine import Engine
from kg.store import EmbeddedStore
from sparql.errors import GuardError, Malformed, NotAcceptable
from sparql.guard.requests import Answer, QueryRequest, UpdateRequest
from tests.web.stage import hostile_store
from web.app import create_app
from web.site import Site

SOLUTIONS = {
    "application/sparql-results+json": ox.QueryResultsFormat.JSON,
    "application/sparql-results+xml": ox.QueryResultsFormat.XML,
    "text/csv": ox.QueryResultsFormat.CSV,
    "text/tab-separated-values": ox.QueryResultsFormat.TSV,
}
GRAPHS = {
    "text/turtle": ox.RdfFormat.TURTLE,
    "application/n-triples": ox.RdfFormat.N_TRIPLES,
    "application/n-quads": ox.RdfFormat.N_QUADS,
    "application/trig": ox.RdfFormat.TRIG,
    "application/rdf+xml": ox.RdfFormat.RDF_XML,
    "application/ld+json": ox.RdfFormat.JSON_LD,
}
HTML = "http://www.w3.org/1999/02/22-rdf-syntax-ns#HTML"
BAIT = "<img src=x onerror=\"document.title='caught'\"><script>document.title='caught'</script>"
"""A text that changes the title of a page that takes it for markup."""


class FakeGuard:
    """Answers in this process, with no bounds; ``fault``, where there is one, is raised instead."""

    def __init__(self, store: EmbeddedStore) -> None:
        self.store = ox.Store()
        self.store.extend(ox.Quad(*triple) for triple in store.construct("CONSTRUCT WHERE { ?s ?p ?o }"))
        self.asked: list[QueryRequest] = []
        self.fault: GuardError | None = None

    def query(self, asked: QueryRequest) -> Answer:
        self.asked.append(asked)
        if self.fault:
            raise self.fault
        try:
            results = self.store.query(asked.text)
        except SyntaxError as error:
            place = re.search(r"at (\d+):(\d+)", str(error))
            line, column = (int(place[1]), int(place[2])) if place else (None, None)
            raise Malformed(str(error), line=line, column=column) from error
        media_type = asked.graph_type if isinstance(results, ox.QueryTriples) else asked.solutions_type
        if media_type is None:
            raise NotAcceptable("this form of query is not answered in that format")
        if isinstance(results, ox.QueryTriples):
            return Answer("CONSTRUCT", media_type, results.serialize(format=GRAPHS[media_type]) or b"")
        if isinstance(results, ox.QueryBoolean) and SOLUTIONS[media_type] in SOLUTIONS_WITHOUT_BOOLEANS:
            return Answer("ASK", media_type, str(bool(results)).lower().encode())
        return Answer("SELECT", media_type, results.serialize(format=SOLUTIONS[media_type]) or b"")

    def update(self, asked: UpdateRequest) -> int:
        pytest.fail("an editor changes nothing")

    def parse(self, document: bytes, media_type: str, *, base_iri: str) -> bytes:
        pytest.fail("an editor parses nothing")


SOLUTIONS_WITHOUT_BOOLEANS = {ox.QueryResultsFormat.CSV, ox.QueryResultsFormat.TSV}


def add_endpoint(app: Flask, guard: FakeGuard) -> None:
    """An endpoint at /sparql that does what the editor needs of one, where the application has none."""
    if any(rule.rule == "/sparql" for rule in app.url_map.iter_rules()):
        return

    def sparql() -> Response:
        wanted = [accepted.split(";")[0].strip() for accepted in request.headers.get("Accept", "").split(",")]
        solutions = next((name for name in wanted if name in SOLUTIONS), None)
        graph = next((name for name in wanted if name in GRAPHS), None)
        try:
            answer = guard.query(QueryRequest(request.values["query"], solutions_type=solutions, graph_type=graph))
        except GuardError as error:
            said = {"title": "Bad query", "status": 400, "detail": str(error)}
            if isinstance(error, Malformed):
                said |= {"line": error.line, "column": error.column}
            return Response(json.dumps(said), 400, content_type="application/problem+json")
        return Response(answer.body, content_type=answer.media_type)

    app.add_url_rule("/sparql", "sparql", sparql, methods=["GET", "POST"])


@pytest.fixture(scope="session")
def bundled_guard(bundled_store: EmbeddedStore) -> FakeGuard:
    return FakeGuard(bundled_store)


@pytest.fixture(scope="session")
def bundled_editor(bundled_engine: Engine, bundled_guard: FakeGuard) -> Flask:
    """The site over the bundled graph, with a guard and an endpoint."""
    app = create_app(Site(lambda: bundled_engine, guard=bundled_guard))
    add_endpoint(app, bundled_guard)
    return app


@pytest.fixture
def guard(bundled_guard: FakeGuard) -> Iterator[FakeGuard]:
    """The guard of the bundled graph, without a fault and with nothing asked before and after."""
    bundled_guard.asked.clear()
    yield bundled_guard
    bundled_guard.fault = None


@pytest.fixture
def editor(bundled_editor: Flask, guard: FakeGuard) -> FlaskClient:
    """What asks for the editor over the bundled graph."""
    return bundled_editor.test_client()


@pytest.fixture
def hostile_editor(engine: Engine) -> Flask:
    """The site over the hostile graph, with a guard and an endpoint."""
    guard = FakeGuard(hostile_store())
    app = create_app(Site(lambda: engine, guard=guard))
    add_endpoint(app, guard)
    return app
