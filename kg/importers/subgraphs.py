"""Reads a folder of sub-graphs written by hand in TOML, one file a topic entity, beside a ``dataset.toml``.

A name in an edge is looked up in its own sub-graph first (the topic, its rows, their alternative names), then among the
shared things, then among the topics of the other files. Identity is the IRI: the same name in two sub-graphs is two
entities. It knows no domain: which table holds what is said in ``dataset.toml``.
"""

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pyoxigraph as ox

from kg.errors import BadTerm
from kg.importer import Job
from kg.importers.dataset import FILE_NAME, Dataset, Table, read_dataset
from kg.importers.statements import Edge, caption_iri, caption_quads, edge_quads, entity_quads
from kg.iri import DATA_NS, clean, mint, slug
from ontology import terms

_ROW_KEYS = {"name", "alt", "caption", "context"}
_EDGE_KEYS = {"head", "relation", "tail", "condition", "when", "information"}
_EDGES = "relations"
_NO_SUBGRAPHS = {FILE_NAME, "domain.toml", "examples.toml", "queries.toml"}
"""Files of the folder that describe no topic entity: others are what agents are told of it, and questions to try."""


class SubgraphFolder:
    """The importer of such folders."""

    kind = "sub-graphs in TOML"

    def recognises(self, path: Path) -> bool:
        """Whether the folder holds a ``dataset.toml``."""
        return (path / FILE_NAME).is_file()

    def files(self, path: Path) -> Iterable[Path]:
        """The TOML files of the folder, ``dataset.toml`` among them, by name."""
        return sorted(file for file in path.glob("*.toml") if not file.name.startswith((".", "~")))

    def read(self, job: Job) -> Iterator[ox.Quad]:
        """See :class:`kg.importer.Importer`."""
        dataset = read_dataset(job.path)
        if job.base_iri != f"{DATA_NS}{job.slug}/":  # a user's own base IRI goes before the data set's
            dataset = replace(dataset, base_iri=job.base_iri)
        job.report.base_iri = dataset.base_iri
        files = [file for path in self.files(job.path) if path.name not in _NO_SUBGRAPHS for file in _parsed(path, job)]
        reading = _Reading(job, dataset)
        yield from dataset.quads(job.graph)
        for file in files:
            yield from reading.shared(file)
        for file in files:
            yield from reading.topic(file)
        for file in files:
            yield from reading.own(file)
        for file in files:
            yield from reading.edges(file)


class _BadRow(Exception):
    """A row that cannot be imported; ``column`` is the key at fault."""

    def __init__(self, reason: str, column: str | None = None) -> None:
        super().__init__(reason)
        self.column = column


@dataclass(slots=True)
class _Names:
    """Labels and alternative names of one scope; a label wins over an alternative name."""

    labels: dict[str, ox.NamedNode] = field(default_factory=dict)
    alternatives: dict[str, ox.NamedNode] = field(default_factory=dict)

    def add(self, iri: ox.NamedNode, label: str, alternatives: Iterable[str]) -> list[str]:
        """Make the names known; returns the alternative names that already stand for something else."""
        self.labels[_key(label)] = iri
        return [text for text in alternatives if self.alternatives.setdefault(_key(text), iri) != iri]

    def find(self, name: str) -> ox.NamedNode | None:
        return self.labels.get(_key(name)) or self.alternatives.get(_key(name))


@dataclass(slots=True)
class _File:
    """One parsed file; ``topic`` is set when its topic entity has been read, ``names`` are those of its sub-graph."""

    name: str
    tables: dict[str, object]
    topic: str | None = None
    names: _Names = field(default_factory=_Names)


class _Reading:
    """One run over the files of a folder, in passes: names must be known before the edges that use them."""

    def __init__(self, job: Job, dataset: Dataset) -> None:
        self._job = job
        self._dataset = dataset
        self._report = job.report
        self._catalogue = job.catalogue.view(dataset.namespace)
        self._shared = _Names()
        self._topics = _Names()
        self._minted: dict[ox.NamedNode, str] = {}

    def shared(self, file: _File) -> Iterator[ox.Quad]:
        """The rows that belong to the data set; also looks for tables that nobody declared."""
        known = {table.name for table in self._dataset.tables} | {_EDGES}
        for name in file.tables:
            if name not in known:
                self._report.reject(file.name, f"the table [{name}] is not declared in {FILE_NAME}", sheet=name)
        for table in self._dataset.shared:
            yield from self._rows(file, table, (table.name,), self._shared)

    def topic(self, file: _File) -> Iterator[ox.Quad]:
        """The topic entity of the file, where it has one."""
        table = self._dataset.topic
        if table is None or table.name not in file.tables:
            return
        row = file.tables[table.name]
        if not isinstance(row, dict):
            self._report.reject(file.name, f"write one [{table.name}], not several", sheet=table.name)
            return
        file.tables[table.name] = [row]
        yield from self._rows(file, table, (), self._topics)

    def own(self, file: _File) -> Iterator[ox.Quad]:
        """The rows that belong to the file's topic entity."""
        for table in self._dataset.own:
            if table.name in file.tables and file.topic is None:
                self._report.reject(
                    file.name, "the file has no topic entity that its rows could belong to", sheet=table.name
                )
            elif file.topic is not None:
                yield from self._rows(file, table, (file.topic,), file.names)

    def edges(self, file: _File) -> Iterator[ox.Quad]:
        """The edges of the file; one that cannot be read is reported and the next one is read."""
        relations = file.tables.get(_EDGES, {})
        edges = relations.get("edges", []) if isinstance(relations, dict) else None
        if not isinstance(edges, list):
            self._report.reject(file.name, "write [relations] with edges = [ ... ]", sheet=_EDGES)
            return
        for number, row in enumerate(edges, start=1):
            self._report.rows_read += 1
            try:
                edge = self._edge(file, _checked(row, _EDGE_KEYS))
                quads = list(self._edge_quads(edge))
            except (_BadRow, BadTerm) as error:
                column = error.column if isinstance(error, _BadRow) else None
                self._report.reject(file.name, str(error), sheet=_EDGES, row=number, column=column)
                continue
            yield from quads

    def _rows(self, file: _File, table: Table, scope: Sequence[str], names: _Names) -> Iterator[ox.Quad]:
        rows = file.tables.get(table.name, [])
        if not isinstance(rows, list):
            self._report.reject(file.name, f"write [[{table.name}]], a list of tables", sheet=table.name)
            return
        for number, row in enumerate(rows, start=1):
            self._report.rows_read += 1
            try:
                quads = self._entity(file, table, _checked(row, _ROW_KEYS), scope=scope, names=names)
            except (_BadRow, BadTerm) as error:
                column = error.column if isinstance(error, _BadRow) else "name"
                self._report.reject(file.name, str(error), sheet=table.name, row=number, column=column)
                continue
            yield from quads

    def _entity(
        self, file: _File, table: Table, row: dict[str, object], *, scope: Sequence[str], names: _Names
    ) -> list[ox.Quad]:
        label = clean(_text(row, "name", required=True))
        alternatives = [clean(text) for text in _texts(row, "alt")]
        minted = mint(self._dataset.base_iri, *scope, label)
        if minted.iri in self._minted:
            raise _BadRow(f"{label!r} has the same IRI as {self._minted[minted.iri]}: {minted.iri.value}", "name")
        quads = list(self._entity_quads(minted.iri, table, row, label=label, alternatives=alternatives))
        where = f"{file.name}, {table.name} {label!r}"
        self._minted[minted.iri] = where
        if row.get("caption"):
            self._minted[caption_iri(minted.iri)] = f"the caption of {where}"
        self._report.entities += 1
        if minted.encoded:
            self._report.encoded.append(f"{where} became <{minted.iri.value}>")
        if table.topic:
            file.topic = label
            file.names.add(minted.iri, label, alternatives)
        for text in names.add(minted.iri, label, alternatives):
            self._report.note(f"{where}: the alternative name {text!r} already stands for another entity")
        return quads

    def _entity_quads(
        self, iri: ox.NamedNode, table: Table, row: dict[str, object], *, label: str, alternatives: list[str]
    ) -> Iterator[ox.Quad]:
        language, context, caption = self._dataset.language, _text(row, "context"), _text(row, "caption")
        yield from entity_quads(
            iri,
            label,
            graph=self._job.graph,
            classes=(table.entity_class, terms.TOPIC_ENTITY) if table.topic else (table.entity_class,),
            alternatives=alternatives,
            contexts=(context,) if context else (),
            language=language,
        )
        if caption:
            # Nothing in such a folder says who wrote a caption, so it is neither a person's nor a model's.
            yield from caption_quads(
                iri, caption, graph=self._job.graph, caption_class=terms.CAPTION_CLASS, language=language
            )

    def _edge(self, file: _File, row: dict[str, object]) -> Edge:
        condition = clean(_text(row, "condition")) or None
        label = clean(_text(row, "relation", required=True))
        if self._dataset.closed and self._catalogue.find(label) is None:
            raise _BadRow(f"the catalogue holds no relation {label!r}", "relation")
        head, tail = self._end(file, row, "head"), self._end(file, row, "tail")
        relation = self._job.catalogue.relation(label, condition, namespace=self._dataset.namespace)
        return Edge(head, relation, tail, condition_text=_text(row, "when"), information=_text(row, "information"))

    def _edge_quads(self, edge: Edge) -> Iterator[ox.Quad]:
        return edge_quads(
            edge,
            graph=self._job.graph,
            facts=self._job.facts,
            base_iri=self._dataset.base_iri,
            language=self._dataset.language,
        )

    def _end(self, file: _File, row: dict[str, object], key: str) -> ox.NamedNode:
        name = _text(row, key, required=True)
        for names in (file.names, self._shared, self._topics):
            if found := names.find(name):
                return found
        raise _BadRow(f"nothing is called {name!r} in this sub-graph, among what is shared or among the topics", key)


def _parsed(path: Path, job: Job) -> Iterator[_File]:
    """The file as its tables, or nothing where it is not TOML (which is reported)."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        job.report.reject(path.name, f"the file is not readable as TOML: {error}")
        return
    yield _File(path.name, tables)


def _checked(row: object, keys: set[str]) -> dict[str, object]:
    if not isinstance(row, dict):
        raise _BadRow("a row must be a table of keys and values")
    unknown = sorted(set(row) - keys)
    if unknown:
        raise _BadRow(f"unknown key (known are {', '.join(sorted(keys))})", unknown[0])
    return row


def _text(row: dict[str, object], key: str, *, required: bool = False) -> str:
    value = row.get(key, "")
    if not isinstance(value, str):
        raise _BadRow("must be a text", key)
    if required and not clean(value):
        raise _BadRow("is missing or empty", key)
    return value.strip()


def _texts(row: dict[str, object], key: str) -> list[str]:
    values = row.get(key, [])
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise _BadRow("must be a list of texts", key)
    return [value for value in values if clean(value)]


def _key(name: str) -> str:
    return slug(name) if clean(name).strip("-.") else ""
