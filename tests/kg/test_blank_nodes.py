"""Blank nodes named by content: a graph gives the same names whatever its nodes were called, and in which order."""

import random
from collections.abc import Callable

import pyoxigraph as ox
import pytest

from kg.blank_nodes import named_by_content

START, NEXT, HAS = (ox.NamedNode(f"urn:{name}") for name in ("start", "next", "has"))


def node(number: int) -> ox.BlankNode:
    return ox.BlankNode(f"n{number}")


def chain(length: int) -> list[ox.Quad]:
    return [ox.Quad(START, NEXT, node(0)), *(ox.Quad(node(n), NEXT, node(n + 1)) for n in range(length - 1))]


def ring(length: int) -> list[ox.Quad]:
    return [ox.Quad(node(n), NEXT, node((n + 1) % length)) for n in range(length)]


def hung_ring(length: int) -> list[ox.Quad]:
    return [ox.Quad(START, NEXT, node(0)), *ring(length)]


def star(points: int) -> list[ox.Quad]:
    return [ox.Quad(node(points), HAS, node(n)) for n in range(points)]


def sun(rays: int) -> list[ox.Quad]:
    """A centre with chains of two."""
    centre, ends = node(2 * rays), range(rays)
    return [q for n in ends for q in (ox.Quad(centre, HAS, node(n)), ox.Quad(node(n), NEXT, node(rays + n)))]


def tree(depth: int) -> list[ox.Quad]:
    return [ox.Quad(node((n - 1) // 2), HAS, node(n)) for n in range(1, 2**depth - 1)]


def two_rings(length: int) -> list[ox.Quad]:
    """Two components that look alike, and one that does not."""
    second = [ox.Quad(node(length + n), NEXT, node(length + (n + 1) % length)) for n in range(length)]
    return [*ring(length), *second, ox.Quad(node(-1), NEXT, node(-1))]


def said_differently(length: int) -> list[ox.Quad]:
    """Components of one shape that differ in a word at their end."""
    return [
        quad
        for word in range(length)
        for quad in (
            ox.Quad(node(2 * word), NEXT, node(2 * word + 1)),
            ox.Quad(node(2 * word + 1), HAS, ox.Literal(word)),
        )
    ]


SHAPES = (chain, ring, hung_ring, star, sun, tree, two_rings, said_differently)


def shuffled(quads: list[ox.Quad], seed: int) -> list[ox.Quad]:
    """The same graph by other names, in another order."""
    choice = random.Random(seed)
    nodes = sorted(blank_nodes(quads), key=str)
    names = [f"x{number}" for number in range(len(nodes))]
    choice.shuffle(names)
    renamed = dict(zip(nodes, map(ox.BlankNode, names), strict=True))

    def other(term: object) -> object:
        return renamed.get(term, term)  # type: ignore[call-overload]

    quads = [ox.Quad(other(q.subject), q.predicate, other(q.object)) for q in quads]  # type: ignore[arg-type]
    choice.shuffle(quads)
    return quads


def blank_nodes(quads: list[ox.Quad]) -> set[ox.BlankNode]:
    return {term for quad in quads for term in (quad.subject, quad.object) if isinstance(term, ox.BlankNode)}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("size", [2, 3, 5, 8])
def test_a_graph_has_its_names_whatever_its_nodes_were_called(shape: Callable[[int], list[ox.Quad]], size: int) -> None:
    quads = shape(size)
    named = set(named_by_content(quads))
    assert len(blank_nodes(list(named))) == len(blank_nodes(quads))
    for seed in range(6):
        assert set(named_by_content(shuffled(quads, seed))) == named


def test_random_graphs_have_their_names_too() -> None:
    for seed in range(60):
        choice = random.Random(seed)
        size = choice.randint(1, 12)
        quads = [
            ox.Quad(
                node(choice.randrange(size)),
                choice.choice((NEXT, HAS)),
                choice.choice((node(choice.randrange(size)), START, ox.Literal(choice.randrange(2)))),
            )
            for _ in range(choice.randint(1, 20))
        ]
        quads = list(dict.fromkeys(quads))
        named = named_by_content(quads)
        canonical = ox.Dataset(quads)
        canonical.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
        again = ox.Dataset(named)
        again.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
        assert canonical == again, seed  # the same graph
        assert set(named_by_content(shuffled(quads, seed))) == set(named), seed


def test_graphs_that_differ_at_the_end_of_a_chain_differ_in_names() -> None:
    one, other = ([*chain(20), ox.Quad(node(19), HAS, ox.Literal(word))] for word in "ab")
    assert set(named_by_content(one)) != set(named_by_content(other))


def test_what_else_is_in_the_graph_changes_no_name() -> None:
    named = set(named_by_content(hung_ring(7)))
    others = [ox.Quad(ox.BlankNode(f"o{n}"), HAS, ox.BlankNode(f"p{n}")) for n in range(40)]
    assert named < set(named_by_content([*others, *hung_ring(7)]))


@pytest.mark.parametrize("shape", [chain, ring, hung_ring, star, sun])
def test_large_shapes_are_named_at_all(shape: Callable[[int], list[ox.Quad]]) -> None:
    """Work that grows with the square takes minutes for these."""
    quads = shape(10_000)
    assert len(blank_nodes(named_by_content(quads))) == len(blank_nodes(quads))
