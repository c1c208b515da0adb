"""A guard without workers, and sites that have it: the bundled graph, and one of hostile texts."""

import re
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest
from flask import Flask
from flask.testing import FlaskClient

from agents.engine import Engine
from kg.bundled import ensure_bundled
from kg.home import Home
from kg.importing import import_path
from sparql.errors import GuardError, Malformed, NotAcceptable
from sparql.guard.requests import Answer, QueryRequest, UpdateRequest
from tests.web.stage import hostile_store
from web.app import create_app
from web.site import Site, WebSettings

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

    def __init__(self, home: Home) -> None:
        self._snapshot = home.snapshot()
        self.asked: list[QueryRequest] = []
        self.fault: GuardError | None = None

    def query(self, asked: QueryRequest) -> Answer:
        self.asked.append(asked)
        if self.fault:
            raise self.fault
        try:
            results = self._snapshot.store.query(asked.text, use_default_graph_as_union=asked.union)
        except SyntaxError as error:
            place = re.search(r"at (\d+):(\d+)", str(error))
            line, column = (int(place[1]), int(place[2])) if place else (None, None)
            raise Malformed(f"line {line}, column {column}: {error}", line=line, column=column) from error
        media_type = asked.graph_type if isinstance(results, ox.QueryTriples) else asked.solutions_type
        if media_type is None:
            raise NotAcceptable("this form of query is not answered in that format")
        if isinstance(results, ox.QueryTriples):
            return Answer("CONSTRUCT", media_type, results.serialize(format=GRAPHS[media_type]) or b"", 1)
        if isinstance(results, ox.QueryBoolean) and SOLUTIONS[media_type] in SOLUTIONS_WITHOUT_BOOLEANS:
            return Answer("ASK", media_type, str(bool(results)).lower().encode(), 1)
        return Answer("SELECT", media_type, results.serialize(format=SOLUTIONS[media_type]) or b"", 1)

    def update(self, asked: UpdateRequest) -> int:
        pytest.fail("an editor changes nothing")

    def parse(self, document: bytes, media_type: str, *, base_iri: str) -> bytes:
        pytest.fail("an editor parses nothing")


SOLUTIONS_WITHOUT_BOOLEANS = {ox.QueryResultsFormat.CSV, ox.QueryResultsFormat.TSV}


def made_site(home: Home, engine: Engine, guard: FakeGuard, *, settings: WebSettings | None = None) -> Flask:
    """The application over a home, whose guard is not in a process of its own."""
    return create_app(Site(lambda: engine, home=home, guard=guard, settings=settings or WebSettings()))


def hostile_home(folder: Path) -> Home:
    """A home that holds the hostile graph."""
    source = folder / "hostile.nt"
    triples = hostile_store().construct("CONSTRUCT WHERE { ?s ?p ?o }")
    source.write_bytes(ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES) or b"")
    home = Home(folder / "home")
    import_path(home, source)
    return home


@pytest.fixture(scope="session")
def bundled_home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home that holds the bundled graph."""
    home = Home(tmp_path_factory.mktemp("editor") / "home")
    ensure_bundled(home)
    return home


@pytest.fixture(scope="session")
def bundled_guard(bundled_home: Home) -> FakeGuard:
    return FakeGuard(bundled_home)


@pytest.fixture(scope="session")
def bundled_editor(bundled_home: Home, bundled_engine: Engine, bundled_guard: FakeGuard) -> Flask:
    """The site over the bundled graph."""
    return made_site(bundled_home, bundled_engine, bundled_guard)


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
def hostile_editor(engine: Engine, tmp_path: Path) -> Flask:
    """The site over the hostile graph."""
    home = hostile_home(tmp_path)
    return made_site(home, engine, FakeGuard(home))
