"""Loads a generation into memory without a trace of RocksDB, whose threads would not survive a fork.

A child reads the disk and writes N-Quads into a pipe; no slower than an iterator of Python objects.
"""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NoReturn

import pyoxigraph as ox

from kg.errors import StoreError
from kg.home import Held, Home, Snapshot
from sparql.guard.answering import Source


@dataclass(frozen=True, slots=True)
class Loaded:
    """A generation, ready for workers: each calls ``open`` after it was forked."""

    number: int
    quads: int
    in_memory: bool
    open: Callable[[], Source]


def load(home: Path, *, union: bool, in_memory_quads: int) -> Loaded:
    """The current generation of ``home``, in memory if it has no more than so many quads. Raises StoreError."""
    held = Home(home).hold()
    if held.directory is None:
        held.close()
        empty = Source(ox.Store())
        return Loaded(held.number, 0, True, lambda: empty)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _dump(held, writer, most=in_memory_quads)
    os.close(writer)
    with open(reader, "rb") as stream:  # noqa: PTH123 - a descriptor, not a path
        header = json.loads(stream.readline() or b"{}")
        in_memory = not header.get("error") and header.get("quads", 0) <= in_memory_quads
        memory = _filled(stream, header.get("graphs", [])) if in_memory else ox.Store()
    _, status = os.waitpid(child, 0)
    if status != 0:
        raise StoreError(header.get("error") or f"{held.directory} cannot be read (status {status})")
    if not in_memory:
        return Loaded(held.number, header["quads"], False, lambda: _on_disk(held, union=union))
    held.close()
    if union:
        _merge(memory)
    if len(os.listdir("/proc/self/task")) > 1:  # noqa: PTH208
        raise StoreError("the graph was loaded by threads that still run: workers cannot be forked")
    source = Source(memory)
    return Loaded(held.number, header["quads"], True, lambda: source)


def _dump(held: Held, writer: int, *, most: int) -> NoReturn:
    with open(writer, "wb") as stream:
        try:
            store = held.snapshot().store
            quads = len(store)
            graphs = [name.value for name in store.named_graphs() if isinstance(name, ox.NamedNode)]
            stream.write(json.dumps({"quads": quads, "graphs": graphs if quads <= most else []}).encode() + b"\n")
            if quads <= most:
                store.dump(stream, ox.RdfFormat.N_QUADS)
        except (StoreError, OSError, ValueError) as error:
            stream.write(json.dumps({"error": str(error)}).encode() + b"\n")
            stream.flush()
            os._exit(1)
    os._exit(0)


def _filled(stream: IO[bytes], graphs: list[str]) -> ox.Store:
    store = ox.Store()
    store.bulk_extend(ox.parse(stream, ox.RdfFormat.N_QUADS))
    for iri in graphs:
        store.add_graph(ox.NamedNode(iri))  # empty ones are not in the quads
    return store


def _merge(store: ox.Store) -> None:
    """Put what is asserted into the default graph too, each triple once.

    A query over a list of graphs sees a triple once a graph, and takes a fifth longer.
    """
    for name in Snapshot(store, number=0, lock=None).asserted_graphs():
        store.update(f"INSERT {{ ?s ?p ?o }} WHERE {{ GRAPH {name} {{ ?s ?p ?o }} }}")


def _on_disk(held: Held, *, union: bool) -> Source:
    """The generation opened by this process; the one that forked it keeps holding it."""
    snapshot = Snapshot(ox.Store.read_only(str(held.directory)), number=held.number, lock=None)
    return Source(snapshot.store, union=[ox.DefaultGraph(), *snapshot.asserted_graphs()] if union else None)
