"""The document of a resource: what leads far into blank nodes is cut, so that it takes no minutes to name them."""

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
def test_a_long_chain_of_blank_nodes_is_cut(ring: bool) -> None:
    quads = document(chain(3000, ring=ring), START, [])
    text = serialised(quads, FORMATS["ntriples"])
    assert text.count(b"\n") == len(quads) == 501


def test_a_chain_that_is_not_long_is_whole() -> None:
    assert len(document(chain(400, ring=False), START, [])) == 400
    assert len(document(chain(400, ring=True), START, [])) == 401
