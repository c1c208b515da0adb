"""
Adds media to entities and facts that are in the graph: as a source of its own, replaced when it is added again.

Files stay where they are, or are copied below the home by their checksum. What cannot be used (broken, mislabelled, of
an entity that nobody knows, outside the folder, there twice) is told row by row, and the rest goes on.
"""

import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import pyoxigraph as ox
from PIL import Image

from kg.errors import BadTerm, StoreError
from kg.home import Home
from kg.importer import Job, Progress
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
from kg.importers.statements import Edge, caption_quads, edge_quads
from kg.importing import import_path, silent
from kg.iri import parse_iri
from kg.media.decoding import sample_frames
from kg.media.errors import BadMedia
from kg.media.items import Picture
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
    """One run over the rows; what is wrong with one raises BadMedia or BadTerm before anything of it is kept."""

    def __init__(self, job: Job, source: MediaSource) -> None:
        self._job, self._source = job, source
        self._folder = MediaFolder(source.base)
        self._first: dict[tuple[str, ox.NamedNode], str] = {}
        self._captions: dict[ox.NamedNode, list[str]] = {}

    def row(self, row: MediaRow) -> Iterator[ox.Quad]:
        """The items of a row."""
        if not row.file:
            raise BadMedia("the row names no file")
        shows = self._shown(row)
        licence = parse_iri(row.licence).iri if row.licence else None
        path = self._folder.find(row.file, [self._folder.root])
        if path is None:
            raise BadMedia(f"{row.file} is not there")
        if path.is_dir():
            item, quads = self._sequence(row, self._folder.inside(path))
        else:
            item, quads = self._file(row, path, shows)
        yield from quads
        yield from self._tied(item, shows)
        yield from rights_quads(item, licence=licence, creator=row.creator, graph=self._job.graph)
        yield from self._caption(item, row.caption)

    def _shown(self, row: MediaRow) -> ox.NamedNode | Edge:
        """The entity that the row is about, or the triple."""
        if row.entity and (row.subject or row.predicate or row.object):
            raise BadTerm("name an entity or a triple, not both")
        if row.entity:
            return self._source.known.entity(row.entity)
        if row.subject and row.predicate and row.object:
            return self._source.known.triple(row.subject, row.predicate, row.object)
        raise BadTerm("the row names neither an entity nor a subject, a predicate and an object")

    def _file(self, row: MediaRow, path: Path, shows: ox.NamedNode | Edge) -> tuple[ox.NamedNode, list[ox.Quad]]:
        """The item of a file; with keyframes and sound, where those are asked for of a film."""
        media, seen = self._folder.read(path), probe(path)
        if row.modality and row.modality != seen.modality:
            raise BadMedia(f"{row.file} is {seen.media_type} by its content, the row says {row.modality}")
        owner = shows.tail if isinstance(shows, Edge) else shows
        before = self._first.setdefault((media.sha256, owner), row.file)
        if before != row.file:
            raise BadMedia(f"{row.file} is the same, byte for byte, as {before}")
        adding, taken_out = self._source.adding, list[ox.Quad]()
        kept = MediaFile(self._placed(path, media.sha256, seen), seen.media_type, media.sha256)
        item = media_iri(self._job.base_iri, kept.relative)
        if seen.modality == "video" and adding.keyframes:
            for place, picture in enumerate(sample_frames(path)):
                taken_out += self._frame(item, place, *self._made(partial(_save, picture), ".png"))
        if seen.modality == "video" and adding.split_audio and seen.has_audio:
            sound, heard = self._made(partial(write_sound_track, path), ".wav")
            track = media_iri(self._job.base_iri, sound.relative)
            taken_out += self._described(track, sound, heard, terms.AUDIO)
            taken_out += [*self._tied(track, shows), ox.Quad(track, terms.DCTERMS_SOURCE, item, self._job.graph)]
        self._job.report.media_found += 1
        kind = media_class(kept, otherwise=terms.MEDIA_ITEM)
        return item, [*self._described(item, kept, seen, kind), *taken_out]

    def _sequence(self, row: MediaRow, files: list[Path]) -> tuple[ox.NamedNode, list[ox.Quad]]:
        """The item of a folder of pictures; those that are none are left out, and told."""
        sequence = ox.NamedNode(f"{media_iri(self._job.base_iri, row.file).value}/sequence")
        frames: list[tuple[MediaFile, Probe]] = []
        for path in files:
            try:
                media, seen = self._folder.read(path), probe(path)
                _expect_picture(path, seen)
            except BadMedia as error:
                self._job.report.reject(self._job.path.name, f"{error} (this frame is left out)", row=row.number)
                continue
            kept = MediaFile(self._placed(path, media.sha256, seen), seen.media_type, media.sha256)
            frames.append((kept, seen))
        if not frames:
            raise BadMedia(f"{row.file} holds no pictures")
        self._job.report.media_found += len(frames)
        quads = [ox.Quad(sequence, terms.RDF_TYPE, terms.IMAGE_SEQUENCE, self._job.graph)]
        for place, (kept, seen) in enumerate(frames):
            quads += self._frame(sequence, place, kept, seen)
        return sequence, quads

    def _frame(self, whole: ox.NamedNode, place: int, media: MediaFile, seen: Probe) -> list[ox.Quad]:
        frame = frame_iri(whole, place)
        in_whole = keyframe_quads(frame, place, video=whole, graph=self._job.graph)
        return [*in_whole, *self._described(frame, media, seen, terms.KEYFRAME)]

    def _described(self, iri: ox.NamedNode, media: MediaFile, seen: Probe, kind: ox.NamedNode) -> list[ox.Quad]:
        graph = self._job.graph
        return [*item_quads(iri, media, kind=kind, graph=graph), *extent_quads(iri, seen, graph=graph)]

    def _tied(self, item: ox.NamedNode, shows: ox.NamedNode | Edge) -> Iterator[ox.Quad]:
        job = self._job
        if isinstance(shows, Edge):
            evidenced = replace(shows, evidence=(item,))
            yield from edge_quads(evidenced, graph=job.graph, facts=job.facts, base_iri=job.base_iri)
        else:
            yield ox.Quad(shows, terms.HAS_MEDIA, item, job.graph)

    def _caption(self, item: ox.NamedNode, text: str) -> Iterator[ox.Quad]:
        """A caption of the item; a file that stands in several rows may have several."""
        known = self._captions.setdefault(item, [])
        if text and text not in known:
            known.append(text)
            yield from caption_quads(
                item,
                text,
                graph=self._job.graph,
                caption_class=terms.CAPTION_CLASS,
                describes=[item],
                number=len(known),
            )

    def _made(self, write: Callable[[Path], object], suffix: str) -> tuple[MediaFile, Probe]:
        """A file that is made here, kept by its checksum."""
        draft = self._source.root / f".{secrets.token_hex(8)}{suffix}"
        try:
            write(draft)
            digest, seen = MediaFolder(self._source.root).read(draft).sha256, probe(draft)
            relative = f"{digest[:2]}/{digest}{suffix}"
            self._moved(draft, relative)
        finally:
            draft.unlink(missing_ok=True)
        return MediaFile(relative, seen.media_type, digest), seen

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


def _save(picture: Picture, path: Path) -> None:
    Image.fromarray(picture).save(path)
