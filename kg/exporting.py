"""Writes a graph as RDF: the same graph gives the same bytes, and pyoxigraph and rdflib both read them back.

Quads are sorted, blank nodes named by content, prefixes limited to those that every reader understands. A file
appears whole or not at all. RDF 1.2 terms are refused, since tools of RDF 1.1 cannot read a dump that holds one.
"""

import gzip as gzip_module
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

import pyoxigraph as ox

from kg.blank_nodes import named_by_content
from kg.errors import BadTerm, ExportFailed
from kg.rdfxml import write_rdfxml
from ontology import terms

# PN_PREFIX of https://www.w3.org/TR/turtle/#grammar-production-PN_PREFIX, its ASCII part.
_PREFIX = re.compile(r"[A-Za-z](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?")


@dataclass(frozen=True, slots=True)
class Format:
    """A syntax to write, by the name that people type."""

    name: str
    syntax: ox.RdfFormat
    suffix: str

    @property
    def has_graphs(self) -> bool:
        """Whether it can say which graph a triple stands in; if not, the graphs are merged."""
        return self.syntax.supports_datasets


FORMATS: Mapping[str, Format] = {
    name: Format(name, syntax, suffix)
    for name, syntax, suffix in (
        ("turtle", ox.RdfFormat.TURTLE, ".ttl"),
        ("trig", ox.RdfFormat.TRIG, ".trig"),
        ("ntriples", ox.RdfFormat.N_TRIPLES, ".nt"),
        ("nquads", ox.RdfFormat.N_QUADS, ".nq"),
        ("rdfxml", ox.RdfFormat.RDF_XML, ".rdf"),
        ("jsonld", ox.RdfFormat.JSON_LD, ".jsonld"),
    )
}


def format_of(path: Path) -> Format | None:
    """The format that a file's name asks for, ``.gz`` left aside.

    >>> format_of(Path("graph.ttl.gz")).name
    'turtle'
    """
    suffixes = [suffix for suffix in path.suffixes if suffix != ".gz"]
    return next((one for one in FORMATS.values() if suffixes and one.suffix == suffixes[-1].lower()), None)


def check_prefixes(prefixes: Mapping[str, str]) -> dict[str, str]:
    """The prefixes, if Turtle and XML can hold them. Raises BadTerm, naming the one that they cannot."""
    for prefix, namespace in prefixes.items():
        if not _PREFIX.fullmatch(prefix) or prefix.lower().startswith("xml"):
            raise BadTerm(
                f"{prefix!r} cannot be a prefix: it must start with a letter and hold letters, digits, - or _"
            )
        try:
            ox.NamedNode(namespace)
        except ValueError as error:
            raise BadTerm(f"the prefix {prefix}: stands for {namespace!r}, which is no IRI: {error}") from error
    return dict(prefixes)


def export(
    quads: Iterable[ox.Quad],
    fmt: Format,
    out: Path | IO[bytes],
    *,
    gzip: bool = False,
    prefixes: Mapping[str, str] = terms.PREFIXES,
) -> int:
    """Write ``quads`` to a file or a binary stream; returns how many statements were written.

    Raises ExportFailed where the format cannot hold them, and BadTerm for an illegal prefix.
    """
    checked = check_prefixes(prefixes)
    statements = _ordered(quads, with_graphs=fmt.has_graphs)
    usable = _usable(checked, statements)
    if isinstance(out, Path):
        _write_whole(out, statements, fmt, gzip=gzip, prefixes=usable)
    else:
        _write(out, statements, fmt, gzip=gzip, prefixes=usable)
    return len(statements)


def _ordered(quads: Iterable[ox.Quad], *, with_graphs: bool) -> list[ox.Quad]:
    kept: dict[ox.Quad, None] = {}
    for quad in quads:
        _refuse_rdf_12(quad)
        kept[quad if with_graphs else ox.Quad(quad.subject, quad.predicate, quad.object)] = None
    return sorted(named_by_content(list(kept)), key=_order)


def _order(quad: ox.Quad) -> tuple[str, str, bool, str, str]:
    """By graph, subject and predicate, types first, so that writers that group can do so."""
    predicate = str(quad.predicate)
    return (
        str(quad.graph_name),
        str(quad.subject),
        quad.predicate != terms.RDF_TYPE,
        predicate,
        str(quad.object),
    )


def _refuse_rdf_12(quad: ox.Quad) -> None:
    value = quad.object
    if isinstance(value, ox.Triple) or (isinstance(value, ox.Literal) and value.direction is not None):
        raise ExportFailed(f"{quad} uses RDF 1.2, which other tools cannot read: write it as a rdf:Statement")


def _usable(prefixes: Mapping[str, str], statements: Sequence[ox.Quad]) -> dict[str, str]:
    """The prefixes that are needed and safe: rdflib cannot read a prefixed name that ends in an escaped dot."""
    iris = {term.value for quad in statements for term in _named(quad)}
    usable = {}
    for prefix, namespace in prefixes.items():
        within = [iri for iri in iris if iri.startswith(namespace)]
        if within and not any(iri.endswith(".") for iri in within):
            usable[prefix] = namespace
    return usable


def _named(quad: ox.Quad) -> list[ox.NamedNode]:
    found = [term for term in (quad.subject, quad.predicate, quad.object) if isinstance(term, ox.NamedNode)]
    if isinstance(quad.graph_name, ox.NamedNode):
        found.append(quad.graph_name)
    if isinstance(quad.object, ox.Literal):
        found.append(quad.object.datatype)
    return found


def _write_whole(
    path: Path, statements: Sequence[ox.Quad], fmt: Format, *, gzip: bool, prefixes: Mapping[str, str]
) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("xb") as stream:
            _write(stream, statements, fmt, gzip=gzip, prefixes=prefixes)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except OSError as error:
        raise ExportFailed(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        temporary.unlink(missing_ok=True)


def _write(
    stream: IO[bytes], statements: Sequence[ox.Quad], fmt: Format, *, gzip: bool, prefixes: Mapping[str, str]
) -> None:
    if gzip:
        # No name and no time in the header: the same graph gives the same bytes.
        with gzip_module.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0, compresslevel=6) as packed:
            _serialize(cast(IO[bytes], packed), statements, fmt, prefixes=prefixes)
    else:
        _serialize(stream, statements, fmt, prefixes=prefixes)


def _serialize(stream: IO[bytes], statements: Sequence[ox.Quad], fmt: Format, *, prefixes: Mapping[str, str]) -> None:
    if fmt.syntax == ox.RdfFormat.RDF_XML:
        write_rdfxml([quad.triple for quad in statements], stream, prefixes=prefixes)
    elif fmt.has_graphs:
        ox.serialize(statements, stream, fmt.syntax, prefixes=dict(prefixes))
    else:
        ox.serialize([quad.triple for quad in statements], stream, fmt.syntax, prefixes=dict(prefixes))
