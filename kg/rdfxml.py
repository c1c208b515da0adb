"""Writes RDF/XML in which every resource is an ``rdf:Description``, https://www.w3.org/TR/rdf-syntax-grammar/.

pyoxigraph's own writer makes element names of classes, and of predicates that cannot be one
(``http://example.org/123``), which no XML reader accepts; here such a predicate is an error that names it. Carriage
returns become character references, since XML readers make line feeds of bare ones.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import IO
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

import pyoxigraph as ox

from kg.errors import ExportFailed
from ontology import terms

ADVICE = "write Turtle or N-Triples instead"
_RDF = terms.PREFIXES["rdf"]
_LOCAL = re.compile(r"[^\W\d][\w.-]*\Z")
_RESERVED = {
    _RDF + name for name in ("li", "RDF", "ID", "about", "parseType", "resource", "nodeID", "datatype", "Description")
}
_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def write_rdfxml(triples: Sequence[ox.Triple], stream: IO[bytes], *, prefixes: Mapping[str, str]) -> None:
    """Write ``triples``, sorted by subject, to a binary stream. Raises ExportFailed for what XML cannot hold."""
    names = _element_names({triple.predicate for triple in triples}, prefixes)
    declared = {"rdf": _RDF, **{name.partition(":")[0]: namespace for name, namespace in names.values()}}
    attributes = "".join(f"\n    xmlns:{prefix}={quoteattr(iri)}" for prefix, iri in sorted(declared.items()))
    stream.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF{attributes}>\n'.encode())
    for subject, said in groupby(triples, key=lambda triple: triple.subject):
        stream.write(f"  <rdf:Description {_reference(subject, 'about')}>\n".encode())
        for triple in said:
            stream.write(_property(triple, names[triple.predicate][0]).encode())
        stream.write(b"  </rdf:Description>\n")
    stream.write(b"</rdf:RDF>\n")


def _property(triple: ox.Triple, name: str) -> str:
    value = triple.object
    if not isinstance(value, ox.Literal):
        return f"    <{name} {_reference(value, 'resource')}/>\n"
    if _NOT_IN_XML.search(value.value):
        raise ExportFailed(f"RDF/XML cannot hold the control characters in a text of {triple.subject}: {ADVICE}")
    tag = ""
    if value.language:
        tag = f" xml:lang={quoteattr(value.language)}"
    elif value.datatype != terms.term("xsd:string"):
        tag = f" rdf:datatype={quoteattr(value.datatype.value)}"
    return f"    <{name}{tag}>{escape(value.value, {chr(13): '&#13;'})}</{name}>\n"


def _reference(term: object, attribute: str) -> str:
    if isinstance(term, ox.BlankNode):
        return f"rdf:nodeID={quoteattr(term.value)}"
    if isinstance(term, ox.NamedNode):
        return f"rdf:{attribute}={quoteattr(term.value)}"
    raise ExportFailed(f"RDF/XML cannot hold {term}: {ADVICE}")


def _element_names(predicates: set[ox.NamedNode], prefixes: Mapping[str, str]) -> dict[ox.NamedNode, tuple[str, str]]:
    """Predicate → its element name and the namespace of the prefix in it."""
    by_namespace = {namespace: prefix for prefix, namespace in sorted(prefixes.items(), reverse=True)}
    by_namespace[_RDF] = "rdf"
    numbers = _unused(set(by_namespace.values()))
    names = {}
    for predicate in sorted(predicates, key=str):
        local = _LOCAL.search(predicate.value)
        namespace = predicate.value[: local.start()] if local else ""
        if local is None or not namespace or predicate.value in _RESERVED:
            raise _cannot(predicate)
        if namespace not in by_namespace:
            by_namespace[namespace] = next(numbers)
        prefix = by_namespace[namespace]
        name = f"{prefix}:{local[0]}"
        _check(predicate, f"<{name} xmlns:{prefix}={quoteattr(namespace)}/>")
        names[predicate] = (name, namespace)
    return names


def _unused(taken: set[str]) -> Iterator[str]:
    return (f"ns{number}" for number in range(1, 1_000_000) if f"ns{number}" not in taken)


def _check(predicate: ox.NamedNode, element: str) -> None:
    # The grammar of names differs between editions of XML 1.0: a real reader decides.
    try:
        expat.ParserCreate(namespace_separator=" ").Parse(element.encode(), True)
    except expat.ExpatError as error:
        raise _cannot(predicate) from error


def _cannot(predicate: ox.NamedNode) -> ExportFailed:
    return ExportFailed(f"RDF/XML cannot hold the predicate {predicate}: {ADVICE}")
