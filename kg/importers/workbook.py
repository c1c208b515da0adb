"""Imports the published MH-MMKG layout: sub-graphs in workbooks, one folder a topic, with media beside them.

What a name denotes follows ``classes``: names belong to their sub-graph, save topics and shared words. A relation is
looked up by its label in the vocabulary, and minted under the source's own base IRI where it is none of it. A condition
that words one of the vocabulary's conditions makes the conditioned relation, its wording kept in a fact; any other
condition is free text in a fact on the base relation. Media are told by their content, or reported missing.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyoxigraph as ox

from kg.errors import BadTerm, NothingImported
from kg.importer import Job
from kg.importers.cells import column_name
from kg.importers.classes import Names
from kg.importers.conditions import Conditions, same_words
from kg.importers.entities import Entities
from kg.importers.media import MediaFolder
from kg.importers.mmkg_layout import (
    NODE_COLUMNS,
    RELATION_COLUMNS,
    NodeRow,
    RelationRow,
    SubGraph,
    TopicFolder,
    read_sub_graph,
    topic_folders,
)
from kg.importers.node_media import NodeMedia
from kg.importers.statements import Edge, edge_quads
from kg.iri import clean, slug
from kg.literals import text_literal
from ontology import terms
from ontology.files import bundled_quads
from ontology.signatures import Signatures

_CONDITION_IN_LABEL = re.compile(r"^(?P<base>.+?)\s*\(\s*condition\s*:\s*(?P<condition>.+)\)\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WorkbookFolder:
    """The importer of that layout. ``vocabulary`` is the namespace in which relation labels are looked up."""

    vocabulary: str = terms.MHW_NS
    kind: str = field(default="MH-MMKG folder", init=False)

    def recognises(self, path: Path) -> bool:
        """Whether the folder is a topic's with its workbooks, or holds such folders, at once or in ``mmkg/``."""
        return bool(topic_folders(path))

    def files(self, path: Path) -> Iterable[Path]:
        """The workbooks."""
        return [workbook for folder in topic_folders(path) for workbook in folder.workbooks]

    def read(self, job: Job) -> Iterator[ox.Quad]:
        """See :class:`kg.importer.Importer`."""
        return _Reading(job, self.vocabulary).quads()


class _BadCell(Exception):
    """A cell for whose sake the row is rejected; ``column`` counts from 0."""

    def __init__(self, column: int, reason: str) -> None:
        super().__init__(reason)
        self.column = column


class _Reading:
    """One run over a data set: all rows are read first, since one sub-graph's edges say what another's names are."""

    def __init__(self, job: Job, vocabulary: str) -> None:
        self._job = job
        self._report = job.report
        self._vocabulary = vocabulary
        self._relations = job.catalogue.view(vocabulary)
        self._conditions = Conditions(r.condition_label for r in self._relations if r.condition_label)
        self._media = NodeMedia(job, MediaFolder(job.path.resolve()))
        self._names = Names(Signatures.from_quads(bundled_quads()), frozenset())
        self._entities = Entities(job, self._names)
        self._edges: set[Edge] = set()

    def quads(self) -> Iterator[ox.Quad]:
        """All quads of the data set. Raises NothingImported where no row at all can be read."""
        folders = self._topics(topic_folders(self._job.path))
        self._names.topics = frozenset(folders)
        graphs = [
            read_sub_graph(
                topic, folder, root=self._job.path.resolve(), report=self._report, is_relation=self._is_known
            )
            for topic, folder in folders.items()
        ]
        if not any(graph.nodes or graph.relations for graph in graphs):
            raise NothingImported(self._report)
        for graph in graphs:
            self._observe(graph)
        self._names.settle()
        for graph in graphs:
            yield from self._entities.entity(graph.topic, graph.folder.name)[1]
        for graph in graphs:
            self._job.progress(f"{graph.folder.name}: {len(graph.nodes)} names, {len(graph.relations)} edges")
            yield from self._nodes(graph)
            yield from self._edges_of(graph)
        self._entities.count()
        self._report.note(f"{len(self._media.shown)} of {len(self._entities)} entities have media")

    def _topics(self, folders: Iterable[TopicFolder]) -> dict[str, TopicFolder]:
        topics: dict[str, TopicFolder] = {}
        for folder in folders:
            try:
                topic = slug(folder.name)
            except BadTerm as error:
                self._report.reject(folder.name, str(error))
                continue
            if topic in topics:
                self._report.reject(folder.name, f"names the same topic as the folder {topics[topic].name}")
                continue
            topics[topic] = folder
        return topics

    # What names denote

    def _is_known(self, relation: str) -> bool:
        return self._relations.find(_split(relation, "")[0]) is not None

    def _observe(self, graph: SubGraph) -> None:
        for row in graph.relations:
            relation = self._relations.find(_split(row.relation, row.condition)[0])
            signature = self._names.signatures.by_relation.get(relation.iri) if relation else None
            if signature is None:
                continue
            for name, allowed in ((row.head, signature.heads), (row.tail, signature.tails)):
                if clean(name).strip("-_. ") and not self._names.observe(self._names.key(graph.topic, name), allowed):
                    where = f"{graph.relation_file}, row {row.number}"
                    self._report.note(f"{where}: {clean(name)!r} is of another class by what earlier edges say of it")

    # Node.xlsx

    def _nodes(self, graph: SubGraph) -> Iterator[ox.Quad]:
        for row in graph.nodes:
            self._entities.begin()
            try:
                quads = self._node(graph, row)
            except (BadTerm, _BadCell) as error:
                self._entities.take_back()
                index = error.column if isinstance(error, _BadCell) else 0
                column = column_name(index, NODE_COLUMNS[index])
                self._report.reject(graph.node_file, str(error), sheet=graph.node_sheet, row=row.number, column=column)
                continue
            yield from quads

    def _node(self, graph: SubGraph, row: NodeRow) -> list[ox.Quad]:
        if not clean(row.name):
            raise _BadCell(0, "the name is missing")
        entity, quads = self._entities.entity(graph.topic, row.name)
        media = self._media.quads(graph, row, entity)
        shown = list(dict.fromkeys(q.object for q in media if q.predicate == terms.HAS_MEDIA))
        quads.extend(media)
        if row.description.strip():
            items = [item for item in shown if isinstance(item, ox.NamedNode)]
            quads.extend(self._entities.caption(entity, row.description.strip(), describes=items))
        if row.information.strip():
            quads.append(ox.Quad(entity, terms.CONTEXT, text_literal(row.information.strip()), self._job.graph))
        return quads

    # Relations.xlsx

    def _edges_of(self, graph: SubGraph) -> Iterator[ox.Quad]:
        described = {slug(row.name) for row in graph.nodes if clean(row.name).strip("-_. ")}
        for row in graph.relations:
            self._entities.begin()
            try:
                quads = self._edge(graph, row, described)
            except (BadTerm, _BadCell) as error:
                self._entities.take_back()
                index = error.column if isinstance(error, _BadCell) else None
                column = None if index is None else column_name(index, RELATION_COLUMNS[index])
                self._report.reject(
                    graph.relation_file, str(error), sheet=graph.relation_sheet, row=row.number, column=column
                )
                continue
            yield from quads

    def _edge(self, graph: SubGraph, row: RelationRow, described: set[str]) -> list[ox.Quad]:
        for index, value in ((0, row.head), (1, row.relation), (4, row.tail)):
            if not clean(value):
                raise _BadCell(index, f"the {RELATION_COLUMNS[index]} is missing")
        head, quads = self._end(graph, row.head, 0)
        tail, more = self._end(graph, row.tail, 4)
        relation, text = self._relation(graph, row)
        edge = Edge(head, relation, tail, condition_text=text, information=row.information.strip())
        if edge in self._edges:
            self._report.note(f"{graph.relation_file}, row {row.number}: repeats an earlier row")
        self._edges.add(edge)
        self._note_undescribed(graph, row, described)
        said = edge_quads(edge, graph=self._job.graph, facts=self._job.facts, base_iri=self._job.base_iri)
        return [*quads, *more, *said]

    def _end(self, graph: SubGraph, name: str, column: int) -> tuple[ox.NamedNode, list[ox.Quad]]:
        try:
            return self._entities.entity(graph.topic, name)
        except BadTerm as error:
            raise _BadCell(column, str(error)) from error

    def _relation(self, graph: SubGraph, row: RelationRow) -> tuple[ox.NamedNode, str]:
        """The relation of a row, and the free text of its condition that the relation does not say."""
        base, text = _split(row.relation, row.condition)
        namespace = self._vocabulary if self._is_known(base) else self._job.relations
        subjects = (graph.folder.name, clean(row.head), "monster")
        label = self._conditions.find(text, subjects=subjects) if text else None
        relation = self._job.catalogue.relation(base, label, namespace=namespace)
        return relation, "" if label is not None and same_words(text, label) else text

    def _note_undescribed(self, graph: SubGraph, row: RelationRow, described: set[str]) -> None:
        for name in (row.head, row.tail):
            place = self._entities.place(graph.topic, name)
            if not place.topic and not place.shared and place.key[1] not in described:
                self._report.note(f"{graph.relation_file}: {clean(name)!r} has no row in Node.xlsx")


def _split(relation: str, condition: str) -> tuple[str, str]:
    """The base label and the condition's text of a row, where the label itself may hold the condition.

    >>> _split("cause (condition: is angry)", "")
    ('cause', 'is angry')
    """
    label, text = clean(relation), condition.strip()
    found = _CONDITION_IN_LABEL.match(label)
    if found is None or text:
        return label, text
    return found["base"], found["condition"].strip()
