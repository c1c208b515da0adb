"""A1: one name with a quote or a space, pasted raw into an IRI, fails the whole export months later.

IRIs are minted by percent-encoding, at import, once; the import names the row; what is exported reads back
everywhere.
"""

import io
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib

from kg.errors import BadTerm
from kg.exporting import FORMATS, export
from kg.home import Home
from kg.importing import import_path
from kg.iri import mint, parse_iri
from ontology.terms import source_graph

BASE = "http://example.org/id/"
NAMES = [
    'John "X" Doe',
    "a b",
    "50 % <off>",
    "{curly}|^`\\",
    "tab\tnew\nline",
    "a/b?c#d",
    "[x]",
    "Ōkami 🐉",
    "a\x7f\x85b",
    "\ue000",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_minted_iri_is_legal_and_one_segment_in_both_libraries(name: str) -> None:
    minted = mint(BASE, name)
    local = minted.iri.value.removeprefix(BASE)
    assert not set(local) & set(' <>"{}|\\^`/?#[]')
    triple = ox.Quad(minted.iri, ox.NamedNode(BASE + "p"), minted.iri)
    buffer = io.BytesIO()
    export([triple], FORMATS["turtle"], buffer)
    ((subject, _, _),) = rdflib.Graph().parse(data=buffer.getvalue(), format="turtle")
    assert str(subject) == minted.iri.value


@pytest.mark.parametrize(("name", "encoded"), [("Plain name", False), ("Ōkami", False), ("a<b", True), ("100%", True)])
def test_it_is_said_whether_a_name_was_encoded(name: str, encoded: bool) -> None:
    assert mint(BASE, name).encoded is encoded


@pytest.mark.parametrize("name", ["", "  ", "\n", ".", "..", "-", "\x00"])
def test_a_name_of_nothing_is_no_iri(name: str) -> None:
    with pytest.raises(BadTerm):
        mint(BASE, name)


def test_names_that_differ_in_more_than_case_and_space_have_different_iris() -> None:
    names = ["a b", "a/b", "a<b", "a%20b", "a+b", "á b", "ab", "a.b", "a'b"]
    assert len({mint(BASE, name).iri for name in names}) == len(names)
    assert mint(BASE, "A  B").iri == mint(BASE, "a b").iri
    assert mint(BASE, "e\u0301").iri == mint(BASE, "é").iri  # NFC


def test_a_whole_iri_keeps_its_delimiters_and_escapes() -> None:
    assert parse_iri("http://example.org/a%20b?c=d#e").iri.value == "http://example.org/a%20b?c=d#e"
    assert parse_iri("http://example.org/100%").iri.value == "http://example.org/100%25"


def test_an_import_encodes_and_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "dump.nt"
    path.write_text('<http://e.org/a> <http://e.org/p> "x" .\n<http://e.org/John "X" Doe> <http://e.org/p> "y" .\n')
    home = Home(tmp_path / "home")
    report = import_path(home, path)
    assert report.encoded == ['dump.nt, line 2: <http://e.org/John "X" Doe> became <http://e.org/John%20%22X%22%20Doe>']
    with home.snapshot() as snapshot:
        held = list(snapshot.store.quads_for_pattern(None, None, None, source_graph("dump")))
    assert {str(quad.subject) for quad in held} == {"<http://e.org/a>", "<http://e.org/John%20%22X%22%20Doe>"}
