"""Mints IRIs from names that people typed.

An IRI is minted once, at import, and never mended at export. Non-ASCII letters stay as they are (RFC 3987); what an
IRI may not hold is percent-encoded. Relations are named by ``ontology.naming``, without percent escapes. Knows
nothing of which names mean the same thing.
"""

import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import urljoin

import pyoxigraph as ox

from kg.errors import BadTerm

DATA_NS = "https://w3id.org/scoutfly/data/"
"""Where the individuals of a source stand that names no base IRI of its own."""

# RFC 3987 iunreserved and sub-delims plus ":" and "@": what a path segment may hold as it is, among ASCII characters.
_SEGMENT = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@")
# What a whole IRI may never hold; its delimiters and its percent escapes are kept byte for byte.
_ILLEGAL = re.compile(r'[\x00-\x20<>"{}|\\^`\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]')
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(frozen=True, slots=True)
class Minted:
    """An IRI, and whether a character of its name had to be percent-encoded."""

    iri: ox.NamedNode
    encoded: bool


def clean(text: str) -> str:
    """``text`` in NFC, without white space at its ends and with single spaces for white space and control characters.

    >>> clean("  Tail \\n Slam ")
    'Tail Slam'
    """
    spaced = "".join(" " if unicodedata.category(char) == "Cc" else char for char in text)
    return " ".join(unicodedata.normalize("NFC", spaced).split())


def slug(text: str) -> str:
    """A name as one path segment: lower case, hyphens for spaces, the rest percent-encoded where illegal.

    Two names have one slug only where they differ in case or white space. Raises BadTerm for an empty name.

    >>> slug("Triple Fireballs"), slug("Ōkami (phase 2)"), slug('John "X" Doe')
    ('triple-fireballs', 'ōkami-(phase-2)', 'john-%22x%22-doe')
    """
    hyphened = clean(text).lower().replace(" ", "-").replace("_", "-")
    if not hyphened.strip("-."):
        raise BadTerm(f"no name can be made of {text!r}: it holds nothing but spaces, hyphens or dots")
    return "".join(_escape(char) for char in hyphened)


def file_slug(text: str) -> str:
    """A name as the slug of a source: letters, digits and single hyphens only, safe in IRIs and in file names.

    Raises BadTerm where nothing is left.

    >>> file_slug("My Graph (v2).ttl")
    'my-graph-v2-ttl'
    """
    words = re.findall(r"[^\W_]+", clean(text).lower())
    if not words:
        raise BadTerm(f"{text!r} holds no letter or digit: give the source a name")
    return "-".join(words)


def mint(base: str, *names: str) -> Minted:
    """The IRI of the thing called ``names`` (outermost first) under ``base``, which ends in ``/`` or ``#``.

    Raises BadTerm for an empty name or an illegal base.

    >>> mint("http://example.org/id/", "Rathian", "a<b").iri.value
    'http://example.org/id/rathian/a%3Cb'
    """
    segments = [slug(name) for name in names]
    plain = all(_is_plain(name) for name in names)
    return Minted(_node(base + "/".join(segments)), not plain)


def parse_iri(text: str, *, base: str | None = None) -> Minted:
    """The IRI that ``text`` is meant to be: trimmed, its illegal characters encoded, resolved against ``base``.

    Percent escapes and delimiters stay as they are. Raises BadTerm where it is relative and there is no base.

    >>> parse_iri(" http://example.org/a b\\n").iri.value
    'http://example.org/a%20b'
    """
    trimmed = clean(text)
    encoded = _BAD_ESCAPE.sub("%25", _ILLEGAL.sub(lambda match: _percent(match[0]), trimmed))
    if not _SCHEME.match(encoded):
        if base is None:
            raise BadTerm(f"{text!r} is a relative IRI and there is no base IRI: give one with --base-iri")
        encoded = urljoin(base, encoded)
    return Minted(_node(encoded), encoded != text)


def last_part(iri: str) -> str:
    """What stands after the last ``/``, ``#`` or ``:`` of an IRI, for want of a label.

    >>> last_part("http://example.org/ns#hasPart"), last_part("urn:isbn:42")
    ('hasPart', '42')
    """
    return re.split(r"[/#:]", iri.rstrip("/#:"))[-1] or iri


def namespace(iri: str) -> str:
    """What stands before the local name of an IRI, with its delimiter."""
    return iri.rstrip("/#:")[: -len(last_part(iri)) or None]


def _is_plain(name: str) -> bool:
    return all(char in _SEGMENT or char == " " or ord(char) >= 0xA0 for char in clean(name)) and clean(name) != ""


def _escape(char: str) -> str:
    if char in _SEGMENT or (ord(char) >= 0xA0 and not _ILLEGAL.match(char) and not _is_private(char)):
        return char
    return _percent(char)


def _is_private(char: str) -> bool:
    # ucschar of RFC 3987 leaves out the private use areas, the specials and the last two points of every plane.
    return unicodedata.category(char) in {"Co", "Cn", "Cs"} or 0xFFF0 <= ord(char) <= 0xFFFF or ord(char) >= 0xE0000


def _percent(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "replace"))


def _node(iri: str) -> ox.NamedNode:
    try:
        return ox.NamedNode(iri)
    except ValueError as error:
        raise BadTerm(f"{iri!r} is not an IRI: {error}") from error
