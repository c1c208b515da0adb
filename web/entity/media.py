"""
Media items: which file an item stands for, and the answer that holds it.

The address of a file names the item's IRI, never a path. The graph says the path, the home says below which folder, and
the file is told by the media type that the graph states, where its first bytes agree, or else by these, never by its
name. So nothing but media leaves the folder, whatever path and type a graph states. Pictures that
can hold scripts (SVG) come as attachments under a policy that runs none. What lies elsewhere is linked, never fetched.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import pyoxigraph as ox
from flask import Response, abort, send_file

from kg.errors import StoreError
from kg.home import Home
from kg.media.errors import BadMedia
from kg.media.sniffing import media_type
from kg.media_roots import MediaRoots, file_below
from ontology import terms
from web.addresses import Addresses
from web.entity.provenance import Graphs
from web.entity.signatures import is_of_type

_LOG = logging.getLogger(__name__)
PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/svg+xml"})
SOUNDS = frozenset(
    {"audio/mpeg", "audio/ogg", "audio/wav", "audio/x-wav", "audio/flac", "audio/mp4", "audio/aac", "audio/webm"}
)
FILMS = frozenset({"video/mp4", "video/webm", "video/ogg", "video/quicktime"})
_SHOWN = PICTURES | SOUNDS | FILMS
_ATTACHED = frozenset({"image/svg+xml"})
_ALIASES = {"application/ogg": "audio/ogg", "image/jpg": "image/jpeg", "audio/x-wav": "audio/wav"}
_HEAD_BYTES = 4096
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


@dataclass(frozen=True, slots=True)
class LocalFile:
    """A file of a media item, and the media type to send it as."""

    path: Path
    media_type: str


@dataclass(frozen=True, slots=True)
class MediaFiles:
    """Finds the files of media items; ``roots`` are the folders of the sources, by their short names."""

    graphs: Graphs
    roots: dict[str, Path]
    addresses: Addresses

    def find(self, item: ox.NamedNode) -> LocalFile:
        """The file of an item. Raises BadMedia, saying in a few words why there is none to show."""
        reason = BadMedia("the graph names no file")
        stated = self.graphs.values_of(item, terms.ENCODING_FORMAT)
        formats = [value.value for value, _ in stated if isinstance(value, ox.Literal)]
        for value, graph in sorted(self.graphs.values_of(item, terms.CONTENT_URL), key=str):
            slug = graph.removeprefix(terms.source_graph("").value)
            try:
                return _typed(self._path(slug, value), formats)
            except BadMedia as error:
                reason = error
        raise reason

    def _path(self, slug: str, value: object) -> Path:
        relative = self._relative(slug, value)
        root = self.roots.get(slug)
        if root is None or not root.is_dir():
            raise BadMedia("the folder of its source is not on this machine")
        return file_below(root, relative)

    def _relative(self, slug: str, value: object) -> str:
        if isinstance(value, ox.Literal):
            return value.value
        base = self.addresses.bases.get(slug, "")
        if isinstance(value, ox.NamedNode) and base and value.value.startswith(base):
            return unquote(value.value[len(base) :])
        raise BadMedia("the file lies elsewhere")


def find_files(home: Home | None, graphs: Graphs, addresses: Addresses) -> MediaFiles:
    """What finds the media files of a home; nothing where there is none, or where it does not say where they are."""
    try:
        roots = MediaRoots(home.path).read() if home else {}
    except StoreError as error:
        _LOG.warning("pages are shown without media: %s", error)
        roots = {}
    return MediaFiles(graphs, roots, addresses)


def answer_file(files: MediaFiles, item: ox.NamedNode) -> Response:
    """The file of a media item, whole or the range that is asked for. Aborts with 404 where there is none to show."""
    try:
        file = files.find(item)
        attached = file.media_type in _ATTACHED
        response = send_file(file.path, mimetype=file.media_type, as_attachment=attached, conditional=True, max_age=0)
    except (BadMedia, OSError) as error:
        said = str(error) if isinstance(error, BadMedia) else "the file cannot be read"
        abort(404, f"This media item cannot be shown: {said}.")
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def remote_address(values: Sequence[object]) -> str:
    """The first http(s) address among content URLs; "" where there is none."""
    texts = [value.value for value in values if isinstance(value, (ox.NamedNode, ox.Literal))]
    return next((text for text in texts if is_web_address(text)), "")


def is_web_address(text: str) -> bool:
    """Whether a text is an address that a browser may be led to.

    >>> is_web_address("https://example.org/a"), is_web_address("javascript:alert(1)"), is_web_address("http:x")
    (True, False, False)
    """
    return text.lower().startswith(("http://", "https://")) and not any(c.isspace() or ord(c) < 32 for c in text)


def _typed(path: Path, formats: Sequence[str]) -> LocalFile:
    """The file with the first stated type that pages show, or without one with that of its bytes. Raises BadMedia."""
    stated = [_ALIASES.get(name, name) for name in (text.partition(";")[0].strip().lower() for text in formats)]
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD_BYTES)
    except OSError as error:
        raise BadMedia("the file cannot be read") from error
    shown = next((name for name in stated if name in _SHOWN), None) or (None if stated else media_type(head))
    known = _ALIASES.get(shown or "", shown or "")
    if known not in _SHOWN:
        raise BadMedia("it is of no kind that a page can show")
    if not is_of_type(head, known):
        raise BadMedia("the file is not what the graph says that it is")
    return LocalFile(path, known)
