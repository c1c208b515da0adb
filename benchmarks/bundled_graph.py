"""The bundled graph, loaded as a reader's copy in memory, for the benchmarks to measure on; and how they take time."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import pyoxigraph as ox

from kg.bundled import ensure_bundled
from kg.home import Home
from kg.store import EmbeddedStore

DOMAIN_FILE = Path("kg/mhw/domain.toml")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BundledGraph:
    """The asserted triples, without duplicates, and a store that holds them."""

    store: EmbeddedStore
    triples: list[ox.Triple]


def load_bundled_graph() -> BundledGraph:
    """Imports the bundled data set into a home that is thrown away, and reads it as agents do."""
    with TemporaryDirectory() as folder:
        home = Home(Path(folder))
        ensure_bundled(home)
        with home.snapshot() as snapshot:
            quads = list(snapshot.asserted_quads())
    triples = dict.fromkeys(ox.Triple(q.subject, q.predicate, q.object) for q in quads)
    return BundledGraph(EmbeddedStore.from_quads(quads), list(triples))


def least_seconds(ask: Callable[[], object], *, repeats: int) -> float:
    """The shortest of ``repeats`` runs: what the work takes when nothing else disturbs it."""
    spent = []
    for _ in range(repeats):
        started = time.perf_counter()
        ask()
        spent.append(time.perf_counter() - started)
    return min(spent)


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table, its columns aligned: the first to the left, the others to the right."""
    lines = [list(header), *(list(row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    shown = [
        [line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))]
        for line in (lines[0], rule, *lines[1:])
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in shown)
