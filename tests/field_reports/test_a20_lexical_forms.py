"""A20: a lexical form changes on its round trip: ``007`` as an integer becomes ``7``, ``1.10`` as a double ``1.1``.

Codes and identifiers are xsd:string, and stay as they are; that numbers are normalised is documented, and held here.
"""

import io
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg import literals
from kg.exporting import FORMATS, export
from kg.home import Home
from kg.importing import import_path
from kg.literals import text_literal
from ontology.terms import PREFIXES, source_graph


def through_a_home(tmp_path: Path, literal: ox.Literal) -> ox.Literal:
    path = tmp_path / "g.nt"
    path.write_text(f"<http://example.org/s> <http://example.org/p> {literal} .\n")
    home = Home(tmp_path / "home")
    import_path(home, path)
    with home.snapshot() as snapshot:
        (quad,) = snapshot.store.quads_for_pattern(None, None, None, source_graph("g"))
    assert isinstance(quad.object, ox.Literal)
    return quad.object


@pytest.mark.parametrize("code", ["007", "1.10", "1", "true", "1e3", "+49 30", "NaN", "", " x "])
def test_codes_are_strings_and_keep_every_character(tmp_path: Path, code: str) -> None:
    literal = text_literal(code)
    assert literal.datatype.value == PREFIXES["xsd"] + "string"
    held = through_a_home(tmp_path, literal)
    assert held == literal
    for fmt in FORMATS.values():
        buffer = io.BytesIO()
        export([ox.Quad(ox.NamedNode("urn:s"), ox.NamedNode("http://e.org/p"), held)], fmt, buffer)
        assert [quad.object for quad in ox.parse(buffer.getvalue(), fmt.syntax)] == [literal]


@pytest.mark.parametrize(("form", "kind", "normal"), [("007", "integer", "7"), ("1.10", "double", "1.1")])
def test_numbers_are_normalised_and_that_is_documented(tmp_path: Path, form: str, kind: str, normal: str) -> None:
    datatype = ox.NamedNode(PREFIXES["xsd"] + kind)
    held = through_a_home(tmp_path, ox.Literal(form, datatype=datatype))
    assert held.value in (normal, f"{float(normal):.1E}".replace("E+00", "E0"))
    assert held.datatype == datatype
    assert f"``{form}``" in str(literals.__doc__)
