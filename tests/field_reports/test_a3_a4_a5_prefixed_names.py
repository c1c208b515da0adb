"""A3, A4, A5: Turtle does not read back where a local name holds brackets, ends in a dot or starts with ``-``.

Live across libraries: pyoxigraph escapes a dot at the end, which rdflib 7.6 cannot read. Where a prefix would lead to
that, the full IRI is written.
"""

import io
import warnings

import pyoxigraph as ox
import pytest
import rdflib

from kg.exporting import FORMATS, export

EX = "http://example.org/"


@pytest.mark.parametrize(
    "local", ["This_(journal)", "dot.", "dots...", "a~.", "-10", ".5", "10", "a:b", "a/b", "x-", ""]
)
@pytest.mark.parametrize("fmt", ["turtle", "trig"])
def test_local_names_read_back_in_both_libraries(local: str, fmt: str) -> None:
    node = ox.NamedNode(EX + local)
    buffer = io.BytesIO()
    export([ox.Quad(node, node, node)], FORMATS[fmt], buffer, prefixes={"ex": EX})
    assert [quad.triple for quad in ox.parse(buffer.getvalue(), FORMATS[fmt].syntax)] == [ox.Triple(node, node, node)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of rdflib's own making
        dataset = rdflib.Dataset().parse(data=buffer.getvalue(), format=fmt)
        assert [tuple(map(str, quad[:3])) for quad in dataset.quads((None, None, None, None))] == [(node.value,) * 3]


def test_ordinary_names_are_still_written_short() -> None:
    node, dotted = ox.NamedNode(EX + "a"), ox.NamedNode("http://other.org/a.")
    buffer = io.BytesIO()
    export([ox.Quad(node, node, dotted)], FORMATS["turtle"], buffer, prefixes={"ex": EX, "other": "http://other.org/"})
    assert b"ex:a ex:a <http://other.org/a.> ." in buffer.getvalue()
