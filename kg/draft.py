"""A generation in the making: a store that may be changed, and that nobody else sees yet."""

import shutil
from collections.abc import Iterable, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import IO

import pyoxigraph as ox

from kg.errors import StoreError
from kg.store import Row, Term

# Removing a graph is one transaction, 50 µs a quad, where bulk loading what stays takes 10 µs: measured at 1 M quads.
_FEW_QUADS = 20_000
_REMOVAL_COST = 5


class Draft:
    """The store of a new generation, filled with hard links to the generation at ``before``.

    The store itself is kept from sight, so that it is closed for certain when the generation is published.
    """

    def __init__(self, directory: Path, *, before: Path | None) -> None:
        self._directory = directory
        if before is not None:
            ox.Store.read_only(str(before)).backup(str(directory))
        self._store: ox.Store | None = ox.Store(str(directory))

    def __len__(self) -> int:
        return len(self._open)

    def add(self, quads: Iterable[ox.Quad]) -> None:
        """Add quads, however many; what their iterator raises is raised here."""
        iterator = iter(quads)
        first = list(islice(iterator, _FEW_QUADS))
        if len(first) < _FEW_QUADS:
            self._open.extend(first)  # a bulk load writes a dozen files, however few the quads
        else:
            self._open.bulk_extend(chain(first, iterator))

    def load(self, source: Path | IO[bytes], syntax: ox.RdfFormat, *, base_iri: str, graph: ox.NamedNode) -> None:
        """Add the triples of an RDF document to ``graph``, with its blank nodes renamed. Raises SyntaxError, OSError.

        Graph names inside the document, in the syntaxes that have them, are kept: see kg.rdf_files.
        """
        if isinstance(source, Path):
            self._open.bulk_load(path=str(source), format=syntax, base_iri=base_iri, to_graph=graph)
        else:
            self._open.bulk_load(source, syntax, base_iri=base_iri, to_graph=graph)

    def quads(
        self,
        subject: ox.NamedNode | ox.BlankNode | ox.Triple | None = None,
        predicate: ox.NamedNode | None = None,
        value: Term | None = None,
        *,
        graph: ox.NamedNode | None = None,
    ) -> list[ox.Quad]:
        """The quads of a pattern, in which None stands for anything."""
        return list(self._open.quads_for_pattern(subject, predicate, value, graph))

    def first(self, predicate: ox.NamedNode, *, graph: ox.NamedNode) -> ox.Quad | None:
        """A quad with this predicate; the index puts objects that are IRIs first, so it has one if any quad has."""
        return next(self._open.quads_for_pattern(None, predicate, None, graph), None)

    def select(self, query: str) -> list[Row]:
        """The solutions of a SELECT over the union of all graphs."""
        solutions = self._open.query(query, use_default_graph_as_union=True)
        if not isinstance(solutions, ox.QuerySolutions):
            raise StoreError("select() takes a SELECT query")
        names = [variable.value for variable in solutions.variables]
        return [
            {name: value for name, value in zip(names, solution, strict=True) if value is not None}
            for solution in solutions
        ]

    def count(self, graph: ox.NamedNode) -> int:
        """How many triples a graph holds."""
        row = self.select(f"SELECT (COUNT(*) AS ?n) WHERE {{ GRAPH {graph} {{ ?s ?p ?o }} }}")[0]
        return int(getattr(row["n"], "value", 0))

    def remove(self, quads: Iterable[ox.Quad]) -> None:
        """Remove single quads."""
        for quad in quads:
            self._open.remove(quad)

    def remove_graphs(self, graphs: Iterable[ox.NamedNode]) -> None:
        """Remove these graphs; large ones by building the store anew from what stays."""
        doomed = {graph for graph in graphs if self._open.contains_named_graph(graph)}
        removed = sum(self.count(graph) for graph in doomed)
        if removed > _FEW_QUADS and removed * _REMOVAL_COST > len(self) - removed:
            self._rebuild_without(doomed)
            return
        for graph in doomed:
            self._open.remove_graph(graph)

    def holds(self, graph: ox.NamedNode) -> bool:
        """Whether there is a graph of this name, with triples or without."""
        return self._open.contains_named_graph(graph)

    def empty(self, graph: ox.NamedNode | ox.DefaultGraph) -> None:
        """Leave the graph without triples, but there."""
        if isinstance(graph, ox.NamedNode):
            self.remove_graphs([graph])
            self._open.add_graph(graph)
        else:
            self._open.clear_graph(graph)

    def update(self, text: str, *, base_iri: str | None, prefixes: Mapping[str, str]) -> None:
        """Run a SPARQL update, whole or not at all. Raises SyntaxError, ValueError, OSError, RuntimeError.

        Whoever did not write it themselves must bound it, as sparql.guard does.
        """
        self._open.update(text, base_iri=base_iri, prefixes=dict(prefixes))

    def publishable(self) -> Path:
        """Write everything to disk, close the store and return its directory."""
        self._open.flush()
        self._store = None
        return self._directory

    def discard(self) -> None:
        """Close the store and delete it."""
        self._store = None
        shutil.rmtree(self._directory, ignore_errors=True)

    @property
    def _open(self) -> ox.Store:
        if self._store is None:
            raise StoreError("this draft is finished: begin another write")
        return self._store

    def _rebuild_without(self, doomed: set[ox.NamedNode]) -> None:
        old, directory = self._directory, self._directory.with_suffix(".rebuilt")
        rebuilt = ox.Store(str(directory))
        rebuilt.bulk_extend(quad for quad in self._open if quad.graph_name not in doomed)
        self._store, self._directory = rebuilt, directory
        shutil.rmtree(old)
