"""What several packages' tests share: a real SPARQL server on the loopback, importers run without a store."""

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import openpyxl
import pyoxigraph as ox
import pytest

from kg.bundled import ensure_bundled
from kg.catalogue import SourceCatalogue
from kg.home import Home
from kg.importer import Importer, Job
from kg.report import ImportReport
from kg.store import EmbeddedStore
from ontology import terms
from ontology.files import bundled_quads, read_turtle

EXAMPLE = "http://example.org/id/"
Imported = tuple[set[ox.Quad], ImportReport]


@dataclass(frozen=True, slots=True)
class OxigraphServer:
    """A running ``oxigraph serve`` whose default graph is the union of its graphs."""

    url: str

    @property
    def query_url(self) -> str:
        """The address of the SPARQL endpoint."""
        return f"{self.url}/query"

    def fill(self, quads: Iterable[ox.Quad]) -> None:
        """Replace everything that the server holds."""
        data = ox.serialize(quads, format=ox.RdfFormat.N_QUADS)
        request = urllib.request.Request(f"{self.url}/store", data=data, method="PUT")
        request.add_header("Content-Type", "application/n-quads")
        urllib.request.urlopen(request, timeout=10).close()


@pytest.fixture(scope="session")
def oxigraph_server() -> Iterator[OxigraphServer]:
    """One server for the whole run; each test fills it anew."""
    program = Path(sys.executable).with_name("oxigraph")
    if not program.exists() and shutil.which("oxigraph") is None:
        pytest.skip("the oxigraph server is not installed (it comes with the dev extra)")
    port = free_port()
    command = [str(program) if program.exists() else "oxigraph", "serve", "--union-default-graph"]
    process = subprocess.Popen(
        [*command, "--bind", f"127.0.0.1:{port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_for_port(port, process)
        yield OxigraphServer(f"http://127.0.0.1:{port}")
    finally:
        process.terminate()
        process.wait(timeout=10)


def free_port() -> int:
    """A port of the loopback that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for_port(port: int, process: "subprocess.Popen[bytes]", *, timeout_s: float = 20) -> None:
    """Wait until something listens on the port; fails where the process ends first."""
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        if process.poll() is not None:
            pytest.fail(f"the server ended with status {process.returncode} before it listened")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    pytest.fail(f"nothing listened on port {port} within {timeout_s} s")


@pytest.fixture
def run_importer() -> Callable[..., Imported]:
    """Runs one importer over a path, with the bundled vocabulary and no store: the quads and the report.

    The quads of the relations that it mints are among them.
    """

    def run(importer: Importer, path: Path, *, base_iri: str = EXAMPLE, strict: bool = False) -> Imported:
        ontology = [ox.Quad(q.subject, q.predicate, q.object, terms.ONTOLOGY_GRAPH) for q in bundled_quads()]
        catalogue = SourceCatalogue(ontology, marker=terms.source_graph("test"))
        report = ImportReport("test", kind=importer.kind, base_iri=base_iri, strict=strict)
        job = Job(path, "test", base_iri, report, catalogue, lambda _line: None)
        quads = set(importer.read(job)) | set(catalogue.quads())
        report.new_relations = [iri.value for iri in catalogue.minted]
        return quads, report

    return run


@pytest.fixture
def write_workbook() -> Callable[..., Path]:
    """Writes rows into the first sheet of a new workbook, folders and all; None is an empty cell."""

    def write(path: Path, rows: Iterable[Sequence[object]]) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        book = openpyxl.Workbook(write_only=True)
        sheet = book.create_sheet("Sheet1")
        for row in rows:
            sheet.append(list(row))
        book.save(path)
        return path

    return write


@pytest.fixture(scope="session")
def tiny_quads() -> tuple[ox.Quad, ...]:
    """The small graph of coffee machines in ``tests/data/tiny.ttl``; a drawing of it stands at the top of the file."""
    return tuple(read_turtle(Path(__file__).parent / "data" / "tiny.ttl"))


@pytest.fixture(scope="session")
def tiny_store(tiny_quads: tuple[ox.Quad, ...]) -> EmbeddedStore:
    """The small graph in memory, for reading."""
    return EmbeddedStore.from_quads(tiny_quads)


@pytest.fixture(scope="session")
def bundled_store(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedStore:
    """The bundled graph in memory, as the commands read it from a home; for reading."""
    home = Home(tmp_path_factory.mktemp("bundled") / "home")
    ensure_bundled(home)
    return home.reader()


@pytest.fixture(scope="session")
def benchmark_folder() -> Path:
    """Where the MH benchmark's own files are; skips where they are not beside the checkout."""
    folder = Path(__file__).parents[2] / "shared" / "data" / "mh-benchmark"
    if not folder.is_dir():
        pytest.skip("the MH benchmark's files are not beside the checkout (../shared/data/mh-benchmark)")
    return folder
