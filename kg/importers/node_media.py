"""Turns the image and video cells of a node's row into media items, and counts what is found, missing and refused."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyoxigraph as ox

from kg.errors import BadTerm
from kg.importer import Job
from kg.importers.cells import column_name
from kg.importers.media import (
    MediaFile,
    MediaFolder,
    item_quads,
    keyframe_quads,
    media_class,
    media_iri,
)
from kg.importers.mmkg_layout import IMAGES, NODE_COLUMNS, VIDEOS, NodeRow, SubGraph, media_places
from kg.media.errors import BadMedia
from ontology import terms

_IMAGE_COLUMN = NODE_COLUMNS.index("image")
_VIDEO_COLUMN = NODE_COLUMNS.index("video")


@dataclass(slots=True)
class NodeMedia:
    """The media of a source; each file is read once, however many rows name it."""

    job: Job
    folder: MediaFolder
    shown: set[ox.NamedNode] = field(default_factory=set)
    """The entities that have at least one media item."""
    _read: dict[Path, MediaFile] = field(default_factory=dict)

    def quads(self, graph: SubGraph, row: NodeRow, entity: ox.NamedNode) -> list[ox.Quad]:
        """The media items that a row names. What cannot be used is reported, and the row's other cells are used."""
        quads: list[ox.Quad] = []
        video: ox.NamedNode | None = None
        for path in self._files(graph, row, _VIDEO_COLUMN)[1]:
            for iri, file in self._item(graph, row, path, _VIDEO_COLUMN):
                kind = media_class(file, otherwise=terms.VIDEO)
                video = video or (iri if kind == terms.VIDEO else None)
                quads += self._shown(iri, file, kind, entity)
        are_frames, paths = self._files(graph, row, _IMAGE_COLUMN)
        index = 0
        for path in paths:
            for iri, file in self._item(graph, row, path, _IMAGE_COLUMN):
                kind = media_class(file, otherwise=terms.IMAGE)
                if are_frames and kind == terms.IMAGE:
                    kind = terms.KEYFRAME
                    quads.extend(keyframe_quads(iri, index, video=video, graph=self.job.graph))
                    index += 1
                quads += self._shown(iri, file, kind, entity)
        if quads:
            self.shown.add(entity)
        return quads

    def _shown(self, iri: ox.NamedNode, file: MediaFile, kind: ox.NamedNode, entity: ox.NamedNode) -> list[ox.Quad]:
        graph = self.job.graph
        return [ox.Quad(entity, terms.HAS_MEDIA, iri, graph), *item_quads(iri, file, kind=kind, graph=graph)]

    def _files(self, graph: SubGraph, row: NodeRow, column: int) -> tuple[bool, list[Path]]:
        """Whether the cell names a folder, and the files that it names; reports what is missing or refused."""
        value = (row.image if column == _IMAGE_COLUMN else row.video).strip()
        if not value:
            return False, []
        places = list(media_places(graph.folder, self.folder.root, IMAGES if column == _IMAGE_COLUMN else VIDEOS))
        try:
            found = self.folder.find(value, places)
        except BadMedia as error:
            self._reject(graph, row, column, str(error))
            return False, []
        files = self.folder.inside(found) if found is not None and found.is_dir() else [found] if found else []
        if not files:
            what = "an empty folder" if found is not None else "no such file"
            where = f"{graph.node_file}, row {row.number}, column {column_name(column, NODE_COLUMNS[column])}"
            self.job.report.media_missing.append(f"{where}: {value} ({what})")
        return found is not None and found.is_dir(), files

    def _item(self, graph: SubGraph, row: NodeRow, path: Path, column: int) -> Iterator[tuple[ox.NamedNode, MediaFile]]:
        """The IRI and description of one file, or nothing where it cannot be used (which is reported)."""
        base = graph.folder.path.resolve().parent
        relative = path.relative_to(base if path.is_relative_to(base) else self.folder.root).as_posix()
        try:
            iri = media_iri(self.job.base_iri, relative)
            file = self._read.get(path)
            if file is None:
                file = self._read[path] = self.folder.read(path)
                self.job.report.media_found += 1
                if file.media_type is None:
                    self.job.report.note(f"{file.relative}: its content is of no media type that is known")
        except (BadMedia, BadTerm) as error:
            self._reject(graph, row, column, str(error))
            return
        yield iri, file

    def _reject(self, graph: SubGraph, row: NodeRow, column: int, reason: str) -> None:
        self.job.report.reject(
            graph.node_file,
            f"{reason} (this medium is left out, the rest of the row is imported)",
            sheet=graph.node_sheet,
            row=row.number,
            column=column_name(column, NODE_COLUMNS[column]),
        )
