"""
The indexes of a graph's media: one a modality, and one of films and sounds together.

A build encodes what is new and takes what it knows from the cache of vectors, by the checksum of the bytes; what cannot
be read is told, and the rest is indexed. Films and sounds together are the concatenation of their vectors (M3KG-RAG,
section 3.2): of a film with its own sound, and of a film and a recording that belong together in the graph.
"""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from kg.media.decoding import frames_of, read_picture, read_sound
from kg.media.errors import BadMedia
from kg.media.items import MediaItem, Modality
from retrieval.encoders.base import Fingerprint, MediaEncoder, Vectors
from retrieval.encoders.cache import VectorCache
from retrieval.encoders.encoding import Encodable, encode_all
from retrieval.errors import IndexDamaged, IndexMissing
from retrieval.vectors import Manifest, Row, VectorIndex, current_version, read_manifest

IndexName = Literal["image", "video", "audio", "audiovisual"]
INDEXES: tuple[IndexName, ...] = get_args(IndexName)
MODALITIES: tuple[Modality, ...] = get_args(Modality)
SOUND_RATE = 48_000
"""Samples a second at which sounds are read; encoders take what they need of it."""
Progress = Callable[[str, int, int], object]
"""Told the index, how many items are done, and of how many."""


@dataclass(frozen=True, slots=True)
class Unindexed:
    """An item that could not be encoded, and why."""

    iri: str
    reason: str


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a build did to one index: rows in it, vectors that were known before, items left out; whether it changed."""

    name: IndexName
    manifest: Manifest | None
    rows: int
    reused: int
    left_out: tuple[Unindexed, ...]
    changed: bool


@dataclass(frozen=True, slots=True)
class Status:
    """An index as it stands beside the graph: items that it lacks, and such that are in it but no more in the graph."""

    name: IndexName
    manifest: Manifest
    missing: int
    stale: int


class MediaIndexes:
    """The indexes below ``root``, and the cache of vectors at ``cache``."""

    def __init__(self, root: Path, cache: Path) -> None:
        self._root, self._cache = root, cache

    def directory(self, name: IndexName) -> Path:
        """Where an index lies."""
        return self._root / name

    def open(self, name: IndexName) -> VectorIndex:
        """Raises IndexMissing, IndexDamaged."""
        return VectorIndex.load(self.directory(name))

    def manifests(self) -> dict[IndexName, Manifest]:
        """Of the indexes that there are. Raises IndexDamaged."""
        found: dict[IndexName, Manifest] = {}
        for name in INDEXES:
            try:
                found[name] = read_manifest(current_version(self.directory(name)))
            except IndexMissing:
                continue
        return found

    def build(
        self,
        items: Sequence[MediaItem],
        encoders: Mapping[Modality, MediaEncoder[Any]],
        *,
        pairs: Sequence[tuple[str, str]] = (),
        generation: int = 0,
        progress: Progress = lambda *_: None,
    ) -> list[IndexReport]:
        """
        Bring the indexes of the encoders' modalities up to date with ``items``; without items there is no index.

        ``pairs`` are the IRIs of films and sounds that belong together; that index is made where both others are.
        Raises RetrievalError and OSError; indexes that were done before stay done.
        """
        reports = [
            self._build(modality, _of(items, modality), encoder, generation, progress)
            for modality, encoder in encoders.items()
        ]
        if "video" in encoders or "audio" in encoders:  # what is joined must be of the halves as they are now
            reports.append(self._join(pairs, generation))
        return reports

    def status(self, items: Sequence[MediaItem]) -> list[Status]:
        """How the indexes stand beside ``items``. Raises IndexDamaged."""
        found = []
        for name in self.manifests():
            index = self.open(name)
            wanted = {item.iri.value: item.sha256 for item in items}
            if name == "audiovisual":
                stale = sum(any(iri not in wanted for iri in row.items) for row in index.rows)
                found.append(Status(name, index.manifest, 0, stale))
                continue
            held = {row.items[0]: row.sha256 for row in index.rows}
            of_this = {item.iri.value: item.sha256 for item in items if item.modality == name}
            missing = sum(held.get(iri) != digest for iri, digest in of_this.items())
            stale = sum(wanted.get(iri) != digest for iri, digest in held.items())
            found.append(Status(name, index.manifest, missing, stale))
        return found

    def remove(self, name: IndexName) -> bool:
        """Remove an index; whether there was one."""
        if not self.directory(name).exists():
            return False
        shutil.rmtree(self.directory(name))
        return True

    def _build(
        self,
        modality: Modality,
        items: Sequence[MediaItem],
        encoder: MediaEncoder[Any],
        generation: int,
        progress: Progress,
    ) -> IndexReport:
        done = 0

        def advance(more: int) -> None:
            nonlocal done
            done += more
            progress(modality, done, len(items))

        cache = VectorCache(self._cache, encoder.fingerprint)
        encoded = encode_all(encoder, _encodables(items, modality), progress=advance, cache=cache)
        sound = np.asarray(np.isfinite(encoded.vectors).all(axis=1) & encoded.vectors.any(axis=1))
        rows = [
            Row((items[place].iri.value,), items[place].sha256)
            for place, is_sound in zip(encoded.places, sound, strict=True)
            if is_sound
        ]
        left_out = tuple(
            Unindexed(items[fault.place].iri.value, fault.reason)
            for fault in encoded.faults
            if not (modality == "audio" and items[fault.place].modality == "video")  # a film need not have a sound
        )
        left_out += tuple(
            Unindexed(items[place].iri.value, "the encoder gives it a vector that is zero or not finite")
            for place, is_sound in zip(encoded.places, sound, strict=True)
            if not is_sound
        )
        new = _New(modality, encoded.vectors[sound], rows, encoder.fingerprint, encoder.spec, encoded.reused, left_out)
        return self._write(new, generation)

    def _join(self, pairs: Sequence[tuple[str, str]], generation: int) -> IndexReport:
        try:
            films, sounds = self.open("video"), self.open("audio")
        except IndexMissing:
            self.remove("audiovisual")
            return IndexReport("audiovisual", None, 0, 0, (), False)
        film_rows = {row.items[0]: row for row in films.rows}
        sound_rows = {row.items[0]: row for row in sounds.rows}
        own = [(iri, iri) for iri in film_rows if iri in sound_rows]
        both = [(film, sound) for film, sound in [*own, *pairs] if film in film_rows and sound in sound_rows]
        both = list(dict.fromkeys(both))
        vectors = np.hstack(
            [films.vectors_of([film for film, _ in both]), sounds.vectors_of([sound for _, sound in both])]
        )
        rows = [Row(pair, f"{film_rows[pair[0]].sha256[:32]}{sound_rows[pair[1]].sha256[:32]}") for pair in both]
        fingerprint = joined(films.manifest.fingerprint, sounds.manifest.fingerprint)
        spec = f"{films.manifest.spec} + {sounds.manifest.spec}"
        return self._write(_New("audiovisual", vectors, rows, fingerprint, spec, len(rows)), generation)

    def _write(self, new: "_New", generation: int) -> IndexReport:
        name, rows = new.name, new.rows
        if not rows:
            return IndexReport(name, None, 0, 0, new.left_out, self.remove(name))
        with suppress(IndexMissing, IndexDamaged):  # one that is damaged is made anew
            held = VectorIndex.load(self.directory(name), whole=True)
            if held.manifest.fingerprint == new.fingerprint and list(held.rows) == list(rows):
                return IndexReport(name, held.manifest, len(rows), new.reused, new.left_out, changed=False)
        index = VectorIndex.build(
            new.vectors,
            rows,
            new.fingerprint,
            directory=self.directory(name),
            spec=new.spec,
            generation=generation,
        )
        return IndexReport(name, index.manifest, len(rows), new.reused, new.left_out, changed=True)


@dataclass(frozen=True, slots=True)
class _New:
    """What is to become an index."""

    name: IndexName
    vectors: Vectors
    rows: Sequence[Row]
    fingerprint: Fingerprint
    spec: str
    reused: int
    left_out: tuple[Unindexed, ...] = ()


def joined(film: Fingerprint, sound: Fingerprint) -> Fingerprint:
    """Of the concatenation of two vectors."""
    return Fingerprint(
        f"{film.name} + {sound.name}",
        f"{film.revision} + {sound.revision}",
        f"{film.preprocessing} + {sound.preprocessing}",
        film.width + sound.width,
    )


def load_medium(item: MediaItem, modality: Modality) -> Any:
    """What an encoder of that modality takes, of an item. Raises BadMedia."""
    if modality == "image":
        return read_picture(item.files[0])
    if modality == "video":
        return frames_of(item)
    if item.media_type.startswith("image/"):
        raise BadMedia("an image sequence has no sound")
    return read_sound(item.files[0], rate=SOUND_RATE)


def _of(items: Sequence[MediaItem], modality: Modality) -> list[MediaItem]:
    """The items of a modality; among sounds the films, too, for their sound tracks."""
    wanted = {modality, "video"} if modality == "audio" else {modality}
    return [item for item in items if item.modality in wanted]


def _encodables(items: Sequence[MediaItem], modality: Modality) -> Iterator[Encodable[Any]]:
    for item in items:
        yield Encodable(item.sha256, lambda item=item: load_medium(item, modality))  # type: ignore[misc]
