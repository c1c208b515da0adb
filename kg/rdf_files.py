"""Opens RDF files, plain or gzipped, and refuses what would harm or mislead before a parser sees it.

Tells the syntax, bounds what a gzip file may unpack to, refuses XML entity bombs, and looks for RDF 1.2 triple terms,
which other tools cannot read. Nothing here touches the network: a remote JSON-LD context is an error.
"""

import gzip
import hashlib
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pyoxigraph as ox

from kg.errors import ImportFailed
from kg.xml_entities import refuse_entity_bombs
from ontology.errors import NotRdf
from ontology.files import READABLE, SNIFFED_BYTES, refuse_foreign

SUFFIXES: dict[str, ox.RdfFormat] = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".trig": ox.RdfFormat.TRIG,
    ".nt": ox.RdfFormat.N_TRIPLES,
    ".nq": ox.RdfFormat.N_QUADS,
    ".rdf": ox.RdfFormat.RDF_XML,
    ".xml": ox.RdfFormat.RDF_XML,
    ".owl": ox.RdfFormat.RDF_XML,
    ".jsonld": ox.RdfFormat.JSON_LD,
    ".json": ox.RdfFormat.JSON_LD,
}
BY_LINE = (ox.RdfFormat.N_TRIPLES, ox.RdfFormat.N_QUADS)
WITH_GRAPHS = (ox.RdfFormat.N_QUADS, ox.RdfFormat.TRIG, ox.RdfFormat.JSON_LD)

LEAST_UNPACKED_BYTES = 1 << 30
MOST_EXPANSION = 100
"""A gzip file may unpack to 1 GiB, or to 100 times its size where that is more: honest dumps stay below 50 times."""

_CHUNK = 1 << 20
_GZIP = b"\x1f\x8b"
# What a document with RDF 1.2 terms may hold beside reifiers; literals may hold it too, so a query decides.
_RDF_12_SIGNS = (b"<<(", b"--ltr", b"--rtl")
_RDF_12_SIGNS_IN_XML = (b"Triple", b":dir")


def plain_name(path: Path) -> str:
    """The file's name without ``.gz``."""
    return path.name[:-3] if path.name.lower().endswith(".gz") else path.name


def is_rdf(path: Path) -> bool:
    """Whether the name of a file says that it is RDF."""
    return path.is_file() and Path(plain_name(path)).suffix.lower() in SUFFIXES


class Content:
    """What a pass over a file's bytes finds: their hash, and whether they may hold RDF 1.2 terms."""

    def __init__(self, signs: tuple[bytes, ...]) -> None:
        self._hash = hashlib.sha256()
        self._signs = signs
        self._tail = b""
        self.maybe_rdf_12 = False

    @property
    def sha256(self) -> str:
        """The hash of all bytes so far, in hexadecimal."""
        return self._hash.hexdigest()

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes of the file, unpacked."""
        self._hash.update(chunk)
        if not self.maybe_rdf_12:
            seen = self._tail + chunk
            self.maybe_rdf_12 = any(sign in seen for sign in self._signs)
            self._tail = seen[-16:]


class RdfFile:
    """An RDF file at ``path``. Raises ImportFailed where it is something else, or dangerous."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.name
        with path.open("rb") as stream:
            self.gzipped = stream.read(2) == _GZIP
        head = self._head()
        _refuse_foreign(head, self.name)
        self.syntax = self._syntax(head)
        is_xml = self.syntax == ox.RdfFormat.RDF_XML
        self.content = Content(_RDF_12_SIGNS_IN_XML if is_xml else _RDF_12_SIGNS)
        if is_xml:
            refuse_entity_bombs(self.open, self.name)

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """The unpacked bytes. Raises ImportFailed where they are broken, or more than they may be."""
        with self.path.open("rb") as raw:
            try:
                if not self.gzipped:
                    yield raw
                    return
                limit = max(LEAST_UNPACKED_BYTES, MOST_EXPANSION * self.path.stat().st_size)
                with gzip.open(raw) as unpacked:
                    yield io.BufferedReader(_Bounded(unpacked, limit=limit, name=self.name), _CHUNK)
            except (EOFError, gzip.BadGzipFile, zlib.error) as error:
                raise ImportFailed(f"{self.name} is a broken gzip file: {error}") from error

    def examine(self) -> Content:
        """Read the file once and say what its bytes hold."""
        with self.open() as stream:
            while chunk := stream.read(_CHUNK):
                self.content.feed(chunk)
        return self.content

    def _head(self) -> bytes:
        with self.open() as stream:
            return stream.read(SNIFFED_BYTES)

    def _syntax(self, head: bytes) -> ox.RdfFormat:
        suffix = Path(plain_name(self.path)).suffix.lower()
        syntax = SUFFIXES.get(suffix)
        if syntax is None:
            raise ImportFailed(f"{self.name} has no suffix of an RDF syntax: {READABLE}")
        looks_like_xml = head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"<?xml", b"<rdf:RDF", b"<!DOCTYPE"))
        if suffix == ".owl" and not looks_like_xml and b"\x00" not in head:
            return ox.RdfFormat.TURTLE
        return syntax


def refuse_foreign_file(path: Path) -> None:
    """Raises ImportFailed, saying what the file is, where its first bytes show that it is no RDF."""
    with path.open("rb") as stream:
        _refuse_foreign(stream.read(SNIFFED_BYTES), path.name)


def _refuse_foreign(head: bytes, name: str) -> None:
    try:
        refuse_foreign(head, name)
    except NotRdf as error:
        raise ImportFailed(str(error)) from error


class _Bounded(io.RawIOBase):
    """A stream that ends in an error after ``limit`` bytes."""

    def __init__(self, stream: gzip.GzipFile, *, limit: int, name: str) -> None:
        self._stream = stream
        self._left = limit
        self._error = f"{name} unpacks to more than {limit >> 20} MiB: unpack it yourself if you trust it"

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        chunk = self._stream.read(len(buffer))
        self._left -= len(chunk)
        if self._left < 0:
            raise ImportFailed(self._error)
        buffer[: len(chunk)] = chunk
        return len(chunk)
