"""
Imports JSON, JSON Lines and CSV by a mapping (see kg.importers.mapping_spec): nothing here knows what they are about.

Entities are made first, then triples between them, so that one which leads to what no record is can be told. Their
IRIs are made of fields as slugs; two records that would have one IRI and differ in these fields are told, too. What is
wrong is told with its file, its place among the records and its field, and the rest goes on.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

import pyoxigraph as ox

from kg.errors import BadTerm, ImportFailed
from kg.importer import Job
from kg.importers.mapping_media import MappedMedia
from kg.importers.mapping_spec import EntityRule, GraphMapping, RelationRule, read_mapping
from kg.importers.records import Record, Value, fill, iterate, lookup, read_records
from kg.importers.statements import Edge, caption_quads, edge_quads, entity_quads
from kg.iri import clean, parse_iri, slug
from kg.literals import text_literal
from ontology import terms
from ontology.naming import local_name

OWL_CLASS = terms.term("owl:Class")


@dataclass(frozen=True, slots=True)
class MappedSource:
    """The importer of files that ``mapping`` describes."""

    mapping: Path
    kind: str = field(default="records by a mapping", init=False)

    def recognises(self, path: Path) -> bool:
        """Whether the files that the mapping names are there."""
        return all(file.is_file() for file in self._named(path))

    def files(self, path: Path) -> Iterable[Path]:
        """The mapping's files below a folder, or the one file that the source is."""
        return sorted(set(self._named(path)))

    def read(self, job: Job) -> Iterator[ox.Quad]:
        """See :class:`kg.importer.Importer`."""
        mapping = read_mapping(self.mapping)
        for file in self.files(job.path):
            if not file.is_file():
                raise ImportFailed(f"{file} is not there, which the mapping {self.mapping.name} names")
        yield from _Reading(job, mapping).quads()

    def _named(self, path: Path) -> list[Path]:
        mapping = read_mapping(self.mapping)
        names = {rule.file for rule in mapping.entities} | {rule.file for rule in mapping.relations}
        return [path] if path.is_file() else [path / name for name in names]


class _Reading:
    """One run: entities, then triples."""

    def __init__(self, job: Job, mapping: GraphMapping) -> None:
        self._job, self._mapping = job, mapping
        self._values: dict[str, Value] = {}
        self._minted: dict[ox.NamedNode, str] = {}
        self._classes: dict[str, ox.NamedNode] = {}

    @cached_property
    def _media(self) -> MappedMedia:
        return MappedMedia(self._job)

    def quads(self) -> Iterator[ox.Quad]:
        """All quads of the source."""
        yield from self._about()
        for entity_rule in self._mapping.entities:
            for record in self._records(entity_rule.file, entity_rule.each):
                yield from self._tried(entity_rule.file, record, partial(self._entity, entity_rule))
        self._job.report.entities += len(self._minted)
        for relation_rule in self._mapping.relations:
            for record in self._records(relation_rule.file, relation_rule.each):
                if _is_meant(relation_rule, record):
                    yield from self._tried(
                        relation_rule.file,
                        record,
                        partial(self._triple, relation_rule),
                    )

    def _about(self) -> Iterator[ox.Quad]:
        graph, said = self._job.graph, self._mapping
        for name, text in (
            ("dcterms:title", said.title),
            ("dcterms:description", said.description),
            ("dcterms:creator", said.creator),
        ):
            if text:
                yield ox.Quad(graph, terms.term(name), text_literal(text, language=said.language), graph)
        if said.licence:
            yield ox.Quad(graph, terms.term("dcterms:license"), parse_iri(said.licence).iri, graph)

    def _records(self, file: str, each: str) -> Iterator[Record]:
        path = self._job.path if self._job.path.is_file() else self._job.path / file
        if file not in self._values:
            self._values[file] = read_records(path)
        yield from iterate(self._values[file], each)

    def _tried(self, file: str, record: Record, make: Callable[[Record], Iterable[ox.Quad]]) -> Iterator[ox.Quad]:
        self._job.report.rows_read += 1
        try:
            quads = list(make(record))
        except BadTerm as error:
            self._job.report.reject(file, str(error), column=record.place)
            return
        yield from quads

    def _entity(self, rule: EntityRule, record: Record) -> Iterator[ox.Quad]:
        iri = self._iri(rule.iri, record)
        label = clean(fill(rule.label, record))
        if not label:
            raise BadTerm(f"it has no label: {rule.label} is blank")
        named = fill(rule.iri, record)
        known = self._minted.get(iri)
        if known is not None and known != named:
            raise BadTerm(f"{named!r} would have the IRI of {known!r}: {iri.value}")
        if known is not None and not rule.shared:
            raise BadTerm(f"{named!r} is there already: let its iri tell them apart, or say shared = true")
        self._minted[iri] = named
        classes, declared = self._class(rule)
        yield from declared
        yield from entity_quads(
            iri,
            label,
            graph=self._job.graph,
            classes=classes,
            alternatives=_texts(rule.alternatives, record, other_than=label),
            contexts=_texts(rule.contexts, record),
            language=self._mapping.language,
        )
        for number, text in enumerate(_texts(rule.captions, record), 1):
            yield from caption_quads(
                iri,
                text,
                graph=self._job.graph,
                caption_class=terms.CAPTION_CLASS,
                language=self._mapping.language,
                number=number,
            )
        for media in rule.media:
            yield from self._media.quads(media, record, entity=iri, file=rule.file)

    def _triple(self, rule: RelationRule, record: Record) -> Iterator[ox.Quad]:
        head, tail = (self._known(template, record) for template in (rule.head, rule.tail))
        base, condition = clean(fill(rule.relation, record)), clean(fill(rule.condition, record))
        if not base:
            raise BadTerm(f"it has no relation: {rule.relation} is blank")
        relation = self._job.catalogue.relation(base, condition or None, namespace=self._job.relations)
        items: dict[ox.NamedNode, None] = {}
        for media in rule.evidence:
            for quad in self._media.quads(media, record, entity=tail, file=rule.file):
                if quad.predicate == terms.HAS_MEDIA and isinstance(quad.object, ox.NamedNode):
                    items[quad.object] = None
                yield quad
        edge = Edge(head, relation, tail, information=fill(rule.information, record), evidence=tuple(items))
        yield from edge_quads(
            edge,
            graph=self._job.graph,
            facts=self._job.facts,
            base_iri=self._job.base_iri,
            language=self._mapping.language,
        )

    def _iri(self, template: str, record: Record) -> ox.NamedNode:
        def part(text: str) -> str:
            if not text:
                raise BadTerm(f"a field of {template} is blank")
            return slug(text)

        return parse_iri(self._job.base_iri + fill(template, record, part)).iri

    def _known(self, template: str, record: Record) -> ox.NamedNode:
        iri = self._iri(template, record)
        if iri not in self._minted:
            raise BadTerm(f"no record is the entity {fill(template, record)!r}")
        return iri

    def _class(self, rule: EntityRule) -> tuple[list[ox.NamedNode], list[ox.Quad]]:
        """The classes of a rule's entities, and what declares the first the first time."""
        topic = [terms.TOPIC_ENTITY] if rule.topic else []
        known = self._classes.get(rule.class_label)
        if known is not None:
            return [known, *topic], []
        name = local_name(rule.class_label)
        iri = self._classes[rule.class_label] = ox.NamedNode(f"{self._job.base_iri}class/{name[:1].upper()}{name[1:]}")
        comments = self._mapping.class_comments or {}
        comment = str(comments.get(rule.class_label) or f"A class of {self._mapping.title or self._job.slug}.")
        graph, language = self._job.graph, self._mapping.language
        return [iri, *topic], [
            ox.Quad(iri, terms.RDF_TYPE, OWL_CLASS, graph),
            ox.Quad(iri, terms.RDFS_SUBCLASS_OF, terms.ENTITY, graph),
            ox.Quad(iri, terms.RDFS_LABEL, text_literal(rule.class_label, language=language), graph),
            ox.Quad(iri, terms.RDFS_COMMENT, text_literal(comment, language=language), graph),
        ]


def _texts(templates: Iterable[str], record: Record, *, other_than: str = "") -> list[str]:
    found = [clean(fill(template, record)) for template in templates]
    return [text for text in dict.fromkeys(found) if text and text != other_than]


def _is_meant(rule: RelationRule, record: Record) -> bool:
    """Whether a record is one of those that a rule is about."""
    value = record.value
    if rule.above is not None or rule.below is not None:
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            return False
        if rule.above is not None and not value > rule.above:
            return False
        if rule.below is not None and not value < rule.below:
            return False
    for name, wanted in (rule.where or {}).items():
        levels = len(name) - len(name.lstrip("^"))
        found = lookup(record, levels, name[levels:])
        if found not in (wanted if isinstance(wanted, list) else [wanted]):
            return False
    return True
