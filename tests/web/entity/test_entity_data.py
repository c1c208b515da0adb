"""The document of a resource that leads far into blank nodes: whole, and named without taking minutes."""

import pyoxigraph as ox
import pytest

from kg.exporting import FORMATS
from kg.store import EmbeddedStore
from web.entity.data import document, serialised

START, NEXT = ox.NamedNode("http://example.org/start"), ox.NamedNode("http://example.org/next")


def chain(length: int, *, ring: bool) -> EmbeddedStore:
    nodes = [ox.BlankNode(f"c{number}") for number in range(length)]
    ends = [*nodes[1:], nodes[0]] if ring else nodes[1:]
    quads = [ox.Quad(start, NEXT, end) for start, end in zip(nodes, ends, strict=False)]
    return EmbeddedStore.from_quads([ox.Quad(START, NEXT, nodes[0]), *quads])


@pytest.mark.parametrize("ring", [False, True])
def test_a_long_chain_of_blank_nodes_is_told_whole(ring: bool) -> None:
    quads = document(chain(3000, ring=ring), START, [])
    text = serialised(quads, FORMATS["ntriples"])
    assert text.count(b"\n") == len(quads) == 3000 + ring
