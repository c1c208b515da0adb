"""
Many items through an encoder, batch by batch: what cannot be read is told and passed over, what is known is not redone.

It knows no files and no graph: an item is a checksum and a way to load it.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

import numpy as np

from kg.media.errors import BadMedia
from retrieval.encoders.base import MediaEncoder, Vectors
from retrieval.encoders.cache import VectorCache
from retrieval.errors import BadItem

Medium = TypeVar("Medium")
BATCH = 32


@dataclass(frozen=True, slots=True)
class Encodable(Generic[Medium]):
    """An item by the checksum of its bytes (64 hexadecimal digits); ``load`` reads them, and may raise BadMedia."""

    sha256: str
    load: Callable[[], Medium]


@dataclass(frozen=True, slots=True)
class Fault:
    """An item without a vector: its place among those given, and why, in one line."""

    place: int
    reason: str


@dataclass(frozen=True, slots=True)
class Encoded:
    """``vectors`` ``float32 [n, width]``, ``places`` those of their items among those given, and who has none."""

    vectors: Vectors
    places: tuple[int, ...]
    faults: tuple[Fault, ...]
    reused: int


def encode_all(
    encoder: MediaEncoder[Medium],
    items: Iterable[Encodable[Medium]],
    *,
    batch: int = BATCH,
    progress: Callable[[int], object] = lambda _: None,
    cache: VectorCache | None = None,
) -> Encoded:
    """
    The vectors of ``items`` in their order; ``progress`` hears how many more are done (``tqdm.update``).

    Vectors that ``cache`` knows are taken from it, without loading their items; new ones are written to it after each
    batch, so that a run that was killed goes on where it was. Raises what the encoder raises but BadItem.
    """
    rows: list[Vectors] = []
    places: list[int] = []
    faults: list[Fault] = []
    reused = 0
    for some in _batches(items, batch):
        known = _known(some, cache)
        fresh, broken = _encoded(encoder, [(place, item) for place, item in some if place not in known])
        if cache is not None and fresh:
            sums = {place: item.sha256 for place, item in some}
            cache.add([(sums[place], vector) for place, vector in fresh.items()])
        made = known | fresh
        places += sorted(made)
        rows += [made[place] for place in sorted(made)]
        faults += broken
        reused += len(known)
        progress(len(some))
    vectors = np.asarray(rows, dtype=np.float32).reshape(len(rows), encoder.fingerprint.width)
    return Encoded(vectors, tuple(places), tuple(faults), reused)


def _batches(items: Iterable[Encodable[Medium]], batch: int) -> Iterator[list[tuple[int, Encodable[Medium]]]]:
    numbered = enumerate(items)
    while some := list(islice(numbered, batch)):
        yield some


def _known(items: list[tuple[int, Encodable[Medium]]], cache: VectorCache | None) -> dict[int, Vectors]:
    if cache is None:
        return {}
    return {place: found for place, item in items if (found := cache.get(item.sha256)) is not None}


def _encoded(
    encoder: MediaEncoder[Medium], items: list[tuple[int, Encodable[Medium]]]
) -> tuple[dict[int, Vectors], list[Fault]]:
    media: list[tuple[int, Medium]] = []
    faults: list[Fault] = []
    for place, item in items:
        try:
            media.append((place, item.load()))
        except BadMedia as error:
            faults.append(Fault(place, str(error)))
    if not media:
        return {}, faults
    try:
        vectors = encoder.encode([medium for _, medium in media])
    except BadItem:  # one of them is at fault: each for itself, so that the others go on
        found, broken = _one_by_one(encoder, media)
        return found, sorted(faults + broken, key=lambda fault: fault.place)
    return {place: vector for (place, _), vector in zip(media, vectors, strict=True)}, faults


def _one_by_one(
    encoder: MediaEncoder[Medium], media: list[tuple[int, Medium]]
) -> tuple[dict[int, Vectors], list[Fault]]:
    found: dict[int, Vectors] = {}
    faults: list[Fault] = []
    for place, medium in media:
        try:
            found[place] = encoder.encode([medium])[0]
        except BadItem as error:
            faults.append(Fault(place, str(error)))
    return found, faults
