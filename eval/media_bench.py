"""
Runs the leave-out protocol (eval.leave_out) over a graph's media, encoder by encoder and alteration by alteration.

Items are encoded once, through the cache of vectors; what is held out is altered and encoded as a query. GRASP is asked
as the product asks it: the nearest items are lifted to triplets, those whose ends are not seen or heard are dropped,
and an entity whose triplets are all dropped goes behind all others. Its exemplars are what is left on the shelf.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyoxigraph as ox

from eval.alterations import PICTURES, SOUNDS
from eval.leave_out import CUTS, Floats, Held, Rank, Shelf, rank, recall_at, reciprocal, squared_distances
from eval.statistics import Interval, interval
from kg.media.items import MediaItem, Modality
from kg.store import Store
from retrieval.encoders.base import MediaEncoder, Vectors
from retrieval.encoders.encoding import Encodable, encode_all
from retrieval.grasp import ETA
from retrieval.media_index import load_medium
from sparql.lifting import lift

SEED = 20_251_201
GRASP_ITEMS = 20
"""Items that are lifted for GRASP."""
_WITH_GRASP = ("unaltered", "rescaled", "altogether", "hissing")
Owners = Mapping[ox.NamedNode, frozenset[ox.NamedNode]]
Encode = Callable[[MediaEncoder[Any], Sequence[MediaItem]], tuple[Vectors, list[int]]]
"""The vectors of items, and the places of those that could be encoded."""
MEASURES = (*(f"recall@{cut}" for cut in CUTS), "mrr")


@dataclass(frozen=True, slots=True)
class Condition:
    """What a row of the table is about."""

    modality: str
    encoder: str
    alteration: str
    strict: bool
    grasp: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """The ranks of all queries of a condition; ``queries`` are the IRIs of what was held out."""

    condition: Condition
    queries: tuple[str, ...]
    ranks: tuple[Rank, ...]

    def measures(self, of: str) -> dict[str, Interval]:
        """Each of MEASURES with its interval, of the right ``entity`` or the right ``topic``."""
        places = [getattr(one, of) for one in self.ranks]
        found = {f"recall@{cut}": interval(recall_at(places, cut)) for cut in CUTS}
        return found | {"mrr": interval(reciprocal(places))}


class RandomEncoder:
    """Vectors that have nothing to do with what they are of: what chance finds."""

    spec = "random"

    def __init__(self, of: MediaEncoder[Any]) -> None:
        self.modality: Modality = of.modality
        self.fingerprint = of.fingerprint
        self._random = np.random.default_rng(SEED)

    def encode(self, items: Sequence[Any]) -> Vectors:
        """``float32 [n, 32]``, unit rows, others each time."""
        found = self._random.normal(size=(len(items), 32))
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), dtype=np.float32)


@dataclass
class MediaBench:
    """The media of one graph, ready to be held out; ``store`` is what GRASP lifts over."""

    items: Sequence[MediaItem]
    owners: Owners
    topics: Owners
    store: Store
    encode: Encode
    seed: int = SEED

    def run(self, modality: Modality, encoder: MediaEncoder[Any], *, grasp: bool = True) -> Iterator[Outcome]:
        """The outcomes of one encoder of pictures or of sounds: each alteration, normal and strict, with GRASP too."""
        shelf, vectors = self._shelf(modality, encoder)
        if not shelf.entities:
            return
        for strict in (False, True):
            held = shelf.hold_out(np.random.default_rng(self.seed), strict=strict)
            if not held:
                return
            for name in PICTURES if modality == "image" else SOUNDS:
                distances = squared_distances(self._queries(shelf, held, modality, name, encoder), vectors)
                yield self._outcome(shelf, held, distances, Condition(modality, encoder.spec, name, strict))
                if grasp and encoder.spec != "random" and not strict and name in _WITH_GRASP:
                    condition = Condition(modality, encoder.spec, name, strict, grasp=True)
                    yield self._with_grasp(shelf, held, distances, vectors, condition)

    def run_both(self, pictures: MediaEncoder[Any], sounds: MediaEncoder[Any]) -> Iterator[Outcome]:
        """
        Pictures and sounds together, of the entities that have two or more of both: one of each is held out.

        By concatenation: the squared distance of a pair is the sum of both.
        """
        seen, seen_vectors = self._shelf("image", pictures)
        heard, heard_vectors = self._shelf("audio", sounds)
        random = np.random.default_rng(self.seed)
        by_entity = [
            {next(iter(sorted(one.entities, key=str))): one for one in shelf.hold_out(random)}
            for shelf in (seen, heard)
        ]
        both = sorted(set(by_entity[0]) & set(by_entity[1]), key=lambda iri: iri.value)
        if not both:
            return
        columns = {entity: place for place, entity in enumerate(heard.entities)}
        pictured, sounding = ([some[entity] for entity in both] for some in by_entity)
        for picture_name, sound_name in zip(PICTURES, [*SOUNDS, *SOUNDS], strict=False):
            far_seen = squared_distances(self._queries(seen, pictured, "image", picture_name, pictures), seen_vectors)
            far_heard = squared_distances(self._queries(heard, sounding, "audio", sound_name, sounds), heard_vectors)
            ranks = []
            for row in range(len(both)):
                near = seen.nearest(far_seen[row], pictured[row])
                other = heard.nearest(far_heard[row], sounding[row])
                added = np.array([other[columns[e]] if e in columns else np.inf for e in seen.entities])
                ranks.append(rank(seen, near + added, pictured[row].entities & sounding[row].entities))
            condition = Condition(
                "image + audio", f"{pictures.spec} + {sounds.spec}", f"{picture_name} + {sound_name}", strict=False
            )
            yield Outcome(condition, tuple(entity.value for entity in both), tuple(ranks))

    def _shelf(self, modality: Modality, encoder: MediaEncoder[Any]) -> tuple[Shelf, Vectors]:
        own = [item for item in self.items if item.modality == modality and self.owners.get(item.iri)]
        vectors, places = self.encode(encoder, own)
        return Shelf([own[place] for place in places], self.owners, self.topics), vectors

    def _queries(
        self, shelf: Shelf, held: Sequence[Held], modality: Modality, name: str, encoder: MediaEncoder[Any]
    ) -> Vectors:
        random = np.random.default_rng(self.seed)
        media = [load_medium(shelf.items[one.row], modality) for one in held]
        if modality == "image":
            return encoder.encode([PICTURES[name](medium, random) for medium in media])
        return encoder.encode([SOUNDS[name](medium, random) for medium in media])

    @staticmethod
    def _outcome(shelf: Shelf, held: Sequence[Held], distances: Floats, condition: Condition) -> Outcome:
        ranks = [rank(shelf, shelf.nearest(row, one), one.entities) for row, one in zip(distances, held, strict=True)]
        return Outcome(condition, tuple(shelf.items[one.row].iri.value for one in held), tuple(ranks))

    def _with_grasp(
        self, shelf: Shelf, held: Sequence[Held], distances: Floats, vectors: Vectors, condition: Condition
    ) -> Outcome:
        scale = _neighbour_distance(vectors)
        column = {entity: place for place, entity in enumerate(shelf.entities)}
        ranks = []
        for row, one in zip(distances, held, strict=True):
            near = shelf.nearest(row, one)
            left = row.copy()
            left[list(one.out)] = np.inf
            nearest = [shelf.items[place].iri for place in np.argsort(left, kind="stable")[:GRASP_ITEMS]]
            presence = np.exp(-near / scale**2)  # squared distances, as exemplar grounding takes them
            kept: set[ox.NamedNode] = set()
            for triple in lift(self.store, nearest).triples:
                ends = [end.iri for end in (triple.head, triple.tail)]
                scores = [float(presence[column[end]]) for end in ends if end in column]
                total = sum(scores) if condition.modality == "image" else max(scores, default=0.0)
                if not scores or total >= ETA:  # what has no exemplar cannot be judged
                    kept |= set(ends)
            behind = np.array([0.0 if entity in kept else 8.0 for entity in shelf.entities])
            ranks.append(rank(shelf, near + behind, one.entities))
        return Outcome(condition, tuple(shelf.items[one.row].iri.value for one in held), tuple(ranks))


def encode_items(encoder: MediaEncoder[Any], items: Sequence[MediaItem], **more: Any) -> tuple[Vectors, list[int]]:
    """Encode items of the encoder's modality; ``more`` is what encode_all takes. Items that are broken are left out."""
    encodables = [
        Encodable(item.sha256, lambda item=item: load_medium(item, encoder.modality))  # type: ignore[misc]
        for item in items
    ]
    found = encode_all(encoder, encodables, **more)
    return found.vectors, list(found.places)


def _neighbour_distance(vectors: Vectors) -> float:
    """The median distance of an item to its nearest other one, as exemplar grounding measures it."""
    some = np.random.default_rng(1).permutation(len(vectors))[:500]
    squared = squared_distances(vectors[some], vectors)
    squared[squared < 1e-8] = np.inf
    nearest = squared.min(axis=1)
    finite = nearest[np.isfinite(nearest)]
    return float(np.sqrt(np.median(finite))) if len(finite) else 1.0
