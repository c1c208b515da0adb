"""
The leave-out protocol: what a graph's own media find when one of them is taken away and asked about.

Of each entity that has two or more media items of a modality, one is held out: it, and every item with the same bytes,
wherever it stands in the graph, is taken out of what is searched, and it is asked about as it is and altered. The right
answers are the entities that it was taken from, and the topic entities that those belong to. Items are found by their
content alone: no name of a file, no caption and no label is looked at. Frames of one animation are much alike; the
strict variant holds out all of an entity's items but one, so that nothing but that one can find it.

Two modalities together are asked by concatenation (M3KG-RAG, section 3.2): the squared distance of a pair is the sum of
both, and an entity is as near as its nearest pair.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyoxigraph as ox
from numpy.typing import NDArray

from kg.media.items import MediaItem
from retrieval.encoders.base import Vectors

CUTS = (1, 5, 10)
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Held:
    """One item that is asked about: its row, the rows that are taken out for it, and the entities that it shows."""

    row: int
    out: frozenset[int]
    entities: frozenset[ox.NamedNode]


@dataclass(frozen=True, slots=True)
class Rank:
    """Where the first right answer stands, from 1: among entities, and among topics; None where there is none."""

    entity: int | None
    topic: int | None


class Shelf:
    """
    The media items of one modality with the entities that they show: what is searched.

    ``owners`` are the entities of each item, ``topics`` the topic entities of each entity (itself where it is one).
    """

    def __init__(
        self,
        items: Sequence[MediaItem],
        owners: Mapping[ox.NamedNode, frozenset[ox.NamedNode]],
        topics: Mapping[ox.NamedNode, frozenset[ox.NamedNode]],
    ) -> None:
        self.items = [item for item in items if owners.get(item.iri)]
        self.owners = [owners[item.iri] for item in self.items]
        self.topics = topics

    @cached_property
    def entities(self) -> list[ox.NamedNode]:
        """All entities that an item shows, sorted by IRI."""
        return sorted({entity for some in self.owners for entity in some}, key=lambda entity: entity.value)

    @cached_property
    def membership(self) -> NDArray[np.bool_]:
        """``[items, entities]``: which item shows which entity."""
        column = {entity: index for index, entity in enumerate(self.entities)}
        found = np.zeros((len(self.items), len(self.entities)), dtype=np.bool_)
        for row, some in enumerate(self.owners):
            found[row, [column[entity] for entity in some]] = True
        return found

    def hold_out(self, random: np.random.Generator, *, strict: bool = False) -> list[Held]:
        """
        One item of each entity that has two or more that differ in their bytes, drawn at random; each bytes once.

        What is the same by its bytes goes with it, so that entities that share it share the question. ``strict`` takes
        all other items of the entity but one away, too.
        """
        drawn = {entity: one for entity in self.entities if (one := self.hold_out_of(entity, random, strict=strict))}
        once = {self.items[one.row].sha256: one for one in reversed(drawn.values())}
        return [one for one in drawn.values() if once[self.items[one.row].sha256] is one]

    def hold_out_of(self, entity: ox.NamedNode, random: np.random.Generator, *, strict: bool = False) -> Held | None:
        """The same of one entity; None where it has not two items that differ."""
        own = np.flatnonzero(self.membership[:, self._columns[entity]]).tolist()
        digests = sorted({self.items[row].sha256 for row in own})
        if len(digests) < 2:
            return None
        order = random.permutation(len(digests))
        chosen, left = digests[order[0]], digests[order[1]]
        same = self._by_digest[chosen]
        out = {row for row in own if self.items[row].sha256 != left} if strict else set()
        entities = frozenset(entity for row in same for entity in self.owners[row])
        return Held(min(same & set(own)), frozenset(same | out), entities)

    @cached_property
    def _columns(self) -> dict[ox.NamedNode, int]:
        return {entity: column for column, entity in enumerate(self.entities)}

    @cached_property
    def _by_digest(self) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {}
        for row, item in enumerate(self.items):
            found.setdefault(item.sha256, set()).add(row)
        return found

    def exemplars(
        self, entities: Iterable[ox.NamedNode], *, without: frozenset[int]
    ) -> dict[ox.NamedNode, tuple[str, ...]]:
        """The IRIs of the items that show each entity, but for the rows that are held out."""
        found = {}
        for entity in entities:
            own = np.flatnonzero(self.membership[:, self._columns[entity]]).tolist() if entity in self._columns else []
            found[entity] = tuple(self.items[row].iri.value for row in own if row not in without)
        return found

    def nearest(self, distances: Floats, held: Held) -> Floats:
        """
        How near each entity is, ``[entities]``: by its nearest item that is not held out, infinitely far without one.

        ``distances`` are those of the items, ``[items]``.
        """
        left = distances.copy()
        left[list(held.out)] = np.inf
        return np.asarray(np.where(self.membership, left[:, None], np.inf).min(axis=0))


def squared_distances(queries: Vectors, vectors: Vectors) -> Floats:
    """L2 distances, squared, ``[queries, items]``, of unit vectors; as a flat index gives them."""
    return np.maximum(2.0 - 2.0 * (queries.astype(np.float64) @ vectors.T.astype(np.float64)), 0.0)


def rank(shelf: Shelf, nearness: Floats, right: frozenset[ox.NamedNode]) -> Rank:
    """
    Where the right entities, and their topics, stand in the order of nearness.

    Entities that are equally near share the worst of their places: a searcher that tells nothing apart finds nothing.
    """
    by_entity = dict(zip(shelf.entities, nearness.tolist(), strict=True))
    by_topic: dict[ox.NamedNode, float] = {}
    for entity, far in by_entity.items():
        for topic in shelf.topics.get(entity, frozenset()):
            by_topic[topic] = min(far, by_topic.get(topic, np.inf))
    right_topics = frozenset(topic for entity in right for topic in shelf.topics.get(entity, frozenset()))
    return Rank(_place(by_entity, right), _place(by_topic, right_topics))


def recall_at(ranks: Sequence[int | None], cut: int) -> list[float]:
    """1 for each question whose first right answer stands at ``cut`` or before, else 0."""
    return [float(place is not None and place <= cut) for place in ranks]


def reciprocal(ranks: Sequence[int | None]) -> list[float]:
    """1 / rank of the first right answer, 0 where there is none; their mean is the MRR."""
    return [1 / place if place else 0.0 for place in ranks]


def _place(far: Mapping[ox.NamedNode, float], right: frozenset[ox.NamedNode]) -> int | None:
    best = min((far[one] for one in right if one in far), default=np.inf)
    if not np.isfinite(best):
        return None
    wrong = sum(distance <= best for one, distance in far.items() if one not in right)
    return wrong + 1
