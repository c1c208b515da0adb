"""What part of a home an export holds: all that is asserted, some sources, or one class with what belongs to it.

The description of a part (VoID, DCAT) stands beside it in a graph of its own, or among its triples in the formats that
have no graphs. Knows nothing of formats otherwise, nor of files.
"""

from collections.abc import Iterable, Sequence

import pyoxigraph as ox

from kg.errors import ExportFailed
from kg.home import Snapshot
from kg.metadata import METADATA_GRAPH, describe
from ontology import terms

_FOLLOWED = {terms.HAS_CAPTION, terms.HAS_MEDIA, terms.DESCRIBES, terms.KEYFRAME_OF, terms.EVIDENCE}
"""Where these lead belongs to an entity, and is worth nothing without its own triples."""
_NAMING = (terms.RDF_TYPE, terms.RDFS_LABEL)
_VOCABULARY = (terms.ONTOLOGY_GRAPH, terms.CATALOGUE_GRAPH)


def everything(snapshot: Snapshot) -> list[ox.Quad]:
    """All that a source, the catalogue or the ontology states."""
    return list(snapshot.asserted_quads())


def of_sources(snapshot: Snapshot, slugs: Sequence[str]) -> list[ox.Quad]:
    """What these sources state, and the relations that they added to the catalogue. Raises ExportFailed."""
    known = {graph.value for graph in snapshot.asserted_graphs()}
    for slug in slugs:
        if terms.source_graph(slug).value not in known:
            raise ExportFailed(f"there is no source {slug!r} in this home")
    graphs = [graph for slug in slugs for graph in (terms.source_graph(slug), terms.facts_graph(slug))]
    chosen = [quad for graph in graphs for quad in snapshot.store.quads_for_pattern(None, None, None, graph)]
    return chosen + _catalogue_of({terms.source_graph(slug) for slug in slugs}, snapshot)


def of_class(snapshot: Snapshot, iri: ox.NamedNode) -> list[ox.Quad]:
    """The entities of a class and of its subclasses, each with what belongs to it.

    That is: their own triples; their captions, media items and blank nodes; the facts about their triples, with the
    evidence; the types and labels of what they point to; the relations that they use, with bases and conditions.
    Raises ExportFailed where the class has no member.
    """
    selection = _Selection(snapshot)
    members = selection.members(iri)
    if not members:
        raise ExportFailed(f"there is no entity of the class {iri.value} in this graph")
    selection.gather(members)
    return selection.quads


def described(
    snapshot: Snapshot,
    quads: Sequence[ox.Quad],
    *,
    sources: Sequence[str] = (),
    title: str | None = None,
    licence: ox.NamedNode | None = None,
    in_graph: bool = True,
) -> list[ox.Quad]:
    """The description of ``quads`` as a data set, with the records of ``sources`` (slugs; none means all)."""
    wanted = {terms.source_graph(slug) for slug in sources}
    records = [
        quad
        for quad in snapshot.store.quads_for_pattern(None, None, None, terms.SOURCES_GRAPH)
        if quad.subject != terms.ONTOLOGY_GRAPH and (not wanted or quad.subject in wanted)
    ]
    said = describe(quads, sources=records, title=title, licence=licence)
    graph = METADATA_GRAPH if in_graph else ox.DefaultGraph()
    return [ox.Quad(triple.subject, triple.predicate, triple.object, graph) for triple in said]


def _catalogue_of(sources: set[ox.NamedNode], snapshot: Snapshot) -> list[ox.Quad]:
    """The relations of the catalogue that these sources use."""
    held = list(snapshot.store.quads_for_pattern(None, None, None, terms.CATALOGUE_GRAPH))
    used = {quad.subject for quad in held if quad.predicate == terms.DCTERMS_SOURCE and quad.object in sources}
    return [
        quad
        for quad in held
        if quad.subject in used and (quad.predicate != terms.DCTERMS_SOURCE or quad.object in sources)
    ]


class _Selection:
    """Quads gathered outwards from some entities, each once; what is inferred or noted of sources is not looked at."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._store = snapshot.store
        self._graphs = {ox.DefaultGraph(), *snapshot.asserted_graphs()}
        self._kept: dict[ox.Quad, None] = {}
        self._seen: set[object] = set()

    @property
    def quads(self) -> list[ox.Quad]:
        """What was gathered."""
        return list(self._kept)

    def members(self, iri: ox.NamedNode) -> list[object]:
        """The instances of a class and of the classes below it."""
        classes, waiting = {iri}, [iri]
        while waiting:
            for quad in self._pattern(None, terms.RDFS_SUBCLASS_OF, waiting.pop()):
                if isinstance(quad.subject, ox.NamedNode) and quad.subject not in classes:
                    classes.add(quad.subject)
                    waiting.append(quad.subject)
        found = (quad.subject for one in classes for quad in self._pattern(None, terms.RDF_TYPE, one))
        return list(dict.fromkeys(found))

    def gather(self, members: Iterable[object]) -> None:
        """Keep the members' own triples, and all that belongs to them."""
        members = list(members)
        self._follow(members)
        facts = [quad.subject for one in members for quad in self._pattern(None, terms.RDF_SUBJECT, one)]
        self._follow(facts)
        own = list(self._kept)
        for relation in {quad.predicate for quad in own}:
            self._define(relation)
        for value in {quad.object for quad in own if isinstance(quad.object, ox.NamedNode)} - self._seen:
            for predicate in _NAMING:
                self._keep(self._pattern(value, predicate, None))

    def _follow(self, nodes: Iterable[object]) -> None:
        waiting = list(nodes)
        while waiting:
            node = waiting.pop()
            if node in self._seen:
                continue
            self._seen.add(node)
            quads = list(self._pattern(node, None, None))
            self._keep(quads)
            waiting += [q.object for q in quads if isinstance(q.object, ox.BlankNode) or q.predicate in _FOLLOWED]

    def _define(self, relation: ox.NamedNode) -> None:
        """Keep what the vocabulary says of a relation, its base and its condition."""
        if relation in self._seen:
            return
        said = [quad for graph in _VOCABULARY for quad in self._store.quads_for_pattern(relation, None, None, graph)]
        self._seen.add(relation)
        self._keep(said)
        self._follow(quad.object for quad in said if isinstance(quad.object, ox.BlankNode))
        for quad in said:
            if isinstance(quad.object, ox.NamedNode) and quad.predicate in (terms.BASE_RELATION, terms.CONDITION):
                self._define(quad.object)

    def _keep(self, quads: Iterable[ox.Quad]) -> None:
        self._kept.update(dict.fromkeys(quads))

    def _pattern(self, subject: object, predicate: ox.NamedNode | None, value: object) -> list[ox.Quad]:
        if isinstance(subject, (ox.Literal, ox.Triple)):
            return []
        found = self._store.quads_for_pattern(subject, predicate, value, None)  # type: ignore[arg-type]
        return [quad for quad in found if quad.graph_name in self._graphs]
