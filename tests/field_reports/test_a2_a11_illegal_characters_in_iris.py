"""A2, A11: ``>`` inside an IRI, or a line break or space that the data brought, gives Turtle that nobody can read.

Every character that an IRI may not hold is encoded; white space is trimmed and collapsed first.
"""

import pyoxigraph as ox
import pytest
import rdflib

from kg.iri import clean, mint, parse_iri

ILLEGAL = '<>"{}|^\\` ' + "".join(chr(code) for code in (*range(0x21), *range(0x7F, 0xA0)))


@pytest.mark.parametrize("character", sorted(set(ILLEGAL)))
def test_no_illegal_character_gets_into_an_iri(character: str) -> None:
    for minted in (mint("http://example.org/", f"less{character}more"), parse_iri(f"http://example.org/a{character}b")):
        assert character not in minted.iri.value
        data = ox.serialize([ox.Triple(minted.iri, minted.iri, ox.Literal(""))], format=ox.RdfFormat.TURTLE)
        ((subject, _, _),) = rdflib.Graph().parse(data=data, format="turtle")
        assert str(subject) == minted.iri.value


@pytest.mark.parametrize(
    "text", ["Tail Slam", " Tail Slam\n", "Tail\r\nSlam", "\ufeffTail Slam".strip("\ufeff"), "Tail\xa0 Slam"]
)
def test_white_space_from_a_cell_is_collapsed(text: str) -> None:
    assert clean(text) == "Tail Slam"
    assert mint("http://example.org/", text).iri.value == "http://example.org/tail-slam"


def test_white_space_around_a_whole_iri_is_taken_away() -> None:
    assert parse_iri("\n http://example.org/a \t").iri.value == "http://example.org/a"
    assert parse_iri("http://example.org/my \n file").iri.value == "http://example.org/my%20file"
