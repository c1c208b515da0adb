"""Refuses XML documents whose entities could grow, stand in other files, or be declared where they should not be.

Parsers of RDF/XML find declarations in their own ways: some look for ``<!ENTITY`` in comments of the DTD, in names of
files and behind the root's start tag. So this goes by the bytes: there is at most one DOCTYPE, before the root, that
every parser sees end at the same place, and all in it that looks like a declaration is a short text without references.
Short entities for namespaces, as Protégé writes them, are harmless.
"""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import IO
from xml.parsers import expat

from kg.errors import ImportFailed

Opened = Callable[[], AbstractContextManager[IO[bytes]]]
"""Opens the document anew, at its start."""

LEAST_EXPANSION_BYTES = 1 << 20
MOST_EXPANSION = 20
"""What entities stand for may take 1 MiB altogether, or 20 times the document where that is more."""
_LONGEST_ENTITY = 1024
_MOST_ENTITIES = 1000
_MOST_PROLOGUE_BYTES = 1 << 22
_CHUNK = 1 << 20
_DOCTYPE = b"<!doctype"
_ENTITY = re.compile(r"<!ENTITY", re.IGNORECASE)
_HARMLESS = re.compile(r"""<!ENTITY[ \t\r\n]+([^\s"'%&<>]+)[ \t\r\n]+("[^"&<>]*"|'[^'&<>]*')[ \t\r\n]*>""")
_REFERENCE = re.compile(r"%[^\s\"'<>&%;]+;")
_MISC = re.compile(r"\ufeff|\s+|<\?.*?\?>|<!--.*?-->", re.DOTALL)


def refuse_entity_bombs(opened: Opened, name: str) -> None:
    """Raises ImportFailed, saying why, where the entities of an XML document could do harm."""
    with opened() as stream:
        count, size = _doctypes(stream)
    if not count:
        return
    prologue = _Prologue(name)
    with opened() as stream:
        prologue.read(stream, whole=False)
    lengths = _declared(prologue, name) if prologue.found else {}
    if count > 1 or not prologue.found:  # the others have to be text
        with opened() as stream:
            _Prologue(name).read(stream, whole=True)
    with opened() as stream:
        _refuse_growth(stream, lengths, prologue.encoding, name=name, size=size)


def _doctypes(stream: IO[bytes]) -> tuple[int, int]:
    """How often the document says DOCTYPE, in any case and any encoding that holds ASCII; its bytes."""
    count, size, tail = 0, 0, b""
    while chunk := stream.read(_CHUNK):
        size += len(chunk)
        seen = tail + chunk.replace(b"\x00", b"").lower()
        count += seen.count(_DOCTYPE)
        tail = seen[-len(_DOCTYPE) + 1 :]
    return count, size


class _RootReached(Exception):
    """The prologue of an XML document is over."""


@dataclass(slots=True)
class _Prologue:
    """What stands before the root, as expat delimits it: it knows comments, quotes and encodings."""

    name: str
    found: bool = False
    end: int = 0
    """The place of the > that ends the DOCTYPE, in bytes."""
    head: bytes = b""
    _over: bool = field(default=False)

    @property
    def encoding(self) -> str:
        """The encoding of the document, as far as its ASCII characters go."""
        if self.head[:2] in (b"\xff\xfe", b"<\x00"):
            return "utf-16-le"
        return "utf-16-be" if self.head[:2] in (b"\xfe\xff", b"\x00<") else "utf-8"

    @property
    def doctype(self) -> str:
        """The text of the DOCTYPE, from its first character to the > that ends it."""
        text = self.head[: self.end + len(">".encode(self.encoding))].decode(self.encoding, "replace")
        place = 0
        while match := _MISC.match(text, place):
            place = match.end()
        return text[place:]

    def read(self, stream: IO[bytes], *, whole: bool) -> None:
        """Read up to the root, or on to the end, so that nothing behind it is a DOCTYPE. Raises ImportFailed."""
        parser = expat.ParserCreate()

        def end_of_doctype() -> None:
            self.found, self.end = True, parser.CurrentByteIndex

        def root(*_: object) -> None:
            parser.StartElementHandler = None
            self._over = True
            if not whole:
                raise _RootReached

        parser.EndDoctypeDeclHandler = end_of_doctype
        parser.StartElementHandler = root
        try:
            while chunk := stream.read(_CHUNK):
                self._keep(chunk)
                parser.Parse(chunk, False)
            if whole:
                parser.Parse(b"", True)
        except _RootReached:
            return
        except expat.ExpatError as error:
            raise ImportFailed(f"{self.name}, line {error.lineno}: {expat.ErrorString(error.code)}") from error

    def _keep(self, chunk: bytes) -> None:
        if self._over:
            return
        self.head += chunk
        if len(self.head) > _MOST_PROLOGUE_BYTES + _CHUNK:
            raise ImportFailed(f"{self.name} holds no element in its first {_MOST_PROLOGUE_BYTES >> 20} MiB")


def _declared(prologue: _Prologue, name: str) -> dict[str, int]:
    """Entity → how many characters it stands for. Raises ImportFailed where a declaration is not harmless."""
    text = prologue.doctype
    lengths: dict[str, int] = {}
    for found in _ENTITY.finditer(text):
        harmless = _HARMLESS.match(text, found.start())
        if harmless is None or len(harmless[2]) > _LONGEST_ENTITY + 2:
            raise ImportFailed(
                f"{name} declares the XML entity {_name_at(text, found.end())}, which could grow or stands outside the "
                "document: this is refused"
            )
        lengths[harmless[1]] = max(lengths.get(harmless[1], 0), len(harmless[2]) - 2)
    if reference := _REFERENCE.search(text):
        raise ImportFailed(f"{name} refers to the XML entity {reference.group()[1:40]} in its DTD: this is refused")
    _refuse_ambiguous(text, name)
    if len(lengths) > _MOST_ENTITIES:
        raise ImportFailed(f"{name} declares more than {_MOST_ENTITIES:,} XML entities: this is refused")
    return lengths


def _name_at(text: str, place: int) -> str:
    """The name of an entity that is declared there, as far as there is one."""
    return (text[place : place + 80].replace("%", " ").split() or ["without a name"])[0]


def _refuse_ambiguous(text: str, name: str) -> None:
    """Parsers that only count < and > must see the DOCTYPE end where expat does."""
    depth = 0
    for place in re.finditer(r"[<>]", text):
        depth += 1 if place.group() == "<" else -1
        if depth <= 0:
            break
    ends = depth == 0 and place.end() == len(text)
    if not ends or text.lower().count("<!doctype") != 1:
        raise ImportFailed(f"{name} has a DTD of which it is not clear where it ends: this is refused")


def _refuse_growth(stream: IO[bytes], lengths: dict[str, int], encoding: str, *, name: str, size: int) -> None:
    """Raises ImportFailed where references to short entities add up to a long document."""
    weights = {
        f"&{entity};".encode(encoding).replace(b"\x00", b""): length
        for entity, length in lengths.items()
        if length > MOST_EXPANSION * (len(entity) + 2)
    }
    if not weights:
        return
    left, tail = max(LEAST_EXPANSION_BYTES, MOST_EXPANSION * size), b""
    keep = max(map(len, weights)) - 1
    while chunk := stream.read(_CHUNK):
        seen = tail + chunk.replace(b"\x00", b"")
        left -= sum(length * (seen.count(one) - tail.count(one)) for one, length in weights.items())
        if left < 0:
            raise ImportFailed(f"{name} grows by its XML entities beyond measure: this is refused")
        tail = seen[-keep:]
