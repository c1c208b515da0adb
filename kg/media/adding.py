"""
Adds media to entities and facts that are in the graph: as a source of its own, replaced when it is added again.

Files stay where they are, or are copied below the home by their checksum. What cannot be used (broken, mislabelled, of
an entity that nobody knows, outside the folder, there twice) is told row by row, and the rest goes on.
"""

import secrets
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyoxigraph as ox
from PIL import Image

from kg.errors import BadTerm, StoreError
from kg.home import Home
from kg.importer import Job, Progress
from kg.importers.mapping_media import size_quads
from kg.importers.media import MediaFile, MediaFolder, keyframe_quads, media_class, media_iri, media_quads
from kg.importers.statements import Edge, edge_quads
from kg.importing import import_path, silent
from kg.iri import parse_iri
from kg.literals import text_literal
from kg.media.decoding import sample_frames
from kg.media.errors import BadMedia
from kg.media.known import Known
from kg.media.manifest import MediaRow, read_rows
from kg.media.probing import Probe, probe
from kg.media.sound_tracks import write_sound_track
from kg.report import ImportReport
from ontology import terms

FOLDER = "media"
"""Of the home, for files that are kept there."""
_SUFFIXES = {"image/jpeg": ".jpg", "audio/mpeg": ".mp3", "audio/wav": ".wav", "video/quicktime": ".mov"}


@dataclass(frozen=True, slots=True)
class Adding:
    """
    How media are added. ``copy`` keeps the files in the home; ``keyframes`` takes frames out of films (two a second,
    ten at most) and ``split_audio`` their sound, as items of their own, which are kept in the home.
    """

    copy: bool = False
    keyframes: bool = False
    split_audio: bool = False

    @property
    def keeps(self) -> bool:
        """Whether files are written below the home."""
        return self.copy or self.keyframes or self.split_audio


def add_media(
    home: Home,
    path: Path,
    *,
    name: str | None = None,
    adding: Adding | None = None,
    strict: bool = False,
    progress: Progress = silent,
) -> ImportReport:
    """
    Add the files of a folder or a manifest to ``home``. Raises as :func:`kg.importing.import_path`.
    """
    chosen = adding or Adding()
    base = path if path.is_dir() else path.parent
    with home.snapshot() as snapshot:
        names = Known.read(snapshot)
    root = (home.path / FOLDER) if chosen.keeps else base
    root.mkdir(parents=True, exist_ok=True)
    importer = MediaSource(names, base.resolve(), root.resolve(), chosen)
    title = name or f"media of {path.stem}"
    return import_path(home, path, name=title, strict=strict, importer=importer, media_root=root, progress=progress)


@dataclass(frozen=True, slots=True)
class MediaSource:
    """The importer of such a source; ``base`` is where its files are, ``root`` where they will be looked for."""

    known: Known
    base: Path
    root: Path
    adding: Adding
    kind: str = field(default="media", init=False)

    def recognises(self, path: Path) -> bool:
        """Only where it is asked for."""
        return path.exists()

    def files(self, path: Path) -> Iterable[Path]:
        """The manifest; the files of a folder are known by their checksums."""
        return [path] if path.is_file() else []

    def read(self, job: Job) -> Iterator[ox.Quad]:
        """See :class:`kg.importer.Importer`."""
        reading = _Reading(job, self)
        for row in read_rows(job.path):
            job.report.rows_read += 1
            try:
                quads = list(reading.row(row))
            except (BadMedia, BadTerm) as error:
                job.report.reject(job.path.name, str(error), row=row.number, column=row.file or "file")
                continue
            yield from quads


class _Reading:
    def __init__(self, job: Job, source: MediaSource) -> None:
        self._job, self._source = job, source
        self._folder = MediaFolder(source.base)
        self._first: dict[tuple[str, str], str] = {}

    def row(self, row: MediaRow) -> Iterator[ox.Quad]:
        """The items of a row. Raises BadMedia, BadTerm."""
        if not row.file:
            raise BadMedia("the row names no file")
        edge, entity = self._shown(row)
        path = self._folder.find(row.file, [self._folder.root])
        if path is None:
            raise BadMedia(f"{row.file} is not there")
        owner = entity or (edge.tail if edge else None)
        if path.is_dir():
            yield from self._sequence(row, self._folder.inside(path), owner, edge)
            return
        self._once(row, path, owner)
        item, quads = self._file(row, path)
        yield from quads
        yield from self._tied(item, entity, edge)
        yield from self._said(row, item)
        yield from self._taken_out(path, item, entity, edge)

    def _shown(self, row: MediaRow) -> tuple[Edge | None, ox.NamedNode | None]:
        if row.entity and (row.subject or row.predicate or row.object):
            raise BadTerm("name an entity or a triple, not both")
        if row.entity:
            return None, self._source.known.entity(row.entity)
        if row.subject and row.predicate and row.object:
            return self._source.known.triple(row.subject, row.predicate, row.object), None
        raise BadTerm("the row names neither an entity nor a subject, a predicate and an object")

    def _once(self, row: MediaRow, path: Path, owner: ox.NamedNode | None) -> None:
        digest = self._folder.read(path).sha256
        before = self._first.setdefault((digest, owner.value if owner else ""), row.file)
        if before != row.file:
            raise BadMedia(f"{row.file} is the same, byte for byte, as {before}")

    def _file(self, row: MediaRow, path: Path) -> tuple[ox.NamedNode, list[ox.Quad]]:
        media, seen = self._folder.read(path), probe(path)
        if row.modality and row.modality != seen.modality:
            raise BadMedia(f"{row.file} is {seen.media_type} by its content, the row says {row.modality}")
        self._job.report.media_found += 1
        media = MediaFile(self._placed(path, media.sha256, seen), seen.media_type, media.sha256)
        return self._item(media, seen, kind=media_class(media, otherwise=terms.MEDIA_ITEM))

    def _item(self, media: MediaFile, seen: Probe, *, kind: ox.NamedNode) -> tuple[ox.NamedNode, list[ox.Quad]]:
        iri, graph = media_iri(self._job.base_iri, media.relative), self._job.graph
        described = media_quads(iri, media, kind=kind, entity=iri, graph=graph)
        quads = [quad for quad in described if quad.predicate != terms.HAS_MEDIA]
        return iri, [*quads, *size_quads(iri, seen, graph=graph)]

    def _sequence(
        self, row: MediaRow, files: list[Path], owner: ox.NamedNode | None, edge: Edge | None
    ) -> Iterator[ox.Quad]:
        if not files or owner is None:
            raise BadMedia(f"{row.file} holds no files")
        graph = self._job.graph
        sequence = ox.NamedNode(f"{media_iri(self._job.base_iri, row.file).value}/sequence")
        place = 0
        for path in files:
            try:
                media, seen = self._folder.read(path), probe(path)
                _expect_picture(path, seen)
            except BadMedia as error:
                self._job.report.reject(self._job.path.name, f"{error} (this frame is left out)", row=row.number)
                continue
            self._job.report.media_found += 1
            kept = MediaFile(self._placed(path, media.sha256, seen), seen.media_type, media.sha256)
            frame, quads = self._item(kept, seen, kind=terms.KEYFRAME)
            yield from quads
            yield from keyframe_quads(frame, place, video=sequence, graph=graph)
            place += 1
        if place:
            yield ox.Quad(sequence, terms.RDF_TYPE, terms.IMAGE_SEQUENCE, graph)
            yield from self._tied(sequence, None if edge else owner, edge)
            yield from self._said(row, sequence)

    def _tied(self, item: ox.NamedNode, entity: ox.NamedNode | None, edge: Edge | None) -> Iterator[ox.Quad]:
        job = self._job
        if entity is not None:
            yield ox.Quad(entity, terms.HAS_MEDIA, item, job.graph)
        if edge is not None:
            evidenced = Edge(edge.head, edge.relation, edge.tail, evidence=(item,))
            yield from edge_quads(evidenced, graph=job.graph, facts=job.facts, base_iri=job.base_iri)

    def _said(self, row: MediaRow, item: ox.NamedNode) -> Iterator[ox.Quad]:
        graph = self._job.graph
        if row.caption:
            caption = ox.NamedNode(f"{item.value}/caption")
            yield ox.Quad(item, terms.HAS_CAPTION, caption, graph)
            yield ox.Quad(caption, terms.RDF_TYPE, terms.CAPTION_CLASS, graph)
            yield ox.Quad(caption, terms.CAPTION_TEXT, text_literal(row.caption), graph)
            yield ox.Quad(caption, terms.DESCRIBES, item, graph)
        if row.licence:
            yield ox.Quad(item, terms.term("dcterms:license"), parse_iri(row.licence).iri, graph)
        if row.creator:
            yield ox.Quad(item, terms.term("dcterms:creator"), text_literal(row.creator), graph)

    def _taken_out(
        self, path: Path, film: ox.NamedNode, entity: ox.NamedNode | None, edge: Edge | None
    ) -> Iterator[ox.Quad]:
        """Keyframes and the sound of a film, where they are asked for."""
        if not (self._source.adding.keyframes or self._source.adding.split_audio):
            return
        seen = probe(path)
        if seen.modality != "video":
            return
        if self._source.adding.keyframes:
            for place, picture in enumerate(sample_frames(path)):
                frame, quads = self._kept_picture(picture)
                yield from quads
                yield from keyframe_quads(frame, place, video=film, graph=self._job.graph)
        if self._source.adding.split_audio and seen.has_audio:
            target = self._source.root / f".{secrets.token_hex(8)}.wav"
            try:
                write_sound_track(path, target)
                digest = MediaFolder(self._source.root).read(target).sha256
                sound = probe(target)
                relative = f"{digest[:2]}/{digest}.wav"
                self._moved(target, relative)
            finally:
                target.unlink(missing_ok=True)
            item, quads = self._item(MediaFile(relative, sound.media_type, digest), sound, kind=terms.AUDIO)
            yield from quads
            yield from self._tied(item, entity, edge)
            yield ox.Quad(item, terms.DCTERMS_SOURCE, film, self._job.graph)

    def _kept_picture(self, picture: object) -> tuple[ox.NamedNode, list[ox.Quad]]:
        target = self._source.root / f".{secrets.token_hex(8)}.png"
        try:
            Image.fromarray(picture).save(target)  # type: ignore[arg-type]
            digest, seen = MediaFolder(self._source.root).read(target).sha256, probe(target)
            relative = f"{digest[:2]}/{digest}.png"
            self._moved(target, relative)
        finally:
            target.unlink(missing_ok=True)
        return self._item(MediaFile(relative, seen.media_type, digest), seen, kind=terms.KEYFRAME)

    def _placed(self, path: Path, sha256: str, seen: Probe) -> str:
        """Where the file is to be found below the root: where it is, or where its copy is."""
        if not self._source.adding.keeps:
            return path.relative_to(self._source.root).as_posix()
        suffix = _SUFFIXES.get(seen.media_type, f".{seen.media_type.rpartition('/')[2]}")
        relative = f"{sha256[:2]}/{sha256}{suffix}"
        if not (self._source.root / relative).exists():
            draft = self._source.root / f".{secrets.token_hex(8)}.tmp"
            try:
                shutil.copyfile(path, draft)
                self._moved(draft, relative)
            except OSError as error:
                raise StoreError(f"{path.name} cannot be kept in {self._source.root}: {error.strerror}") from error
            finally:
                draft.unlink(missing_ok=True)
        return relative

    def _moved(self, draft: Path, relative: str) -> None:
        target = self._source.root / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        draft.replace(target)


def _expect_picture(path: Path, seen: Probe) -> None:
    if seen.modality != "image":
        raise BadMedia(f"{path.name} is {seen.media_type}, and frames are pictures")
