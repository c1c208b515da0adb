"""A site over a home of its own, with a guard that runs everything in this process."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox
import pytest
from flask import Flask
from flask.testing import FlaskClient

from agents.engine import Engine
from agents.runs import RunFolder
from kg.home import Home
from sparql.errors import Malformed, NotAcceptable
from sparql.guard.requests import Answer, Guard, QueryRequest, UpdateRequest
from tests.web.stage import everything
from web.app import create_app
from web.site import Site, WebSettings

ROOT = Path(__file__).parents[3]
TOKEN = "sesame"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
EX = "http://example.org/"
GRAPH = ox.NamedNode(EX + "graph")
_RESULTS = {fmt.media_type: fmt for fmt in (ox.QueryResultsFormat.JSON, ox.QueryResultsFormat.XML)}
_RESULTS |= {"text/csv": ox.QueryResultsFormat.CSV, "text/tab-separated-values": ox.QueryResultsFormat.TSV}


class PlainGuard:
    """Does what a guard does, for queries that do no harm."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.queries: list[QueryRequest] = []
        self.updates: list[UpdateRequest] = []
        self.raises: Exception | None = None

    def query(self, request: QueryRequest) -> Answer:
        self.queries.append(request)
        if self.raises:
            raise self.raises
        with self.home.snapshot() as snapshot:
            graphs: list[ox.NamedNode | ox.BlankNode | ox.DefaultGraph] = []
            graphs += [ox.NamedNode(iri) for iri in request.default_graphs]
            try:
                found = snapshot.store.query(
                    request.text,
                    base_iri=request.base_iri,
                    default_graph=graphs or None,
                    use_default_graph_as_union=request.union and not graphs,
                )
            except SyntaxError as error:
                raise Malformed(str(error), line=1, column=2) from error
            if isinstance(found, ox.QueryTriples):
                return self._graph(found, request, snapshot.number)
            if request.solutions_type is None:
                raise NotAcceptable("no format for solutions")
            form = "ASK" if isinstance(found, ox.QueryBoolean) else "SELECT"
            body = found.serialize(format=_RESULTS[request.solutions_type]) or b""
            return Answer(form, request.solutions_type, body, snapshot.number)  # type: ignore[arg-type]

    def _graph(self, found: ox.QueryTriples, request: QueryRequest, generation: int) -> Answer:
        if request.graph_type is None:
            raise NotAcceptable("no format for graphs")
        syntax = ox.RdfFormat.from_media_type(request.graph_type)
        assert syntax is not None
        form = "DESCRIBE" if "DESCRIBE" in request.text else "CONSTRUCT"
        body = found.serialize(format=syntax) or b""
        return Answer(form, request.graph_type, body, generation)  # type: ignore[arg-type]

    def update(self, request: UpdateRequest) -> int:
        self.updates.append(request)
        with self.home.write() as draft:
            try:
                draft._open.update(request.text, base_iri=request.base_iri)
            except SyntaxError as error:
                raise Malformed(str(error)) from error
        return self.home.current() or 0

    def parse(self, document: bytes, media_type: str, *, base_iri: str) -> bytes:
        syntax = ox.RdfFormat.from_media_type(media_type)
        try:
            quads = list(ox.parse(document, format=syntax, base_iri=base_iri, rename_blank_nodes=True))
        except SyntaxError as error:
            raise Malformed(str(error), line=error.lineno, column=error.offset) from error
        return ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home with a named graph of three triples and one triple in the default graph."""
    made = Home(tmp_path / "home")
    triples = [(f"s{n}", "p", ox.Literal(f"value {n}")) for n in range(3)]
    with made.write() as draft:
        draft.add(ox.Quad(ox.NamedNode(EX + s), ox.NamedNode(EX + p), o, GRAPH) for s, p, o in triples)
        draft.add([ox.Quad(ox.NamedNode(EX + "d"), ox.NamedNode(EX + "p"), ox.Literal("default"), ox.DefaultGraph())])
    return made


@pytest.fixture
def guard(home: Home) -> PlainGuard:
    return PlainGuard(home)


def app_of(home: Home, guard: Guard | None, settings: WebSettings) -> Flask:
    """The application over a home."""
    engine = lambda: Engine(home.reader(), everything, ("all",), RunFolder(home.path / "runs"))  # noqa: E731
    return create_app(Site(engine, home if guard else None, guard, settings))


@pytest.fixture
def client(home: Home, guard: PlainGuard) -> FlaskClient:
    """What asks a server that takes the token."""
    return app_of(home, guard, WebSettings(token=TOKEN)).test_client()


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A running ``scoutfly serve`` over a home of its own, filled with the bundled graph."""

    url: str
    home: Path

    @property
    def query(self) -> str:
        return f"{self.url}/sparql"

    @property
    def update(self) -> str:
        return f"{self.url}/sparql/update"

    @property
    def store(self) -> str:
        return f"{self.url}/store"


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[Endpoint]:
    """The server as a process of its own, stopped at the end."""
    command = [sys.executable, "-m", "scoutfly", "--home", str(folder), "serve", "--port", "0", *words]
    environment = os.environ | {"SCOUTFLY_TOKEN": TOKEN}
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stderr is not None
            said = ""
            for line in process.stderr:
                said += line
                found = re.match(r"Scoutfly is at (http://\S+) ", line)
                if found:
                    yield Endpoint(found[1], folder)
                    break
            else:
                pytest.fail(f"the server ended before it listened: {said}")
        finally:
            process.terminate()
            process.communicate(timeout=30)


@pytest.fixture(scope="session")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Endpoint]:
    """One server for all tests that need a real one; each writes to graphs of its own."""
    with serving(tmp_path_factory.mktemp("served")) as started:
        yield started
