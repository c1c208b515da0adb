"""How much hostile queries slow a normal one down, measured in one run.

    python -m benchmarks.hostile [--seconds S] [--rounds N] [--home PATH]

One thread asks for the neighbourhood of one entity after the other, through a pool of guarded workers, by turns alone
and while four threads send hostile queries without pause, each the next as soon as the last was ended.
Prints the medians and the 95th percentiles in milliseconds, their ratio, and what a round trip costs beyond the query.
"""

import argparse
import itertools
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyoxigraph as ox

from benchmarks.bundled_graph import table
from kg.bundled import ensure_bundled
from kg.home import Home
from sparql.errors import GuardError, LimitExceeded
from sparql.graph import neighbourhood_query
from sparql.guard.pool import WorkerPool
from sparql.guard.requests import QueryRequest

CROSS = "?a ?b ?c . ?d ?e ?f . ?g ?h ?i ."
HOSTILE = (
    f"SELECT (COUNT(*) AS ?n) {{ {CROSS} }}",
    f"SELECT * {{ {CROSS} }} ORDER BY ?c ?f ?i",
    "SELECT (COUNT(*) AS ?n) { ?a (!rdf:nil|!^rdf:nil)+ ?b . ?c (!rdf:nil)* ?d }",
    "ASK { " + "".join(f"?v{i} ?p{i} ?v{i + 1} . " for i in range(1000)) + "}",
)
ENTITIES = "SELECT DISTINCT ?s { ?s ?r ?o . ?r sf:baseRelation ?b } ORDER BY ?s LIMIT 500"


def main() -> None:
    """Measure and print."""
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        home = options.home or Path(folder)
        if options.home is None:
            ensure_bundled(Home(home))
        with WorkerPool(home) as pool:
            _measure(pool, Home(home), seconds=options.seconds, rounds=options.rounds)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=float, default=5, metavar="S", help="for each phase")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="of both phases, since machines have moods")
    parser.add_argument("--home", type=Path, help="a home to ask instead of the bundled graph")
    return parser.parse_args()


def _measure(pool: WorkerPool, home: Home, *, seconds: float, rounds: int) -> None:
    answer = pool.query(QueryRequest(ENTITIES, solutions_type="text/csv"))
    queries = [neighbourhood_query([ox.NamedNode(iri)]) for iri in answer.body.decode().split()[1:]]
    quiet, attacked, ends = list[float](), list[float](), Counter[str]()
    for _ in range(rounds):
        quiet += _latencies(pool, queries, seconds=seconds)
        with _attacked(pool, ends):
            time.sleep(0.5)
            attacked += _latencies(pool, queries, seconds=seconds)
    rows = [
        [name, str(len(times)), f"{_p50(times):.3f}", f"{_p95(times):.3f}", f"{max(times):.1f}"]
        for name, times in (("quiet", quiet), ("four hostile", attacked))
    ]
    print(f"{len(home.reader())} triples\n")
    print(table(["", "queries", "p50 ms", "p95 ms", "max ms"], rows))
    print(f"\np95 while attacked / p95 quiet: {_p95(attacked) / _p95(quiet):.2f}")
    print(f"hostile queries ended by: {dict(ends)}")
    _print_overhead(pool)


def _latencies(pool: WorkerPool, queries: list[str], *, seconds: float) -> list[float]:
    """Milliseconds of each query, for so long."""
    times = []
    end = time.monotonic() + seconds
    for query in itertools.cycle(queries):
        began = time.perf_counter()
        pool.query(QueryRequest(query))
        times.append(1e3 * (time.perf_counter() - began))
        if time.monotonic() > end:
            return times
    raise SystemExit("the graph has no entity with a relation: nothing to measure")


@contextmanager
def _attacked(pool: WorkerPool, ends: Counter[str]) -> Iterator[None]:
    """Four threads that send hostile queries until the block ends."""
    over = threading.Event()

    def attack(query: str) -> None:
        while not over.is_set():
            try:
                pool.query(QueryRequest(query))
                ends["answered"] += 1
            except LimitExceeded as error:
                ends[error.limit] += 1
            except GuardError as error:
                ends[type(error).__name__] += 1

    threads = [threading.Thread(target=attack, args=(query,)) for query in HOSTILE]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def _print_overhead(pool: WorkerPool) -> None:
    """A query that costs nothing: in this process, and through the pool."""
    store = ox.Store()
    direct = _median_ms(lambda: store.query("ASK {}").serialize(format=ox.QueryResultsFormat.JSON))  # type: ignore[arg-type]
    through = _median_ms(lambda: pool.query(QueryRequest("ASK {}")))
    print(f"round trip: {through:.3f} ms, of which {direct:.3f} ms are the query itself")


def _median_ms(run: Callable[[], object]) -> float:
    times = []
    for _ in range(2000):
        began = time.perf_counter()
        run()
        times.append(1e3 * (time.perf_counter() - began))
    return statistics.median(times)


def _p50(times: list[float]) -> float:
    return statistics.median(times)


def _p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


if __name__ == "__main__":
    main()
