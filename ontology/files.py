"""Reads the vocabulary's own files, and tells RDF from what only looks like it.

Formats are recognised by content first, since a file called ``.owl`` may be RDF/XML, functional syntax or the web page
of the file. It does not read spreadsheets or triples of data sets; importers stand in ``kg``.
"""

import io
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pyoxigraph as ox

from ontology.errors import BadSyntax, NotRdf

HERE = Path(__file__).parent
CORE = HERE / "core.ttl"
MHW = HERE / "mhw.ttl"
SHAPES = HERE / "shapes.ttl"

READABLE = "Turtle, TriG, N-Triples, N-Quads, RDF/XML and JSON-LD are read"
SNIFFED_BYTES = 4096

_FOREIGN: tuple[tuple[re.Pattern[bytes], str, str], ...] = (
    (
        re.compile(rb"<!doctype\s+html|<html[\s>]", re.IGNORECASE),
        "an HTML page",
        "fetch the file itself, not the web page that shows it",
    ),
    (
        re.compile(rb"(?:Prefix\s*\(|Ontology\s*\()"),
        "OWL in functional syntax",
        f"save it as Turtle or RDF/XML, for instance with Protégé or ROBOT; {READABLE}",
    ),
    (
        re.compile(rb"(?:Prefix:|Ontology:)\s*\S"),
        "OWL in Manchester syntax",
        f"save it as Turtle or RDF/XML, for instance with Protégé or ROBOT; {READABLE}",
    ),
    (
        re.compile(rb"<Ontology[\s>]"),
        "OWL/XML",
        f"save it as Turtle or RDF/XML, for instance with Protégé or ROBOT; {READABLE}",
    ),
    (
        re.compile(rb"format-version:"),
        "an OBO file",
        f"save it as Turtle or RDF/XML, for instance with ROBOT; {READABLE}",
    ),
)
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "a zip archive"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a PNG picture"),
    (b"version https://git-lfs", "a Git LFS pointer"),
)
_PROLOGUE = re.compile(rb"\A(?:\xef\xbb\xbf)?(?:\s+|<\?xml.*?\?>|<!--.*?-->|#[^\n]*(?:\n|\Z))*", re.DOTALL)


def refuse_foreign(head: bytes, name: str) -> None:
    """Raises NotRdf where the first bytes of a file show that it is something else than RDF.

    ``head`` is what a file starts with, decompressed (4 KiB suffice); ``name`` is what to call it in the message.
    """
    for magic, found in _MAGIC:
        if head.startswith(magic):
            raise NotRdf(name, found, READABLE)
    opening = _PROLOGUE.sub(b"", head[:SNIFFED_BYTES], count=1)
    for pattern, found, advice in _FOREIGN:
        if pattern.match(opening):
            raise NotRdf(name, found, advice)


def parse_rdf(data: bytes, name: str, *, syntax: ox.RdfFormat, base_iri: str | None = None) -> list[ox.Quad]:
    """All quads of one document. Raises NotRdf or BadSyntax, with the line where the parser says it."""
    refuse_foreign(data[:SNIFFED_BYTES], name)
    try:
        return list(ox.parse(data, format=syntax, base_iri=base_iri))
    except SyntaxError as error:
        raise BadSyntax(name, error.msg, error.lineno) from error


def read_turtle(path: Path) -> list[ox.Quad]:
    """The quads of a Turtle file, in the default graph. Raises NotRdf, BadSyntax or OSError."""
    return parse_rdf(path.read_bytes(), path.name, syntax=ox.RdfFormat.TURTLE, base_iri=path.as_uri())


@cache
def bundled_quads() -> tuple[ox.Quad, ...]:
    """The triples of ``core.ttl`` and ``mhw.ttl``, as quads of the default graph."""
    return (*read_turtle(CORE), *read_turtle(MHW))


@cache
def bundled_shapes() -> tuple[ox.Quad, ...]:
    """The triples of ``shapes.ttl``."""
    return tuple(read_turtle(SHAPES))


def ntriples(quads: Iterable[ox.Quad | ox.Triple]) -> bytes:
    """The triples of ``quads`` as N-Triples, whatever their graphs."""
    triples = (ox.Triple(quad.subject, quad.predicate, quad.object) for quad in quads)
    buffer = io.BytesIO()
    ox.serialize(triples, buffer, format=ox.RdfFormat.N_TRIPLES)
    return buffer.getvalue()
