r"""A10: a ``\u00EA`` escape in a Turtle IRI comes out as a doubled backslash.

Escapes are decoded when they are read, and the letter is written as itself.
"""

import io
from pathlib import Path

import pytest
import rdflib

from kg.exporting import FORMATS, export
from kg.home import Home
from kg.importing import import_path
from ontology.terms import source_graph


@pytest.mark.parametrize("name", ["g.ttl", "g.nt", "g.trig", "g.nq"])
def test_escapes_are_decoded_on_reading(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("<http://example.org/f\\u00EAte> <http://example.org/p> <http://example.org/\\U0001F409> .\n")
    home = Home(tmp_path / "home")
    import_path(home, path)
    with home.snapshot() as snapshot:
        (quad,) = snapshot.store.quads_for_pattern(None, None, None, source_graph("g"))
    assert str(quad.subject) == "<http://example.org/fête>"
    assert str(quad.object) == "<http://example.org/🐉>"
    for fmt in ("turtle", "ntriples"):
        buffer = io.BytesIO()
        export([quad], FORMATS[fmt], buffer)
        ((subject, _, _),) = rdflib.Graph().parse(data=buffer.getvalue(), format={"ntriples": "nt"}.get(fmt, fmt))
        assert str(subject) == "http://example.org/fête"
