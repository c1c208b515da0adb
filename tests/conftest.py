"""What several packages' tests share: a real SPARQL server on the loopback."""

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox
import pytest


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
