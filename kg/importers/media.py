"""The media files that a source names: found inside its folder or refused, told by content, checksummed, described.

A path out of a spreadsheet is a stranger's: it is resolved, and what leaves the folder of the source (by ``..``, as an
absolute path, or through a link) is not touched. The bytes stay where they are; the graph gets a path below the source.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import pyoxigraph as ox

from kg.importers.segments import segment
from kg.iri import parse_iri
from kg.literals import text_literal
from kg.media.errors import BadMedia
from kg.media.probing import Probe
from kg.media.sniffing import media_type_of
from ontology import terms

XSD_NON_NEGATIVE, XSD_INTEGER, XSD_DECIMAL, XSD_DURATION = (
    terms.term(f"xsd:{name}") for name in ("nonNegativeInteger", "integer", "decimal", "duration")
)
_CHUNK = 1 << 20
_DRIVE = re.compile(r"[A-Za-z]:")
_LFS = b"version https://git-lfs"


@dataclass(frozen=True, slots=True)
class MediaFile:
    """A file inside the source: its path below the source's folder, media type (None where unknown) and SHA-256."""

    relative: str
    media_type: str | None
    sha256: str


@dataclass(frozen=True, slots=True)
class MediaFolder:
    """The folder of a source. ``root`` is resolved; nothing outside it is opened."""

    root: Path

    def find(self, value: str, places: Sequence[Path]) -> Path | None:
        """The file or folder called ``value`` in the first of ``places`` that has it; None where none has.

        A name that a Mac wrote may be decomposed on disk and composed in the source, or the other way round. Raises
        BadMedia for a path that is absolute or leads out of the source.
        """
        forms = dict.fromkeys([value, unicodedata.normalize("NFC", value), unicodedata.normalize("NFD", value)])
        return next((path for form in forms if (path := self._find(form, places)) is not None), None)

    def _find(self, value: str, places: Sequence[Path]) -> Path | None:
        posix = value.replace("\\", "/")
        if posix.startswith("/") or _DRIVE.match(posix) or "\x00" in posix:
            raise BadMedia(f"{value!r} is an absolute path: name a file below the folder of the source")
        outside = False
        for place in places:
            try:
                resolved = (place / posix).resolve()
                if not resolved.is_relative_to(self.root):
                    outside = True
                elif resolved.exists():
                    return resolved
            except (OSError, RuntimeError) as error:  # a name too long, a loop of links
                raise BadMedia(f"{value!r} cannot be looked up: {error}") from error
        if outside:
            raise BadMedia(f"{value!r} leads out of the folder of the source")
        return None

    def inside(self, folder: Path) -> list[Path]:
        """The files below ``folder`` in natural order (2 before 10), without hidden ones and links that lead out."""
        found = [
            path
            for path in folder.rglob("*")
            if path.is_file()
            and path.resolve().is_relative_to(self.root)
            and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        ]
        return sorted(found, key=lambda path: natural_key(path.relative_to(folder).as_posix()))

    def read(self, path: Path) -> MediaFile:
        """What the file is. Raises BadMedia for an empty file, a Git LFS pointer or a file that cannot be read."""
        try:
            if path.stat().st_size == 0:
                raise BadMedia(f"{path.name} is empty")
            kind = media_type_of(path)
            digest = hashlib.sha256()
            with path.open("rb") as stream:
                if stream.read(len(_LFS)) == _LFS:
                    raise BadMedia(f"{path.name} is a Git LFS pointer: fetch the file itself")
                stream.seek(0)
                while chunk := stream.read(_CHUNK):
                    digest.update(chunk)
        except OSError as error:
            raise BadMedia(f"{path.name} cannot be read: {error.strerror or error}") from error
        return MediaFile(path.relative_to(self.root).as_posix(), kind, digest.hexdigest())


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """A sort key that puts ``frame2`` before ``frame10``.

    >>> sorted(["f10.png", "f2.png"], key=natural_key)
    ['f2.png', 'f10.png']
    """
    parts = re.split(r"([0-9]+)", name)
    # The text itself comes last, so that "f01" and "f1" have an order too.
    return [(1, int(part), "") if index % 2 else (0, 0, part.casefold()) for index, part in enumerate(parts)] + [
        (2, 0, name)
    ]


def media_iri(base_iri: str, relative: str) -> ox.NamedNode:
    """The IRI of the file at ``relative``, a path that is the same wherever the source lies; case is kept.

    Raises BadTerm for a name that cannot be part of an IRI.

    >>> media_iri("http://example.org/", "Rathian/a #1.png").value
    'http://example.org/media/Rathian/a%20%231.png'
    """
    parts = PurePosixPath(relative).parts
    return parse_iri(f"{base_iri}media/" + "/".join(segment(part) for part in parts)).iri


def item_quads(iri: ox.NamedNode, file: MediaFile, *, kind: ox.NamedNode, graph: ox.NamedNode) -> Iterator[ox.Quad]:
    """A media item of class ``kind``: where it is and of what type. Raises BadTerm for a path that is no text."""
    yield ox.Quad(iri, terms.RDF_TYPE, kind, graph)
    yield ox.Quad(iri, terms.CONTENT_URL, text_literal(file.relative), graph)
    yield ox.Quad(iri, terms.SHA256, ox.Literal(file.sha256), graph)
    if file.media_type:
        yield ox.Quad(iri, terms.ENCODING_FORMAT, ox.Literal(file.media_type), graph)


def extent_quads(iri: ox.NamedNode, seen: Probe, *, graph: ox.NamedNode) -> Iterator[ox.Quad]:
    """How large a media item is, in pixels, and how long it lasts."""
    for name, pixels in ((terms.WIDTH, seen.width), (terms.HEIGHT, seen.height)):
        if pixels:
            yield ox.Quad(iri, name, ox.Literal(str(pixels), datatype=XSD_INTEGER), graph)
    if seen.duration_s:
        yield ox.Quad(iri, terms.DURATION, ox.Literal(f"PT{seen.duration_s:.3f}S", datatype=XSD_DURATION), graph)
    if seen.frame_rate and seen.modality == "video":
        yield ox.Quad(iri, terms.FRAME_RATE, ox.Literal(f"{seen.frame_rate:.3f}", datatype=XSD_DECIMAL), graph)


def rights_quads(
    iri: ox.NamedNode, *, licence: ox.NamedNode | None, creator: str, graph: ox.NamedNode
) -> Iterator[ox.Quad]:
    """Under which terms a media item may be used, and who made it. Raises BadTerm for a name that is no text."""
    if licence is not None:
        yield ox.Quad(iri, terms.term("dcterms:license"), licence, graph)
    if creator:
        yield ox.Quad(iri, terms.term("dcterms:creator"), text_literal(creator), graph)


def frame_iri(whole: ox.NamedNode, place: int) -> ox.NamedNode:
    """The IRI of the frame at ``place``, from 0, of a film or sequence: of its own, since a file may come again."""
    return ox.NamedNode(f"{whole.value}/{place + 1}")


def keyframe_quads(
    iri: ox.NamedNode, index: int, *, video: ox.NamedNode | None, graph: ox.NamedNode
) -> Iterator[ox.Quad]:
    """The place of a keyframe among those of its video, counted from 0."""
    yield ox.Quad(iri, terms.FRAME_INDEX, ox.Literal(str(index), datatype=XSD_NON_NEGATIVE), graph)
    if video is not None:
        yield ox.Quad(iri, terms.KEYFRAME_OF, video, graph)


def media_class(file: MediaFile, *, otherwise: ox.NamedNode) -> ox.NamedNode:
    """The class that a file's content shows, else the one that its column says."""
    family = (file.media_type or "").partition("/")[0]
    return {"image": terms.IMAGE, "video": terms.VIDEO, "audio": terms.AUDIO}.get(family, otherwise)
