"""
Runs the leave-out protocol (eval.leave_out) over a graph's media, encoder by encoder and alteration by alteration.

Items are encoded once, through the cache of vectors; what is held out is altered and encoded as a query. GRASP is asked
as the product asks it: the nearest items are lifted to triplets, those whose ends are not seen or heard are dropped,
and an entity whose triplets are all dropped goes behind all others. Its exemplars are what is left on the shelf.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyoxigraph as ox

from eval.alterations import PICTURES, SOUNDS
from eval.leave_out import CUTS, Floats, Held, Rank, Shelf, rank, recall_at, reciprocal, squared_distances
from eval.statistics import Interval, interval
from kg.media.items import MediaItem, Modality, Sound
from kg.store import Store
from retrieval.encoders.base import MediaEncoder, Vectors
from retrieval.encoders.encoding import Encodable, encode_all
from retrieval.grasp import Grasp
from retrieval.grounding.exemplar import ExemplarGrounder
from retrieval.media_index import load_medium
from retrieval.search import MediaQuery
from retrieval.triplets import Triplet
from retrieval.vectors import Row, VectorIndex
from sparql.lifting import lift

SEED = 20_251_201
GRASP_ITEMS = 20
"""Items that are lifted for GRASP."""
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
                queries = self._queries(shelf, held, modality, name, encoder)
                distances = squared_distances(queries, vectors)
                yield self._outcome(shelf, held, distances, Condition(modality, encoder.spec, name, strict))
                if grasp and not strict:
                    condition = Condition(modality, encoder.spec, name, strict, grasp=True)
                    yield self._with_grasp(shelf, held, queries, encoder, condition)

    def run_both(self, pictures: MediaEncoder[Any], sounds: MediaEncoder[Any]) -> Iterator[Outcome]:
        """
        Pictures and sounds together, of the entities that have two or more of both: one of each is held out.

        By concatenation: the squared distance of a pair is the sum of both.
        """
        seen, seen_vectors = self._shelf("image", pictures)
        heard, heard_vectors = self._shelf("audio", sounds)
        random = np.random.default_rng(self.seed)
        drawn = {
            entity: (picture, sound)
            for entity in seen.entities
            if entity in set(heard.entities)
            and (picture := seen.hold_out_of(entity, random)) is not None
            and (sound := heard.hold_out_of(entity, random)) is not None
        }
        both = list(drawn)
        if not both:
            return
        pictured, sounding = ([pair[side] for pair in drawn.values()] for side in (0, 1))
        columns = {entity: place for place, entity in enumerate(heard.entities)}
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
        self, shelf: Shelf, held: Sequence[Held], queries: Vectors, encoder: MediaEncoder[Any], condition: Condition
    ) -> Outcome:
        is_seen = condition.modality == "image"
        ranks = []
        with TemporaryDirectory() as folder:
            _, vectors = self._shelf("image" if is_seen else "audio", encoder)
            rows = [Row((item.iri.value,), item.sha256) for item in shelf.items]
            index = VectorIndex.build(
                vectors, rows, encoder.fingerprint, directory=Path(folder), spec=encoder.spec, kind="flat"
            )
            distances = squared_distances(queries, vectors)
            for row, one, query in zip(distances, held, queries, strict=True):
                near = shelf.nearest(row, one)
                left = row.copy()
                left[list(one.out)] = np.inf
                nearest = [shelf.items[place].iri for place in np.argsort(left, kind="stable")[:GRASP_ITEMS]]
                triplets = [
                    Triplet(t.head.iri, t.relation.iri, t.tail.iri, t.head.label, t.relation.label, t.tail.label)
                    for t in lift(self.store, nearest).triples
                ]
                exemplars = shelf.exemplars({end for t in triplets for end in (t.head, t.tail)}, without=one.out)
                grounder = ExemplarGrounder(
                    "visual" if is_seen else "audio", index, _Encoded(encoder, query[None, :]), exemplars
                )
                grasp = Grasp(grounder if is_seen else None, None if is_seen else grounder)
                kept = grasp.prune(triplets, "", _SEEN if is_seen else _HEARD).kept
                entities = {end for place in kept for end in (triplets[place].head, triplets[place].tail)}
                behind = np.array([0.0 if entity in entities else _BEHIND for entity in shelf.entities])
                ranks.append(rank(shelf, near + behind, one.entities))
        return Outcome(condition, tuple(shelf.items[one.row].iri.value for one in held), tuple(ranks))


class _Encoded:
    """An encoder that has encoded its one query already."""

    def __init__(self, of: MediaEncoder[Any], vectors: Vectors) -> None:
        self.modality, self.spec, self.fingerprint, self._vectors = of.modality, of.spec, of.fingerprint, vectors

    def encode(self, items: Sequence[Any]) -> Vectors:
        """The vectors that it was given, whatever the items."""
        return self._vectors[: len(items)]


_SEEN = MediaQuery(pictures=(np.zeros((1, 1, 3), np.uint8),))
_HEARD = MediaQuery(sounds=(Sound(np.zeros(1, np.float32), 1),))
"""What a query has, for GRASP to know; its vector stands already."""
_BEHIND = 8.0
"""More than two squared distances of unit vectors can be."""


def encode_items(encoder: MediaEncoder[Any], items: Sequence[MediaItem], **more: Any) -> tuple[Vectors, list[int]]:
    """Encode items of the encoder's modality; ``more`` is what encode_all takes. Items that are broken are left out."""
    encodables = [
        Encodable(item.sha256, lambda item=item: load_medium(item, encoder.modality))  # type: ignore[misc]
        for item in items
    ]
    found = encode_all(encoder, encodables, **more)
    return found.vectors, list(found.places)
