"""
Modality-wise search: items of a query's own modality, by L2 distance in the space of one encoder (M3KG-RAG, 3.2, A.2).

Pictures are searched among pictures, films among films, sounds among sounds; a film that comes with a sound among films
with sounds, by concatenation. A film is asked frame by frame where the graph has pictures and no films.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kg.media.items import Modality, Picture, Sound
from retrieval.encoders.base import JointEncoder, MediaEncoder, Vectors
from retrieval.encoders.registry import encoder_for
from retrieval.errors import IndexMissing, NoSharedSpace
from retrieval.media_index import MODALITIES, IndexName, MediaIndexes, joined
from retrieval.vectors import Manifest, VectorIndex, current_version

TOP_K = 5
GLIMPSES = 4
"""Frames of a film in which grounding looks for what triplets speak of (section 3.2)."""
Thresholds = Mapping[IndexName, float]
"""The farthest that an item of an index may be (tau); none where an index is not named."""


@dataclass(frozen=True, slots=True)
class MediaQuery:
    """What is asked with: pictures, films as their frames in order, sounds. Several of one kind are asked at once."""

    pictures: tuple[Picture, ...] = ()
    films: tuple[tuple[Picture, ...], ...] = ()
    sounds: tuple[Sound, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.pictures or self.films or self.sounds)

    @property
    def frames(self) -> tuple[Picture, ...]:
        """Everything to be seen: the pictures and the frames of the films."""
        return (*self.pictures, *(frame for film in self.films for frame in film))

    @property
    def glimpses(self) -> tuple[Picture, ...]:
        """What grounding looks at: the pictures, and GLIMPSES frames of each film, spread evenly."""
        spread = (np.unique(np.linspace(0, len(film) - 1, GLIMPSES).round().astype(int)) for film in self.films)
        sampled = (film[place] for film, places in zip(self.films, spread, strict=True) for place in places)
        return (*self.pictures, *sampled)


@dataclass(frozen=True, slots=True)
class Hit:
    """An item found, two IRIs for a film with its sound; its L2 distance to the nearest of what was asked with."""

    items: tuple[str, ...]
    index: IndexName
    distance: float


@dataclass(frozen=True, slots=True)
class Opened:
    """An index with the encoder that makes queries for it; of "audiovisual" the two of its halves."""

    name: IndexName
    index: VectorIndex
    encoders: tuple[MediaEncoder[Any], ...]

    @property
    def manifest(self) -> Manifest:
        """What the index is."""
        return self.index.manifest


class MediaSearcher:
    """Searches the indexes of a home; opens each once, and again when it has been built anew. For many threads."""

    def __init__(self, indexes: MediaIndexes) -> None:
        self._indexes = indexes
        self._opened: dict[IndexName, tuple[object, Opened]] = {}

    def opened(self, name: IndexName) -> Opened:
        """Raises IndexMissing, IndexDamaged, EncoderUnavailable, UnknownEncoder."""
        version = current_version(self._indexes.directory(name))
        held = self._opened.get(name)
        if held is None or held[0] != version:
            index = self._indexes.open(name)
            opened = Opened(name, index, tuple(self._encoders(name, index)))
            held = self._opened[name] = (version, opened)
        return held[1]

    def there(self) -> list[IndexName]:
        """The indexes that there are. Raises IndexDamaged."""
        return list(self._indexes.manifests())

    def unsearched(self, query: MediaQuery) -> list[str]:
        """Of what a query has, the kinds that no index could find anything like. Raises IndexDamaged."""
        there = self.there()
        films = "video" in there or "image" in there
        searched = {"pictures": "image" in there, "films": films, "sounds": "audio" in there}
        return [name for name, some in _kinds(query).items() if some and not searched[name]]

    def search(self, query: MediaQuery, *, k: int = TOP_K, tau: Thresholds | None = None) -> list[Hit]:
        """
        The ``k`` nearest items of each modality that was asked with, none farther than its ``tau``; nearest first.

        Raises IndexMissing where no index could answer, and what :meth:`opened` raises.
        """
        there = self.there()
        found: dict[tuple[IndexName, tuple[str, ...]], float] = {}
        asked = False
        for name, queries in self._queries(query, there):
            asked = True
            limit = (tau or {}).get(name)
            for neighbours in self.opened(name).index.search(queries, k=k, tau=limit):
                for one in neighbours:
                    key = (name, one.row.items)
                    found[key] = min(one.distance, found.get(key, np.inf))
        if query and not asked:
            raise IndexMissing(
                f"there is no index of {' or '.join(self.unsearched(query))}: scoutfly index build makes one"
            )
        return _nearest(found, k)

    def search_text(self, text: str, *, k: int = TOP_K) -> list[Hit]:
        """
        The ``k`` items of each modality nearest to a text, where both share a space: the baseline of Table 4.

        Raises NoSharedSpace where no index was made by such an encoder.
        """
        found: dict[tuple[IndexName, tuple[str, ...]], float] = {}
        joint = False
        for name in self.there():
            encoder: object = self.opened(name).encoders[0]
            if name == "audiovisual" or not isinstance(encoder, JointEncoder):
                continue
            joint = True
            for one in self.opened(name).index.search(encoder.encode_texts([text]), k=k)[0]:
                found[name, one.row.items] = one.distance
        if not joint:
            raise NoSharedSpace(
                "no index was made by an encoder that texts share a space with: build one with "
                "scoutfly index build --image-encoder clip:MODEL"
            )
        return _nearest(found, k)

    def _queries(self, query: MediaQuery, there: Sequence[IndexName]) -> Iterator[tuple[IndexName, Vectors]]:
        """The index to ask, and the vectors to ask it for."""
        if query.films and query.sounds and "audiovisual" in there:
            film, sound = self.opened("audiovisual").encoders
            films, sounds = film.encode(query.films), sound.encode(query.sounds)
            yield "audiovisual", np.vstack([np.hstack([one, other]) for one in films for other in sounds])
            if query.pictures and "image" in there:
                yield "image", self.opened("image").encoders[0].encode(query.pictures)
            return
        by_frame = bool(query.films) and "video" not in there
        pictures = query.frames if by_frame else query.pictures
        if pictures and "image" in there:
            yield "image", self.opened("image").encoders[0].encode(pictures)
        if query.films and "video" in there:
            yield "video", self.opened("video").encoders[0].encode(query.films)
        if query.sounds and "audio" in there:
            yield "audio", self.opened("audio").encoders[0].encode(query.sounds)

    def _encoders(self, name: IndexName, index: VectorIndex) -> Iterator[MediaEncoder[Any]]:
        if name == "audiovisual":
            film, sound = self.opened("video").encoders[0], self.opened("audio").encoders[0]
            index.check_encoder(joined(film.fingerprint, sound.fingerprint))
            yield from (film, sound)
            return
        modality: Modality = next(one for one in MODALITIES if one == name)
        encoder = encoder_for(modality, index.manifest.spec)
        index.check_encoder(encoder.fingerprint)
        yield encoder


def _nearest(found: Mapping[tuple[IndexName, tuple[str, ...]], float], k: int) -> list[Hit]:
    """At most ``k`` of each index; distances of two indexes are not alike, so the order among them is by rank."""
    hits = [Hit(items, name, distance) for (name, items), distance in found.items()]
    kept = []
    for name in dict.fromkeys(hit.index for hit in hits):
        own = sorted((hit for hit in hits if hit.index == name), key=lambda hit: (hit.distance, hit.items))
        kept += list(enumerate(own[:k]))
    return [hit for _, hit in sorted(kept, key=lambda pair: (pair[0], pair[1].index))]


def _kinds(query: MediaQuery) -> dict[str, bool]:
    return {"pictures": bool(query.pictures), "films": bool(query.films), "sounds": bool(query.sounds)}
