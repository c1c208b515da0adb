"""What is said of one resource, whatever it is: its statements, what leads to it, facts, captions, pictures.

Every answer is bounded but for a resource's own statements. A blank node cannot be named in a query: those that a
resource leads to come with it by DESCRIBE, which our stores and most others answer by a concise bounded description
(https://www.w3.org/Submission/CBD/); where one does not, they are blank nodes of which nothing more is known.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pyoxigraph as ox

from kg.store import Row, Store, Term
from sparql.template import bind

COUNTED = 100_000
"""What leads to a resource is counted up to here; the query files hold the number."""
SORTED = 5_000
"""Where more lead to a resource by one property they come in the order of the store: sorting would read them all."""
Said = Mapping[Term, Sequence[Term]]
"""Property → values."""


@dataclass(frozen=True, slots=True)
class Property:
    """A property that is a relation of the catalogue: its base, which is itself where it has no condition."""

    base: ox.NamedNode
    condition: ox.NamedNode | None = None


@dataclass(frozen=True, slots=True)
class FactSaid:
    """A fact: the triple that it is about, and all that is stated of it."""

    node: Term
    triple: ox.Triple
    said: Said = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CaptionSaid:
    """A caption of ``resource``, and all that is stated of it."""

    resource: ox.NamedNode
    node: Term
    said: Said = field(default_factory=dict)


def described(store: Store, iri: ox.NamedNode) -> list[ox.Triple]:
    """The statements that have ``iri`` as their subject, and those of the blank nodes that they lead to."""
    rows = store.select(bind("statements", resources=[iri]))
    triples = list(dict.fromkeys(ox.Triple(iri, _node(row["property"]), row["value"]) for row in rows))
    if not any(isinstance(triple.object, ox.BlankNode) for triple in triples):
        return triples
    return _reached(store.construct(bind("closure", resource=[iri])), iri) or triples


def is_mentioned(store: Store, iri: ox.NamedNode) -> bool:
    """Whether ``iri`` stands in any statement."""
    queries = (bind("statements", resources=[iri]), bind("usage", property=[iri]))
    return any(store.select(f"{query}\nLIMIT 1") for query in queries) or bool(incoming_counts(store, iri))


def statements(store: Store, iris: Iterable[ox.NamedNode]) -> dict[ox.NamedNode, dict[Term, list[Term]]]:
    """All that is stated of the given resources, by property."""
    found: dict[ox.NamedNode, dict[Term, list[Term]]] = {}
    wanted = _sorted(iris)
    for row in store.select(bind("statements", resources=wanted)) if wanted else ():
        if isinstance(row["resource"], ox.NamedNode):
            _add(found.setdefault(row["resource"], {}), row)
    return found


def incoming_counts(store: Store, iri: ox.NamedNode) -> dict[ox.NamedNode, int]:
    """How many statements lead to ``iri``, by property; all together up to :data:`COUNTED`."""
    rows = store.select(bind("incoming_counts", resource=[iri]))
    return {_node(row["property"]): _number(row["count"]) for row in rows if "property" in row}


def incoming(
    store: Store, iri: ox.NamedNode, prop: ox.NamedNode, *, limit: int, offset: int = 0, ordered: bool = True
) -> list[ox.NamedNode | ox.BlankNode]:
    """The subjects of statements that lead to ``iri`` by ``prop``: a page of them, by IRI where ``ordered``."""
    query = bind("incoming", resource=[iri], property=[prop])
    rows = store.select(_paged(query, "?subject", limit=limit, offset=offset, ordered=ordered))
    return [subject for row in rows if isinstance(subject := row["subject"], (ox.NamedNode, ox.BlankNode))]


def usage(
    store: Store, prop: ox.NamedNode, *, limit: int, offset: int = 0, ordered: bool = True
) -> list[tuple[Term, Term]]:
    """The subjects and values of statements that have ``prop`` as their property: a page of them."""
    query = _paged(bind("usage", property=[prop]), "?subject ?value", limit=limit, offset=offset, ordered=ordered)
    return [(row["subject"], row["value"]) for row in store.select(query)]


def usage_count(store: Store, prop: ox.NamedNode) -> int:
    """How many statements have ``prop`` as their property, up to :data:`COUNTED`."""
    return next((_number(row["count"]) for row in store.select(bind("usage_count", property=[prop]))), 0)


def relations(store: Store, props: Iterable[ox.NamedNode]) -> dict[ox.NamedNode, Property]:
    """Those of the given properties that are relations of the catalogue."""
    wanted = _sorted(props)
    found: dict[ox.NamedNode, Property] = {}
    for row in store.select(bind("properties", properties=wanted)) if wanted else ():
        base, condition = row["base"], row.get("condition")
        if isinstance(base, ox.NamedNode):
            known = condition if isinstance(condition, ox.NamedNode) else None
            found.setdefault(_node(row["property"]), Property(base, known))
    return found


def facts(store: Store, iri: ox.NamedNode, others: Iterable[ox.NamedNode]) -> list[FactSaid]:
    """The facts about statements between ``iri`` and ``others``, either way, sorted by their node."""
    wanted = _sorted(others)
    said: dict[tuple[Term, ox.Triple], dict[Term, list[Term]]] = {}
    for row in store.select(bind("facts", resource=[iri], others=wanted)) if wanted else ():
        subject, relation = row["subject"], row["relation"]
        if isinstance(subject, ox.NamedNode) and isinstance(relation, ox.NamedNode):
            _add(said.setdefault((row["fact"], ox.Triple(subject, relation, row["object"])), {}), row)
    return sorted((FactSaid(*key, said=values) for key, values in said.items()), key=lambda fact: str(fact.node))


def captions(store: Store, iris: Iterable[ox.NamedNode]) -> list[CaptionSaid]:
    """The captions of the given entities and media items, sorted by their node."""
    wanted = _sorted(iris)
    said: dict[tuple[ox.NamedNode, Term], dict[Term, list[Term]]] = {}
    for row in store.select(bind("captions", resources=wanted)) if wanted else ():
        _add(said.setdefault((_node(row["resource"]), row["caption"]), {}), row)
    found = (CaptionSaid(*key, said=values) for key, values in said.items())
    return sorted(found, key=lambda caption: (str(caption.node), caption.resource.value))


def thumbnails(store: Store, iris: Iterable[ox.NamedNode]) -> dict[ox.NamedNode, ox.NamedNode]:
    """One picture of each of the given entities that have any: the first by IRI."""
    wanted = _sorted(iris)
    found: dict[ox.NamedNode, ox.NamedNode] = {}
    for row in store.select(bind("thumbnails", resources=wanted)) if wanted else ():
        picture = row.get("picture")
        if isinstance(picture, ox.NamedNode):
            found[_node(row["resource"])] = picture
    return found


def _reached(triples: Iterable[ox.Triple], iri: ox.NamedNode) -> list[ox.Triple]:
    """Those of the triples that ``iri`` leads to through blank nodes; an endpoint may describe more."""
    by_subject: dict[object, dict[ox.Triple, None]] = {}
    for triple in triples:
        by_subject.setdefault(triple.subject, {})[triple] = None
    reached: dict[ox.Triple, None] = {}
    waiting: list[object] = [iri]
    while waiting:
        for triple in by_subject.pop(waiting.pop(), ()):
            reached[triple] = None
            if isinstance(triple.object, ox.BlankNode):
                waiting.append(triple.object)
    return list(reached)


def _paged(query: str, order: str, *, limit: int, offset: int, ordered: bool) -> str:
    return f"{query}\n{f'ORDER BY {order} ' if ordered else ''}LIMIT {limit:d} OFFSET {offset:d}"


def _add(said: dict[Term, list[Term]], row: Row) -> None:
    values = said.setdefault(row["property"], [])
    if row["value"] not in values:
        values.append(row["value"])


def _node(term: Term) -> ox.NamedNode:
    """A property, which is an IRI in every answer; the type of rows does not say so."""
    return term if isinstance(term, ox.NamedNode) else ox.NamedNode("urn:scoutfly:not-an-iri")


def _number(term: Term) -> int:
    return int(term.value) if isinstance(term, ox.Literal) else 0


def _sorted(iris: Iterable[ox.NamedNode]) -> list[ox.NamedNode]:
    return sorted(set(iris), key=lambda iri: iri.value)


__all__ = [
    "COUNTED",
    "SORTED",
    "CaptionSaid",
    "FactSaid",
    "Property",
    "Said",
    "captions",
    "described",
    "facts",
    "incoming",
    "incoming_counts",
    "is_mentioned",
    "relations",
    "statements",
    "thumbnails",
    "usage",
    "usage_count",
]
