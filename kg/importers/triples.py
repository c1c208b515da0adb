"""Imports tables of triples (head, relation, tail), with files of labels beside them where there are any.

Heads and tails are identifiers of entities, which are minted under the base IRI letter by letter; identity is the
identifier, and two entities may share a label. Relations are minted under the base IRI too, by their identifier where a
file labels them, else by the label that they are. MarKG's five files are such a folder.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import pyoxigraph as ox

from kg.errors import BadTerm, ImportFailed
from kg.importer import Job
from kg.importers.columns import ROLES, Columns, is_iri
from kg.importers.labels import read_labels
from kg.importers.segments import segment
from kg.importers.statements import entity_quads
from kg.importers.tables import TableRow, open_table
from kg.iri import last_part, parse_iri
from kg.literals import text_literal
from ontology import terms
from ontology.naming import is_name, local_name

_TABLES = {".csv", ".tsv", ".tab", ".txt"}
_SHOWN = 10

# What the files of a folder are called, without their suffix.
TRIPLES = ("wiki_tuple_ids", "triples")
LABEL_FILES = {
    "entity_labels": ("entity2text", "entities", "entity_labels"),
    "entity_texts": ("entity2textlong", "entity_descriptions"),
    "relation_labels": ("relation2text", "relations", "relation_labels"),
    "relation_texts": ("relation2textlong", "relation_descriptions"),
}


@dataclass(frozen=True, slots=True)
class TripleTable:
    """The importer of one file of triples."""

    kind: str = field(default="table of triples", init=False)

    def recognises(self, path: Path) -> bool:
        """Whether the file is called as a table is, and its first rows have three columns."""
        return path.suffix.lower() in _TABLES and path.is_file() and open_table(path, len(ROLES)) is not None

    def files(self, path: Path) -> Iterable[Path]:
        """The file."""
        return [path]

    def read(self, job: Job) -> Iterator[ox.Quad]:
        """See :class:`kg.importer.Importer`."""
        return _Reading(job, job.path, {}).quads()


@dataclass(frozen=True, slots=True)
class TripleFolder:
    """The importer of a folder with a file of triples and files of labels, such as MarKG's."""

    kind: str = field(default="folder of triples and labels", init=False)

    def recognises(self, path: Path) -> bool:
        """Whether the folder holds a file of triples under one of the names of ``TRIPLES``."""
        return path.is_dir() and _named(path, TRIPLES) is not None

    def files(self, path: Path) -> Iterable[Path]:
        """The triples and the labels."""
        found = (_named(path, names) for names in (TRIPLES, *LABEL_FILES.values()))
        return [file for file in found if file is not None]

    def read(self, job: Job) -> Iterator[ox.Quad]:
        """See :class:`kg.importer.Importer`."""
        triples = _named(job.path, TRIPLES)
        if triples is None:
            raise ImportFailed(f"{job.path.name} holds no file of triples")
        labels = {role: file for role, names in LABEL_FILES.items() if (file := _named(job.path, names)) is not None}
        return _Reading(job, triples, labels).quads()


class _BadCell(Exception):
    """A cell for whose sake the row is rejected."""

    def __init__(self, role: str, reason: str) -> None:
        super().__init__(reason)
        self.role = role


class _Reading:
    """One run: labels are read whole, triples one row at a time."""

    def __init__(self, job: Job, triples: Path, label_files: dict[str, Path]) -> None:
        self._job = job
        self._report = job.report
        self._path = triples
        self._labels = {role: read_labels(file, self._report) for role, file in label_files.items()}
        self._entities: dict[str, ox.NamedNode] = {}
        self._relations: dict[str, ox.NamedNode] = {}
        self._columns = Columns((0, 1, 2), (False, False, False))
        self._seen: set[int] = set()
        self._repeated: list[int] = []

    def quads(self) -> Iterator[ox.Quad]:
        """All quads. Raises ImportFailed where the file is no table of three columns."""
        table = open_table(self._path, len(ROLES))
        if table is None:
            raise ImportFailed(f"{self._path.name} has no three columns, by tab, comma, semicolon or bar")
        self._columns = self._study(table.sample())
        for row in table.rows(self._reject_line):
            if row.line == self._columns.header:
                continue
            self._report.rows_read += 1
            try:
                quads = self._triple(row)
            except (BadTerm, _BadCell) as error:
                column = error.role if isinstance(error, _BadCell) else None
                self._report.reject(self._path.name, str(error), row=row.line, column=column)
                continue
            yield from quads
        yield from self._unconnected()
        self._conclude()

    def _study(self, sample: list[TableRow]) -> Columns:
        columns = Columns.study(sample)
        if columns.header is None and any(len(row.cells) > len(ROLES) for row in sample):
            self._report.note(f"{self._path.name}: columns beyond the third were not read")
        iris = [role for role, are_iris in zip(ROLES, columns.are_iris, strict=True) if are_iris]
        if iris:
            self._report.note(f"{self._path.name}: read as IRIs, since they all are: {', '.join(iris)}")
        return columns

    def _triple(self, row: TableRow) -> list[ox.Quad]:
        if len(row.cells) <= max(self._columns.places):
            raise BadTerm(f"the row has {len(row.cells)} columns, too few for {', '.join(ROLES)}")
        cells = self._columns.cells(row)
        for role, cell in zip(ROLES, cells, strict=True):
            if not cell:
                raise _BadCell(role, f"the {role} is missing")
        # All three are made before one is declared, so that a rejected row leaves nothing behind.
        head, tail = self._entity_iri(cells[0], 0), self._entity_iri(cells[2], 2)
        relation, quads = self._relation(cells[1])
        for cell, iri, column in ((cells[0], head, 0), (cells[2], tail, 2)):
            quads.extend(self._declared(cell, iri, column, where=f"{self._path.name}, row {row.line}"))
        key = hash((head.value, relation.value, tail.value))
        if key in self._seen:
            self._repeated.append(row.line)
        self._seen.add(key)
        quads.append(ox.Quad(head, relation, tail, self._job.graph))
        return quads

    def _declared(self, cell: str, iri: ox.NamedNode, column: int, *, where: str) -> Iterator[ox.Quad]:
        """What describes the entity with an identifier, where it is met for the first time."""
        if cell in self._entities:
            return
        self._entities[cell] = iri
        self._report.entities += 1
        names = self._texts("entity_labels", cell) or [last_part(iri.value) if self._columns.are_iris[column] else cell]
        if not iri.value.endswith(cell.strip("<>")):
            self._report.encoded.append(f"{where}: {cell!r} became <{iri.value}>")
        yield from entity_quads(
            iri,
            names[0],
            graph=self._job.graph,
            classes=(terms.ENTITY,),
            alternatives=names[1:],
            contexts=self._texts("entity_texts", cell),
        )

    def _entity_iri(self, cell: str, column: int) -> ox.NamedNode:
        known = self._entities.get(cell)
        if known is not None:
            return known
        if not self._columns.are_iris[column]:
            return parse_iri(self._job.base_iri + segment(cell)).iri
        if not is_iri(cell):
            raise _BadCell(ROLES[column], f"{cell!r} is no IRI, as the other cells of its column are")
        return parse_iri(cell.strip("<>")).iri

    def _relation(self, cell: str) -> tuple[ox.NamedNode, list[ox.Quad]]:
        """The relation that a cell names: by its IRI, by an identifier where a file labels those, else by its label."""
        known = self._relations.get(cell)
        if known is not None:
            return known, []
        names = self._texts("relation_labels", cell)
        base: str | ox.NamedNode = cell
        if self._columns.are_iris[1]:
            base = self._entity_iri(cell, 1)
        elif "relation_labels" in self._labels:
            # RDF/XML writes a predicate as an XML name, so an identifier that is none gets one of its own.
            base = ox.NamedNode(self._job.relations + (cell if is_name(cell) else local_name(cell)))
        label = names[0] if names else None if self._columns.are_iris[1] else cell
        iri = self._job.catalogue.relation(base, namespace=self._job.relations, label=label)
        self._relations[cell] = iri
        texts = self._texts("relation_texts", cell)
        return iri, [ox.Quad(iri, terms.RDFS_COMMENT, text_literal(text), self._job.graph) for text in texts]

    def _texts(self, role: str, identifier: str) -> list[str]:
        labels = self._labels.get(role)
        return labels.texts(identifier) if labels is not None else []

    def _unconnected(self) -> Iterator[ox.Quad]:
        """The entities that are described and stand in no triple."""
        files = [self._labels[role] for role in ("entity_labels", "entity_texts") if role in self._labels]
        alone = [key for key in dict.fromkeys(chain.from_iterable(files)) if key not in self._entities]
        self._note(f"described, but in no triple ({len(alone)})", alone)
        for identifier in alone:
            try:
                iri = self._entity_iri(identifier, 0)
            except (BadTerm, _BadCell) as error:
                self._report.reject(files[0].file, str(error))
                continue
            yield from self._declared(identifier, iri, 0, where=files[0].file)

    def _conclude(self) -> None:
        for role, known in (("entity_labels", self._entities), ("relation_labels", self._relations)):
            if role in self._labels:
                dangling = [key for key in known if not self._texts(role, key)]
                unused = [key for key in self._labels[role] if key not in known]
                self._note(f"in a triple, but without a label in {self._labels[role].file} ({len(dangling)})", dangling)
                self._note(f"in {self._labels[role].file}, but in no triple ({len(unused)})", unused)
        self._note(
            f"rows that repeat an earlier triple ({len(self._repeated)})", [str(line) for line in self._repeated]
        )

    def _note(self, what: str, items: list[str]) -> None:
        if items:
            more = ", ..." if len(items) > _SHOWN else ""
            self._report.note(f"{self._path.name}: {what}: {', '.join(items[:_SHOWN])}{more}")

    def _reject_line(self, line: int, reason: str) -> None:
        self._report.rows_read += 1
        self._report.reject(self._path.name, reason, row=line)


def _named(folder: Path, stems: Iterable[str]) -> Path | None:
    """The table in a folder that has the first of these names."""
    files = {
        file.name.casefold(): file for file in folder.iterdir() if file.is_file() and not file.name.startswith(".")
    }
    names = (f"{stem}{suffix}" for stem in stems for suffix in sorted(_TABLES))
    return next((files[name] for name in names if name in files), None)
