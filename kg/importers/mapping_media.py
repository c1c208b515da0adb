"""The media that a mapping names: files below the media folder, each an item, or together the frames of a sequence."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyoxigraph as ox

from kg.errors import BadTerm
from kg.importer import Job
from kg.importers.mapping_spec import MediaRule
from kg.importers.media import (
    MediaFile,
    MediaFolder,
    extent_quads,
    frame_iri,
    item_quads,
    keyframe_quads,
    media_class,
    media_iri,
    rights_quads,
)
from kg.importers.records import Record, fill, iterate
from kg.iri import parse_iri
from kg.media.errors import BadMedia
from kg.media.probing import Probe, probe
from ontology import terms


@dataclass(slots=True)
class MappedMedia:
    """The media of one import; each file is read once, however many records name it."""

    job: Job
    _read: dict[Path, tuple[MediaFile, Probe]] = field(default_factory=dict)
    _described: set[ox.NamedNode] = field(default_factory=set)

    def quads(self, rule: MediaRule, record: Record, *, entity: ox.NamedNode, file: str) -> Iterator[ox.Quad]:
        """The items of a record by a rule. What cannot be used is reported, and the rest goes on."""
        paths = [(one, fill(rule.file, one)) for one in iterate(record.value, rule.each)]
        found = [item for one, path in paths if path for item in self._item(path, file, one, record)]
        if rule.kind == "sequence" and found:
            yield from self._sequence(found, rule, entity)
            return
        for iri, media, seen in found:
            yield ox.Quad(entity, terms.HAS_MEDIA, iri, self.job.graph)
            yield from self._once(iri, media, seen, rule, kind=media_class(media, otherwise=terms.MEDIA_ITEM))

    def _sequence(
        self, frames: list[tuple[ox.NamedNode, MediaFile, Probe]], rule: MediaRule, entity: ox.NamedNode
    ) -> Iterator[ox.Quad]:
        """One item with the frames as its keyframes, each with an IRI of its own: a file may come again."""
        graph = self.job.graph
        sequence = ox.NamedNode(f"{entity.value}/frames")
        yield ox.Quad(entity, terms.HAS_MEDIA, sequence, graph)
        yield ox.Quad(sequence, terms.RDF_TYPE, terms.IMAGE_SEQUENCE, graph)
        for place, (_, media, seen) in enumerate(frames):
            frame = frame_iri(sequence, place)
            yield from keyframe_quads(frame, place, video=sequence, graph=graph)
            yield from self._once(frame, media, seen, rule, kind=terms.KEYFRAME)

    def _once(
        self, iri: ox.NamedNode, media: MediaFile, seen: Probe, rule: MediaRule, *, kind: ox.NamedNode
    ) -> Iterator[ox.Quad]:
        if iri in self._described:
            return
        self._described.add(iri)
        graph, licence = self.job.graph, parse_iri(rule.licence).iri if rule.licence else None
        yield from item_quads(iri, media, kind=kind, graph=graph)
        yield from extent_quads(iri, seen, graph=graph)
        yield from rights_quads(iri, licence=licence, creator=rule.creator, graph=graph)

    def _item(
        self, value: str, file: str, one: Record, record: Record
    ) -> Iterator[tuple[ox.NamedNode, MediaFile, Probe]]:
        report = self.job.report
        place = "/".join(filter(None, (record.place, one.key)))
        folder = MediaFolder((self.job.media or self.job.path).resolve())
        try:
            path = folder.find(value, [folder.root])
            if path is None or not path.is_file():
                report.media_missing.append(f"{file}, {place}: {value} (no such file)")
                return
            if path not in self._read:
                self._read[path] = (folder.read(path), probe(path))
                report.media_found += 1
            media, seen = self._read[path]
            iri = media_iri(self.job.base_iri, media.relative)
        except (BadMedia, BadTerm) as error:
            report.reject(file, f"{error} (this medium is left out, the rest is imported)", column=place)
            return
        yield iri, MediaFile(media.relative, seen.media_type, media.sha256), seen
