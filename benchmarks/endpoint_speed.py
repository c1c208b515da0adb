"""
Requests a second of our endpoint beside ``oxigraph serve`` and rdflib-endpoint, on the same triples, in one run.

    python -m benchmarks.endpoint_speed [--sizes 10000,1000000] [--rdflib-endpoint PROGRAM]

The query is the one that a walk sends for a neighbourhood, each time of another entity. The graph is made up: entities
with a type, a label, a context, some with a caption, and edges by the relations of a catalogue with conditions. Three
servers are started on it and asked in turn, several rounds, by one load generator; the median round counts, so that
other work on the machine is spread over all. Ends with status 1 where we are under 0.6 of Oxigraph or under 12 times
rdflib-endpoint. That one is left out, with a line that says so, where it is not installed (it wants a virtual
environment of its own: ``python -m venv DIR && DIR/bin/pip install 'rdflib-endpoint[web,cli]'``), and on large graphs,
since it had not loaded a million triples after five minutes of processor time.
"""

import argparse
import os
import random
import re
import shutil
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pyoxigraph as ox

from benchmarks.bundled_graph import table
from benchmarks.http_load import fetch, get_requests, load
from kg.home import Home
from kg.importing import import_path
from ontology import terms
from sparql.graph import neighbourhood_query

ROOT = Path(__file__).parents[1]
LEAST_OF_OXIGRAPH, LEAST_OF_RDFLIB = 0.6, 12.0
_EX = "http://example.org/speed/"
_ENTITIES_ASKED = 2_000
_EDGES, _BASES, _CONDITIONS = 4, 16, 9
_TRIPLES_EACH = 7.7


@dataclass(frozen=True, slots=True)
class Server:
    """A running server; ``pid`` is that of the first of its processes."""

    name: str
    port: int
    path: str
    pid: int


def write_graph(path: Path, triples: int) -> list[ox.NamedNode]:
    """Write about so many triples as N-Triples, the same ones every time; returns the entities."""
    rng = random.Random(11)
    entities = [ox.NamedNode(f"{_EX}entity-{number}") for number in range(max(10, int(triples / _TRIPLES_EACH)))]
    with path.open("w", encoding="utf-8") as out:
        relations = list(_write_catalogue(out.write))
        for number, entity in enumerate(entities):
            out.write(f"{entity} {terms.RDF_TYPE} <{_EX}Class{number % 12}> .\n")
            out.write(f'{entity} {terms.RDFS_LABEL} "entity number {number}"@en .\n')
            out.write(f'{entity} {terms.CONTEXT} "what is known of number {number}: {rng.random()}" .\n')
            if number % 3 == 0:
                out.write(f"{entity} {terms.HAS_CAPTION} <{_EX}caption-{number}> .\n")
                out.write(f'<{_EX}caption-{number}> {terms.CAPTION_TEXT} "how number {number} looks" .\n')
            for relation in rng.sample(relations, _EDGES):
                out.write(f"{entity} {relation} {rng.choice(entities)} .\n")
    return entities


def _write_catalogue(write: Callable[[str], object]) -> Iterator[str]:
    for base in range(_BASES):
        root = f"<{_EX}relation-{base}>"
        for condition in range(_CONDITIONS + 1):
            relation = f"<{_EX}relation-{base}-when-{condition}>" if condition else root
            write(f"{relation} {terms.BASE_RELATION} {root} .\n")
            write(f'{relation} {terms.RDFS_LABEL} "relation {base} when {condition}"@en .\n')
            if condition:
                write(f"{relation} {terms.CONDITION} <{_EX}condition-{condition}> .\n")
                write(f'<{_EX}condition-{condition}> {terms.RDFS_LABEL} "condition {condition}"@en .\n')
            yield relation


def main() -> int:
    """Measure each size, print, and say by the exit status whether the aims are met."""
    options = _options()
    met = [_measure(size, options) for size in options.sizes]
    return int(not all(met))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("--sizes", type=lambda text: [int(one) for one in text.split(",")], default=[10_000, 1_000_000])
    parser.add_argument("--seconds", type=float, default=4.0, help="of each server in each round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument(
        "--rdflib-up-to", type=int, default=100_000, metavar="TRIPLES", help="it takes long to load more"
    )
    parser.add_argument("--rdflib-endpoint", default=shutil.which("rdflib-endpoint") or "", metavar="PROGRAM")
    return parser.parse_args()


def _measure(size: int, options: argparse.Namespace) -> bool:
    with TemporaryDirectory() as name, ExitStack() as running:
        folder = Path(name)
        entities = write_graph(folder / "graph.nt", size)
        queries = [neighbourhood_query([one]) for one in random.Random(3).choices(entities, k=_ENTITIES_ASKED)]
        triples = sum(1 for _ in (folder / "graph.nt").open("rb"))
        servers = [running.enter_context(server) for server in _servers(folder, triples, options)]
        _check_same(servers, queries[:20])
        print(f"\n{triples:,} triples, neighbourhoods of {len(queries):,} entities, {options.connections} connections")
        rates: dict[str, list[float]] = {server.name: [] for server in servers}
        rows: dict[str, list[str]] = {}
        for number in range(options.rounds + 1):  # the first one warms up
            for server in servers:
                cpu = _cpu_s(server.pid)
                seconds = options.seconds if number else 1.0
                requests = get_requests(queries, port=server.port, path=server.path)
                found = load(server.port, requests, seconds=seconds, connections=options.connections)
                spent = 1e3 * (_cpu_s(server.pid) - cpu) / max(1, found.per_s * seconds)
                if number:
                    rates[server.name].append(found.per_s)
                rows[server.name] = [f"{1e3 * found.p95_s:.1f}", f"{spent:.2f}"]
    return _report(rates, rows)


def _report(rates: dict[str, list[float]], rows: dict[str, list[str]]) -> bool:
    ours = statistics.median(rates["scoutfly"])
    lines = []
    for name, found in rates.items():
        middle = statistics.median(found)
        lines.append([name, f"{middle:.0f}", f"{min(found):.0f}-{max(found):.0f}", *rows[name], f"{ours / middle:.2f}"])
    print(table(["server", "requests/s", "rounds", "p95 ms", "cpu ms each", "scoutfly is"], lines))
    aims = {"oxigraph serve": LEAST_OF_OXIGRAPH, "rdflib-endpoint": LEAST_OF_RDFLIB}
    return all(ours >= least * statistics.median(rates[name]) for name, least in aims.items() if name in rates)


def _check_same(servers: Sequence[Server], queries: Sequence[str]) -> None:
    """See that all servers find as much, or there would be nothing to compare."""
    for query in queries:
        counts = {}
        for server in servers:
            [request] = get_requests([query], port=server.port, path=server.path)
            counts[server.name] = len(re.findall(rb'"described": ?\{', fetch(server.port, request)))
        if len(set(counts.values())) != 1 or 0 in counts.values():
            raise SystemExit(f"the servers do not agree on the rows of a query: {counts}")


def _servers(folder: Path, triples: int, options: argparse.Namespace) -> Iterator[AbstractContextManager[Server]]:
    graph = folder / "graph.nt"
    import_path(Home(folder / "home"), graph)
    words = ["-m", "scoutfly", "--home", str(folder / "home"), "serve", "--port"]
    yield _started("scoutfly", [sys.executable, *words], path="/sparql")
    program = str(Path(sys.executable).with_name("oxigraph"))
    subprocess.run([program, "load", "-l", str(folder / "ox"), "-f", str(graph)], check=True, capture_output=True)
    yield _started("oxigraph serve", [program, "serve", "-l", str(folder / "ox"), "--bind"], path="/query", bind=True)
    if not options.rdflib_endpoint:
        print("rdflib-endpoint is not installed, so that it is not measured: see --help", file=sys.stderr)
        return
    if triples > options.rdflib_up_to:
        print(
            f"rdflib-endpoint is left out above {options.rdflib_up_to:,} triples: see --rdflib-up-to", file=sys.stderr
        )
        return
    command = [options.rdflib_endpoint, "serve", str(graph), "--host", "127.0.0.1", "--port"]
    yield _started("rdflib-endpoint", command, path="/")


@contextmanager
def _started(name: str, command: list[str], *, path: str, bind: bool = False) -> Iterator[Server]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    last = f"127.0.0.1:{port}" if bind else str(port)
    process = subprocess.Popen([*command, last], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    print(f"starting {name}", file=sys.stderr)
    try:
        _wait(name, port, process)
        yield Server(name, port, path, process.pid)
    finally:
        process.terminate()
        process.wait()


def _wait(name: str, port: int, process: "subprocess.Popen[bytes]", *, timeout_s: float = 900) -> None:
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise SystemExit(f"{name} ended with status {process.returncode} before it listened")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit(f"{name} did not listen within {timeout_s:.0f} s")


def _cpu_s(pid: int) -> float:
    """The processor time of a process and of all below it that live."""
    total, waiting = 0.0, [pid]
    while waiting:
        one = waiting.pop()
        try:
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            for task in Path(f"/proc/{one}/task").iterdir():
                waiting += [int(child) for child in (task / "children").read_text().split()]
        except OSError:
            continue
    return total


if __name__ == "__main__":
    sys.exit(main())
