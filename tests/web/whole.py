"""A site with everything on: a home that holds the hostile graph as a source, a guard, a token, an allowed origin."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyoxigraph as ox
from flask.testing import FlaskClient

from agents.engine import Engine
from agents.runs import RunFolder
from kg.home import Home
from ontology import terms
from sparql.errors import Busy
from sparql.guard.pool import WorkerPool
from sparql.guard.requests import Answer, Guard, QueryRequest, UpdateRequest
from tests.web.stage import GRAPH, everything
from web.app import create_app
from web.site import Site, WebSettings

TOKEN = "sesame-open"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
ELSEWHERE = "https://tool.example"
SETTINGS = WebSettings(token=TOKEN, origins=(ELSEWHERE,), ask_rate="none", query_rate="none")


class BusyGuard:
    """A guard that is always busy: for what is asked of a site beside queries."""

    def query(self, request: QueryRequest) -> Answer:
        raise Busy("all workers are taken")

    def update(self, request: UpdateRequest) -> int:
        raise Busy("all workers are taken")

    def parse(self, document: bytes, media_type: str, *, base_iri: str) -> bytes:
        raise Busy("all workers are taken")


def hostile_home(folder: Path) -> Home:
    """A home whose one source is the hostile graph."""
    home, graph = Home(folder / "home"), terms.source_graph("odd")
    with home.write() as draft:
        draft.add(ox.Quad(quad.subject, quad.predicate, quad.object, graph) for quad in _hostile_quads())
        for name, value in (("dcterms:identifier", "odd"), ("void:uriSpace", "http://example.org/")):
            draft.add([ox.Quad(graph, terms.term(name), ox.Literal(value), terms.SOURCES_GRAPH)])
    return home


def whole_site(home: Home, *, guard: Guard | None = None, settings: WebSettings = SETTINGS) -> Site:
    """The site over a home; without a ``guard``, with one that is always busy."""
    runs = RunFolder(home.path / "runs")
    return Site(lambda: Engine(home.reader(), everything, ("all",), runs), home, guard or BusyGuard(), settings)


def _hostile_quads() -> Iterator[ox.Quad]:
    prefixes = {**terms.PREFIXES, "ex": "http://example.org/"}
    prologue = "".join(f"PREFIX {prefix}: <{namespace}>\n" for prefix, namespace in prefixes.items())
    return ox.parse(prologue + GRAPH, format=ox.RdfFormat.TURTLE)


@contextmanager
def guarded_client(folder: Path, settings: WebSettings = SETTINGS) -> Iterator[FlaskClient]:
    """What asks a site over the hostile graph whose guard is of the real kind."""
    home = hostile_home(folder)
    with WorkerPool(home.path, settings.limits) as guard:
        yield create_app(whole_site(home, guard=guard, settings=settings)).test_client()
