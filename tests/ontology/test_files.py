"""Telling RDF from what only looks like it."""

import pyoxigraph as ox
import pytest

from ontology.errors import BadSyntax, NotRdf, OntologyError
from ontology.files import bundled_quads, ntriples, parse_rdf, refuse_foreign

TURTLE = ox.RdfFormat.TURTLE


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (b"PK\x03\x04...", "a zip archive"),
        (b"%PDF-1.7", "a PDF document"),
        (b"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer"),
        (b"format-version: 1.2\nontology: x\n", "an OBO file"),
        (b"Prefix: ex: <http://x/>\nOntology: <http://x>\n", "OWL in Manchester syntax"),
        (b'<?xml version="1.0"?>\n<Ontology xmlns="http://www.w3.org/2002/07/owl#">', "OWL/XML"),
    ],
)
def test_what_is_not_rdf_is_named(head: bytes, found: str) -> None:
    with pytest.raises(NotRdf, match=f"^thing.ttl is {found}: .*Turtle") as raised:
        refuse_foreign(head, "thing.ttl")
    assert raised.value.found == found


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"# Prefix( in a comment\n@prefix ex: <http://x/> .",
        b"Prefix : <http://x/>\n:a :b :c .",
        b"PREFIX ex: <http://x/> ex:a ex:b '<html>' .",
        b'<?xml version="1.0"?><!DOCTYPE rdf:RDF [<!ENTITY x "y">]><rdf:RDF>',
        b"<http://x/a> <http://x/b> <http://x/c> .",
        b'{"@context": {}}',
    ],
)
def test_rdf_is_let_through(head: bytes) -> None:
    try:
        refuse_foreign(head, "thing")
    except OntologyError as error:
        refused = str(error)
    else:
        refused = ""
    assert refused == ""


def test_a_broken_file_is_reported_with_its_line() -> None:
    with pytest.raises(BadSyntax, match=r"^thing\.ttl, line 2: ") as raised:
        parse_rdf(b"<http://x/a> <http://x/b> 1 .\n<http://x/a> <http://x/b> .\n", "thing.ttl", syntax=TURTLE)
    assert raised.value.line == 2


def test_the_bundled_files_survive_ntriples() -> None:
    quads = bundled_quads()
    assert len(list(ox.parse(ntriples(quads), format=ox.RdfFormat.N_TRIPLES))) == len(set(quads))
