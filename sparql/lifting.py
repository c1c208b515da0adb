"""Lifts media items to what the graph says of them: equation 3 of M3KG-RAG, by one generated query a hop."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from kg.store import Row, Store, Term
from ontology.catalogue import Relation
from sparql.graph import Entity, describe, read_relations
from sparql.template import bind

MOST_TRIPLES = 500
"""Triples that one lift gives; what many lead to is left out beyond, the nearest items' triples come first."""
Triple = tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode]


@dataclass(frozen=True, slots=True)
class Lifted:
    """
    One triple, the items that brought it, and how many hops away from them it lies, from 1.

    ``evidenced`` says that an item is stated as evidence of it; else its head or tail is what an item shows.
    """

    head: Entity
    relation: Relation
    tail: Entity
    items: tuple[ox.NamedNode, ...]
    hop: int
    evidenced: bool


@dataclass(frozen=True, slots=True)
class Lift:
    """The triples, nearest first; the entities that each item shows; whether there were more than MOST_TRIPLES."""

    triples: tuple[Lifted, ...]
    shown: Mapping[ox.NamedNode, tuple[Entity, ...]]
    cut: bool


def lift_query(items: Iterable[ox.NamedNode]) -> str:
    """The SPARQL text of the first hop."""
    return bind("lift", items=items)


def lift(store: Store, items: Sequence[ox.NamedNode], *, hops: int = 1, most: int = MOST_TRIPLES) -> Lift:
    """
    What ``items``, nearest first, lead to: the facts that they evidence, then the triples of the entities that they
    show, then, for each hop more, those of the entities at their ends.

    Raises kg.errors.StoreError.
    """
    rows = list(store.select(lift_query(items))) if items else []
    order = {item: place for place, item in enumerate(items)}
    shown: dict[ox.NamedNode, set[ox.NamedNode]] = defaultdict(set)
    for row in rows:
        _add(shown, row.get("item"), row.get("shown"))
    found = _Found(order)
    found.add([row for row in rows if "fact" in row], hop=1, evidenced=True)
    found.add([row for row in rows if "fact" not in row], hop=1, evidenced=False)
    open_entities = {entity for some in shown.values() for entity in some}
    for hop in range(2, hops + 1):
        ends = found.ends() - open_entities
        if not ends or len(found.brought) >= most:
            break
        around = store.select(bind("around", entities=sorted(ends, key=lambda iri: iri.value)))
        found.add(around, hop=hop, evidenced=False)
        open_entities |= ends
    kept = found.nearest(most)
    entities = describe(store, {iri for head, _, tail in kept for iri in (head, tail)} | open_entities)

    def entity(iri: ox.NamedNode) -> Entity:
        return entities.get(iri) or Entity(iri, iri.value.rstrip("/#").rsplit("/", 1)[-1])

    triples = tuple(
        Lifted(
            entity(head),
            found.relations[relation],
            entity(tail),
            tuple(sorted(found.brought[head, relation, tail], key=order.__getitem__)),
            found.hop[head, relation, tail],
            (head, relation, tail) in found.evidenced,
        )
        for head, relation, tail in kept
    )
    seen = {item: tuple(map(entity, sorted(some, key=lambda iri: iri.value))) for item, some in shown.items()}
    return Lift(triples, seen, cut=len(found.brought) > most)


def items_of(store: Store, entities: Iterable[ox.NamedNode]) -> dict[ox.NamedNode, tuple[str, ...]]:
    """The IRIs of the media items that show each entity, sorted. Raises kg.errors.StoreError."""
    asked = sorted(set(entities), key=lambda iri: iri.value)
    found: dict[ox.NamedNode, set[str]] = defaultdict(set)
    for row in store.select(bind("items_of", entities=asked)) if asked else ():
        entity, item = row["entity"], row["item"]
        if isinstance(entity, ox.NamedNode) and isinstance(item, ox.NamedNode):
            found[entity].add(item.value)
    return {entity: tuple(sorted(items)) for entity, items in found.items()}


class _Found:
    """Triples as they are found, each with what brought it first."""

    def __init__(self, order: Mapping[ox.NamedNode, int]) -> None:
        self._order = order
        self.brought: dict[Triple, set[ox.NamedNode]] = {}
        self.hop: dict[Triple, int] = {}
        self.evidenced: set[Triple] = set()
        self.relations: dict[Term, Relation] = {}

    def add(self, rows: Sequence[Row], *, hop: int, evidenced: bool) -> None:
        """Rows of one hop. Those of a later one are brought by what brought the triples that they touch."""
        self.relations |= read_relations(row for row in rows if "base" in row)
        by_end = self._by_end() if hop > 1 else {}
        for row in rows:
            head, relation, tail = row.get("head"), row.get("relation"), row.get("tail")
            if (
                relation not in self.relations
                or not isinstance(head, ox.NamedNode)
                or not isinstance(tail, ox.NamedNode)
            ):
                continue
            triple: Triple = (head, self.relations[relation].iri, tail)
            item = row.get("item")
            items = {item} if isinstance(item, ox.NamedNode) else by_end.get(head, set()) | by_end.get(tail, set())
            if self.hop.setdefault(triple, hop) == hop:
                self.brought.setdefault(triple, set()).update(items)
            if evidenced:
                self.evidenced.add(triple)

    def ends(self) -> set[ox.NamedNode]:
        """The entities at the ends of all triples."""
        return {iri for head, _, tail in self.brought for iri in (head, tail)}

    def nearest(self, most: int) -> list[Triple]:
        """At most so many: evidenced ones first, fewer hops first, nearer items first; ties by their IRIs."""

        def place(triple: Triple) -> tuple[int, bool, int, tuple[str, ...]]:
            nearest = min((self._order[item] for item in self.brought[triple]), default=len(self._order))
            return self.hop[triple], triple not in self.evidenced, nearest, tuple(iri.value for iri in triple)

        return sorted(self.brought, key=place)[:most]

    def _by_end(self) -> dict[ox.NamedNode, set[ox.NamedNode]]:
        found: dict[ox.NamedNode, set[ox.NamedNode]] = defaultdict(set)
        for (head, _, tail), items in self.brought.items():
            found[head] |= items
            found[tail] |= items
        return found


def _add(shown: dict[ox.NamedNode, set[ox.NamedNode]], item: object, entity: object) -> None:
    if isinstance(item, ox.NamedNode) and isinstance(entity, ox.NamedNode):
        shown[item].add(entity)
