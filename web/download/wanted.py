"""What a download asks for, and the address and file name that it has: ``/download/source/cafe.ttl.gz``."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Self, get_args
from urllib.parse import quote

from kg.exporting import FORMATS, Format

Part = Literal["graph", "source", "class", "metadata"]
GZIP = ".gz"
GZIP_TYPE = "application/gzip"
BY_SUFFIX: Mapping[str, Format] = {fmt.suffix: fmt for fmt in FORMATS.values()}
TITLES: Mapping[str, str] = {
    "turtle": "Turtle",
    "trig": "TriG",
    "ntriples": "N-Triples",
    "nquads": "N-Quads",
    "rdfxml": "RDF/XML",
    "jsonld": "JSON-LD",
}
"""The formats as their specifications call them."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """
    One file: the part of the graph, the format, packed or not.

    ``name`` is the short name of a source, the IRI of a class, else "".
    """

    part: Part
    fmt: Format
    name: str = ""
    gzip: bool = False

    @classmethod
    def read(cls, part: str, suffix: str, *, name: str = "") -> Self | None:
        """What an address asks for by its part and suffix, e.g. ``.ttl.gz``; None where there is no such thing."""
        gzip = suffix.endswith(GZIP)
        fmt = BY_SUFFIX.get(suffix.removesuffix(GZIP))
        known = next((one for one in get_args(Part) if one == part), None)
        return None if fmt is None or known is None else cls(known, fmt, name, gzip)

    @property
    def suffix(self) -> str:
        """What the file's name ends in."""
        return self.fmt.suffix + (GZIP if self.gzip else "")

    @property
    def key(self) -> str:
        """A name for the file in a folder, whatever the name of the part holds."""
        digest = f"-{hashlib.sha256(self.name.encode()).hexdigest()[:24]}" if self.name else ""
        return f"{self.part}{digest}{self.suffix}"

    @property
    def file_name(self) -> str:
        """What the reader's computer is to call it."""
        stem = self.name if self.part == "source" else terms_stem(self.name) if self.name else self.part
        return f"{stem if self.name else 'scoutfly-' + self.part}{self.suffix}"

    @property
    def media_type(self) -> str:
        """Its Content-Type. A packed file is one: nothing unpacks it on the way."""
        return GZIP_TYPE if self.gzip else self.fmt.syntax.media_type

    @property
    def address(self) -> str:
        """Where it is, from the root of the site."""
        if self.part == "source":
            return f"/download/source/{quote(self.name, safe='')}{self.suffix}"
        query = f"?iri={quote(self.name, safe='')}" if self.part == "class" else ""
        return f"/download/{self.part}{self.suffix}{query}"


def terms_stem(iri: str) -> str:
    """
    A short name for a class, for a file's name.

    >>> terms_stem("https://w3id.org/scoutfly/mhw#AttackAction"), terms_stem("urn:x:../..")
    ('AttackAction', 'class')
    """
    last = iri.rstrip("/#:").replace("#", "/").replace(":", "/").rsplit("/", 1)[-1]
    kept = "".join(letter for letter in last if letter.isalnum() or letter in "-_")[:60]
    return kept or "class"
