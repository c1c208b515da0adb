"""
The edges of one resource, grouped by base relation, a page of them at a time.

An outgoing edge leads to a named resource by a relation of the catalogue; whatever else is stated of the resource are
its properties. Incoming ones are of any property, since a page that leaves some out hides what leads to it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from kg.store import Store
from ontology import terms
from sparql.resource import COUNTED, SORTED, FactSaid, Property, facts, incoming, incoming_counts, relations
from web.site import View

BY_NAME = 100
"""Groups of up to so many edges are in the order of names, larger ones of IRIs: names are read for those shown."""
_OF_FACTS = {terms.RDF_SUBJECT, terms.RDF_PREDICATE, terms.RDF_OBJECT}
"""What leads from a fact to the ends of its triple: facts are shown with the edge that they are about."""
_REMEMBERED = 500
"""Resources of which it is remembered how much leads to them."""
Other = ox.NamedNode | ox.BlankNode


@dataclass(frozen=True, slots=True)
class Edge:
    """One statement between the resource and ``other``, seen from the resource."""

    relation: ox.NamedNode
    other: Other
    is_incoming: bool

    def triple(self, iri: ox.NamedNode) -> ox.Triple:
        """The statement."""
        ends = (self.other, iri) if self.is_incoming else (iri, self.other)
        return ox.Triple(ends[0], self.relation, ends[1])


@dataclass(frozen=True, slots=True)
class Group:
    """The edges of one base relation; ``edges`` are those of the page asked for, ``total`` counts them all."""

    base: ox.NamedNode
    total: int
    edges: tuple[Edge, ...]
    is_incoming: bool
    is_relation: bool = True


@dataclass(frozen=True, slots=True)
class Edges:
    """
    All that leads from and to a resource, a page of each group.

    ``relations`` are those of the properties met that are relations; ``counted_all`` is false where more lead to the
    resource than are counted.
    """

    outgoing: tuple[Group, ...]
    incoming: tuple[Group, ...]
    relations: Mapping[ox.NamedNode, Property]
    counted_all: bool = True

    def edges(self) -> list[Edge]:
        """Those of the groups."""
        return [edge for group in (*self.outgoing, *self.incoming) for edge in group.edges]


def read_edges(
    store: Store,
    iri: ox.NamedNode,
    triples: Iterable[ox.Triple],
    counts: Mapping[ox.NamedNode, int],
    *,
    limit: int,
    offset: int = 0,
    only: ox.NamedNode | None = None,
    relations_only: bool = False,
) -> Edges:
    """
    The edges of ``iri``, of whose own statements ``triples`` are all; at most ``limit`` of each group from ``offset``.

    ``counts`` says how many lead to it, by property (see :func:`counts_of`). ``only`` keeps one base relation or one
    relation. Raises kg.errors.StoreError.
    """
    counts = {prop: count for prop, count in counts.items() if prop not in _OF_FACTS}
    own = [triple for triple in triples if triple.subject == iri]
    known = relations(store, [*counts, *(triple.predicate for triple in own), iri])
    kept = {prop for prop in (*counts, *known) if _is_kept(prop, known.get(prop), only)}
    away = _outgoing(own, known, kept, limit=limit, offset=offset)
    wanted = {prop: count for prop, count in counts.items() if prop in kept and (prop in known or not relations_only)}
    back = _incoming(store, iri, wanted, known=known, limit=limit, offset=offset)
    return Edges(away, back, known, sum(counts.values()) < COUNTED)


def counts_of(view: View, iri: ox.NamedNode) -> Mapping[ox.NamedNode, int]:
    """
    How many statements lead to a resource, by property.

    Where they are many, counting takes long: it is done once while the graph is the same.
    """
    remembered = view.once(_counts)
    if iri in remembered:
        return remembered[iri]
    counts = incoming_counts(view.engine.store, iri)
    if sum(counts.values()) >= SORTED and len(remembered) < _REMEMBERED:
        remembered[iri] = counts
    return counts


def _counts(view: View) -> dict[ox.NamedNode, Mapping[ox.NamedNode, int]]:
    del view  # it is what they belong to
    return {}


def facts_of(store: Store, iri: ox.NamedNode, edges: Sequence[Edge]) -> dict[ox.Triple, list[FactSaid]]:
    """What facts say of these edges."""
    found: dict[ox.Triple, list[FactSaid]] = {}
    for fact in facts(store, iri, [edge.other for edge in edges if isinstance(edge.other, ox.NamedNode)]):
        found.setdefault(fact.triple, []).append(fact)
    return found


def _is_kept(prop: ox.NamedNode, relation: Property | None, only: ox.NamedNode | None) -> bool:
    return only is None or prop == only or (relation is not None and relation.base == only)


def _outgoing(
    triples: Iterable[ox.Triple],
    known: Mapping[ox.NamedNode, Property],
    kept: set[ox.NamedNode],
    *,
    limit: int,
    offset: int,
) -> tuple[Group, ...]:
    groups: dict[ox.NamedNode, list[Edge]] = {}
    for triple in triples:
        relation, other = known.get(triple.predicate), triple.object
        if relation is not None and triple.predicate in kept and isinstance(other, ox.NamedNode):
            groups.setdefault(relation.base, []).append(Edge(triple.predicate, other, is_incoming=False))
    return tuple(
        Group(base, len(edges), tuple(sorted(edges, key=_order)[offset : offset + limit]), is_incoming=False)
        for base, edges in groups.items()
    )


def _incoming(
    store: Store,
    iri: ox.NamedNode,
    counts: Mapping[ox.NamedNode, int],
    *,
    known: Mapping[ox.NamedNode, Property],
    limit: int,
    offset: int,
) -> tuple[Group, ...]:
    groups: dict[ox.NamedNode, list[ox.NamedNode]] = {}
    for prop in sorted(counts, key=lambda prop: prop.value):
        groups.setdefault(known[prop].base if prop in known else prop, []).append(prop)
    found = []
    for base, props in groups.items():
        edges: list[Edge] = []
        skipped = offset
        for prop in props:
            missing = limit - len(edges)
            if skipped >= counts[prop] or not missing:
                skipped = max(0, skipped - counts[prop])
                continue
            ordered = counts[prop] <= SORTED
            subjects = incoming(store, iri, prop, limit=missing, offset=skipped, ordered=ordered)
            edges += [Edge(prop, subject, is_incoming=True) for subject in subjects]
            skipped = 0
        total = sum(counts[prop] for prop in props)
        found.append(Group(base, total, tuple(edges), is_incoming=True, is_relation=props[0] in known))
    return tuple(found)


def _order(edge: Edge) -> tuple[str, str]:
    return str(edge.other), edge.relation.value
