"""
What the page of one resource shows, put together by a dozen small queries.

A page is bounded whatever the graph holds: so many edges of a group, values of a property and media items, and the rest
one page further. Knows nothing of HTTP.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import pyoxigraph as ox

from kg.store import Store, Term
from ontology import terms
from sparql.lifting import items_of
from sparql.names import LABELS, preferred
from sparql.resource import CaptionSaid, FactSaid, Said, captions, described, statements, thumbnails, usage, usage_count
from web.entity.edges import BY_NAME, Edge, Edges, Group, counts_of, facts_of, read_edges
from web.entity.gallery import SHOWN, Curator, is_media
from web.entity.media import MediaFiles
from web.entity.provenance import Graphs
from web.entity.shown import EdgeShown, EntityPage, FactShown, GroupShown
from web.entity.words import NAMING, Value, Words, find_words, named_in, texts
from web.site import View

PER_GROUP = 20
"""Edges of one group on the page of a resource; the pages of the group alone hold more."""
USES_SHOWN = 20
_CONTEXTS = (terms.CONTEXT, terms.RDFS_COMMENT, terms.term("skos:definition"), terms.term("schema:description"))
_TOLD = {terms.RDF_TYPE, terms.HAS_CAPTION, terms.HAS_MEDIA, *NAMING, *_CONTEXTS}
"""Properties that have a place of their own on the page."""
_OF_FACT = {
    terms.RDF_TYPE,
    terms.RDF_SUBJECT,
    terms.RDF_PREDICATE,
    terms.RDF_OBJECT,
    terms.CONDITION_TEXT,
    terms.INFORMATION,
    terms.EVIDENCE,
}


@dataclass(frozen=True, slots=True)
class Reader:
    """What pages are read from, and for whom: ``root`` is where the site stands."""

    view: View
    graphs: Graphs
    files: MediaFiles
    languages: Sequence[str] = ()
    root: str = ""

    @property
    def store(self) -> Store:
        return self.view.engine.store

    def words(self, iris: Iterable[ox.NamedNode]) -> Words:
        """The names of some IRIs."""
        addresses = self.view.addresses
        return find_words(self.store, iris, addresses=addresses, root=self.root, languages=self.languages)

    def page(self, iri: ox.NamedNode) -> EntityPage | None:
        """The page of a resource; None where nothing is said of it. Raises kg.errors.StoreError."""
        triples = described(self.store, iri)
        edges = _cut(read_edges(self.store, iri, triples, counts_of(self.view, iri), limit=BY_NAME))
        edges = _without_own_base(edges, iri)
        uses = usage(self.store, iri, limit=USES_SHOWN, ordered=False)
        if not triples and not edges.edges() and not uses:
            return None
        return _Making(self, iri, triples, edges, uses, most=PER_GROUP).page()

    def group(
        self, iri: ox.NamedNode, relation: ox.NamedNode, *, is_incoming: bool, limit: int, offset: int
    ) -> tuple[Words, GroupShown | None]:
        """A page of one group of edges, and the names on it; None where there is no such group."""
        triples = [] if is_incoming else described(self.store, iri)
        counts = counts_of(self.view, iri) if is_incoming else {}
        edges = read_edges(self.store, iri, triples, counts, limit=limit, offset=offset, only=relation)
        groups = edges.incoming if is_incoming else edges.outgoing
        chosen = replace(edges, outgoing=() if is_incoming else groups[:1], incoming=groups[:1] if is_incoming else ())
        making = _Making(self, iri, [], chosen, [], most=limit)
        return making.words, next(iter(making.groups(groups[:1])), None)


class _Making:
    """Puts one page together: first all that is asked of the graph, then names for all of it at once."""

    def __init__(
        self,
        reader: Reader,
        iri: ox.NamedNode,
        triples: Sequence[ox.Triple],
        edges: Edges,
        uses: Sequence[tuple[Term, Term]],
        *,
        most: int,
    ) -> None:
        self.reader, self.iri, self.edges, self.uses, self.most = reader, iri, edges, uses, most
        self.about = _by_subject(triples)
        self.said: Said = self.about.get(iri, {})
        self.facts = facts_of(reader.store, iri, edges.edges())
        media = [ox.NamedNode(item) for item in items_of(reader.store, [iri]).get(iri, ())]
        evidence = {
            node
            for facts in self.facts.values()
            for fact in facts
            for node in fact.said.get(terms.EVIDENCE, ())
            if isinstance(node, ox.NamedNode)
        }
        self.media, self.more_media = media[:SHOWN], max(0, len(media) - SHOWN)
        self.items = statements(reader.store, [*self.media, *evidence])
        # A sequence has no file of its own: its keyframes stand for it.
        self.media = [item for item in self.media if not _is_sequence(self.items.get(item, {}))]
        self.captions: Sequence[CaptionSaid] = captions(reader.store, [iri, *self.media, *evidence])
        self.pictures = thumbnails(reader.store, _named_others(edges))
        self.words = reader.words(self._all_named())
        self.curator = Curator(self.words, reader.files, self.captions)

    def page(self) -> EntityPage:
        """The page."""
        words, said = self.words, self.said
        labels = [value for prop in NAMING - {terms.SKOS_ALT_LABEL} for value in said.get(prop, ())]
        types = [kind for kind in said.get(terms.RDF_TYPE, ()) if isinstance(kind, ox.NamedNode)]
        media = {item: self.items.get(item, {}) for item in self.media}
        uses = self.uses
        return EntityPage(
            iri=self.iri.value,
            name=preferred(self.iri, [v for v in _in_order(said) if isinstance(v, ox.Literal)], words.languages),
            labels=texts(labels, words.languages),
            alternatives=texts(said.get(terms.SKOS_ALT_LABEL, ()), words.languages),
            types=tuple(sorted((words.link(kind) for kind in types), key=lambda link: (link.label, link.iri))),
            contexts=tuple(text for prop in _CONTEXTS for text in texts(said.get(prop, ()), words.languages)),
            captions=self.curator.captions_of(self.iri),
            own=self.curator.item(self.iri, said) if is_media(said) else None,
            gallery=self.curator.gallery(media, self.more_media),
            outgoing=self.groups(self.edges.outgoing),
            incoming=self.groups(self.edges.incoming),
            counted_all=self.edges.counted_all,
            rows=words.rows(self._properties(), self.about),
            uses=tuple((words.value(subject), words.value(value)) for subject, value in uses),
            use_count=usage_count(self.reader.store, self.iri) if len(uses) == USES_SHOWN else len(uses),
            origins=self.reader.graphs.about(self.iri),
            origins_known=self.reader.graphs.known,
        )

    def groups(self, groups: Iterable[Group]) -> tuple[GroupShown, ...]:
        """Groups of edges, by name, relations first."""
        shown = [self._group(group) for group in groups]
        return tuple(sorted(shown, key=lambda one: (not one.is_relation, one.base.label.casefold(), one.base.iri)))

    def _group(self, group: Group) -> GroupShown:
        edges = [self._edge(edge) for edge in group.edges if isinstance(edge.other, ox.NamedNode)]
        unnamed = len(group.edges) - len(edges)
        if group.total <= BY_NAME:
            edges.sort(key=lambda edge: _name_of(edge.other).casefold())
        base = self.words.link(group.base)
        return GroupShown(base, group.total, tuple(edges[: self.most]), group.is_incoming, group.is_relation, unnamed)

    def _edge(self, edge: Edge) -> EdgeShown:
        triple = edge.triple(self.iri)
        told = [self._fact(fact) for fact in self.facts.get(triple, ())]
        picture = self.pictures.get(edge.other) if isinstance(edge.other, ox.NamedNode) else None
        return EdgeShown(
            self.words.value(edge.other),
            self.words.link(edge.relation),
            conditions_of(edge.relation, [fact.said for fact in self.facts.get(triple, ())], self.edges, self.words),
            tuple(told),
            self.reader.graphs.stating(triple.subject, triple.predicate, triple.object),
            self.curator.item(picture, {}).src if picture else "",
        )

    def _fact(self, fact: FactSaid) -> FactShown:
        evidence = [node for node in fact.said.get(terms.EVIDENCE, ()) if isinstance(node, ox.NamedNode)]
        return FactShown(
            self.words.href(fact.node) if isinstance(fact.node, ox.NamedNode) else "",
            texts(fact.said.get(terms.CONDITION_TEXT, ()), self.words.languages),
            texts(fact.said.get(terms.INFORMATION, ()), self.words.languages),
            self.curator.gallery({node: self.items.get(node, {}) for node in evidence}).items,
            self.words.rows({prop: values for prop, values in fact.said.items() if prop not in _OF_FACT}),
        )

    def _properties(self) -> dict[Term, list[Term]]:
        """What is stated beside names, types, texts, media and edges to named resources."""
        rows = {}
        for prop, values in self.said.items():
            named = prop in self.edges.relations
            kept = [value for value in values if not (named and isinstance(value, ox.NamedNode))]
            if kept and prop not in _TOLD:
                rows[prop] = kept
        return rows

    def _all_named(self) -> set[ox.NamedNode]:
        properties = self._properties()
        nested = [
            term for said in list(self.about.values())[1:] for pair in said.items() for term in (pair[0], *pair[1])
        ]
        shown: list[object] = [self.iri, *self.said.get(terms.RDF_TYPE, ()), *properties, *nested]
        shown += [value for values in properties.values() for value in values[:500]]
        shown += [term for edge in self.edges.edges() for term in (edge.relation, edge.other)]
        shown += [group.base for group in (*self.edges.outgoing, *self.edges.incoming)]
        shown += [prop.condition for prop in self.edges.relations.values() if prop.condition]
        shown += [term for facts in self.facts.values() for fact in facts for term in _terms_of(fact.said)]
        shown += [term for caption in self.captions for term in _terms_of(caption.said)]
        shown += [*self.media, *(term for pair in self.uses for term in pair)]
        return named_in(shown)


def conditions_of(relation: ox.NamedNode, said: Iterable[Said], edges: Edges, words: Words) -> tuple[str, ...]:
    """The conditions of an edge: those in free text, else that of its relation."""
    free = [text.text for one in said for text in texts(one.get(terms.CONDITION_TEXT, ()), words.languages)]
    known = edges.relations.get(relation)
    condition = known.condition if known else None
    return tuple(dict.fromkeys(free)) or ((words.label(condition),) if condition else ())


def _cut(edges: Edges) -> Edges:
    """The edges, of large groups those that the page shows; small ones are cut when they are in the order of names."""
    outgoing, incoming = (
        tuple(group if group.total <= BY_NAME else replace(group, edges=group.edges[:PER_GROUP]) for group in groups)
        for groups in (edges.outgoing, edges.incoming)
    )
    return replace(edges, outgoing=outgoing, incoming=incoming)


def _without_own_base(edges: Edges, iri: ox.NamedNode) -> Edges:
    """Without the edge by which a base relation points to itself: it marks it as one, and says nothing to a reader."""

    def told(groups: Sequence[Group]) -> tuple[Group, ...]:
        kept = []
        for group in groups:
            others = tuple(e for e in group.edges if (e.relation, e.other) != (terms.BASE_RELATION, iri))
            left = group.total - len(group.edges) + len(others)
            kept += [replace(group, edges=others, total=left)] if left else []
        return tuple(kept)

    return replace(edges, outgoing=told(edges.outgoing), incoming=told(edges.incoming))


def _by_subject(triples: Iterable[ox.Triple]) -> dict[object, dict[Term, list[Term]]]:
    about: dict[object, dict[Term, list[Term]]] = {}
    for triple in triples:
        about.setdefault(triple.subject, {}).setdefault(triple.predicate, []).append(triple.object)
    return about


def _named_others(edges: Edges) -> set[ox.NamedNode]:
    return {edge.other for edge in edges.edges() if isinstance(edge.other, ox.NamedNode)}


def _terms_of(said: Mapping[Term, Sequence[Term]]) -> list[object]:
    return [term for prop, values in said.items() for term in (prop, *values)]


def _in_order(said: Said) -> list[Term]:
    return [value for prop in LABELS for value in said.get(prop, ())]


def _name_of(value: Value) -> str:
    return value.link.label if value.link else value.text


def _is_sequence(said: Said) -> bool:
    return terms.IMAGE_SEQUENCE in said.get(terms.RDF_TYPE, ())
