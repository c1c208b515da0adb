"""What is asked of a few entities costs the same in a large graph as in a small one: join orders are taken as written.

A query that reads every label of the graph to find ten of them is right, and a hundred times too slow.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial

import pyoxigraph as ox
import pytest

from kg.store import EmbeddedStore
from ontology import terms
from sparql.graph import describe, neighbourhood, topic_entities
from sparql.lifting import items_of, lift
from sparql.names import names
from sparql.resource import (
    captions,
    described,
    facts,
    incoming,
    incoming_counts,
    relations,
    thumbnails,
    usage,
)

EX = "http://example.org/"
SMALL, LARGE = 100, 5_000
"""Entities of the two graphs; a query that reads all of the larger one takes some 20 times as long or more."""
ALLOWED = 5.0


def _node(name: str) -> ox.NamedNode:
    return ox.NamedNode(EX + name)


def _triples(number: int, *, of: int) -> Iterator[ox.Triple]:
    """One entity of a ring with all that an entity can have; the first three are topics."""
    entity, caption, fact = (_node(f"{kind}{number}") for kind in "ecf")
    tail = _node(f"e{(number + 1) % of}")
    yield ox.Triple(entity, terms.RDF_TYPE, terms.TOPIC_ENTITY if number < 3 else _node("Thing"))
    yield ox.Triple(entity, terms.RDFS_LABEL, ox.Literal(f"thing {number}"))
    yield ox.Triple(entity, terms.SKOS_ALT_LABEL, ox.Literal(f"object {number}"))
    yield ox.Triple(entity, terms.CONTEXT, ox.Literal("It leads to another."))
    yield ox.Triple(entity, terms.HAS_MEDIA, _node(f"m{number}"))
    yield ox.Triple(entity, terms.HAS_CAPTION, caption)
    yield ox.Triple(caption, terms.CAPTION_TEXT, ox.Literal("A link of a chain."))
    yield ox.Triple(entity, _node("leadsTo"), tail)
    yield ox.Triple(fact, terms.RDF_SUBJECT, entity)
    yield ox.Triple(fact, terms.RDF_PREDICATE, _node("leadsTo"))
    yield ox.Triple(fact, terms.RDF_OBJECT, tail)
    yield ox.Triple(fact, terms.INFORMATION, ox.Literal("always"))


def _ring(size: int) -> EmbeddedStore:
    relation = _node("leadsTo")
    triples = [
        ox.Triple(relation, terms.BASE_RELATION, relation),
        ox.Triple(relation, terms.RDFS_LABEL, ox.Literal("leads to")),
        *(triple for number in range(size) for triple in _triples(number, of=size)),
    ]
    return EmbeddedStore.from_quads(ox.Quad(*triple) for triple in triples)


@pytest.fixture(scope="module")
def rings() -> tuple[EmbeddedStore, EmbeddedStore]:
    return _ring(SMALL), _ring(LARGE)


def _least_seconds(ask: Callable[[], object], *, times: int = 9) -> float:
    spent = []
    for _ in range(times):
        started = time.perf_counter()
        ask()
        spent.append(time.perf_counter() - started)
    return min(spent)


FRONTIER = [_node(f"e{number}") for number in range(10)]
QUESTIONS: dict[str, Callable[[EmbeddedStore], object]] = {
    "neighbourhood of one": lambda store: neighbourhood(store, FRONTIER[:1]),
    "neighbourhood of ten": lambda store: neighbourhood(store, FRONTIER),
    "description of one": lambda store: describe(store, FRONTIER[:1]),
    "description of ten": lambda store: describe(store, FRONTIER),
    "topic entities": topic_entities,
    "statements of one": lambda store: described(store, FRONTIER[0]),
    "names of ten": lambda store: names(store, FRONTIER),
    "what leads to one": lambda store: (
        incoming_counts(store, FRONTIER[0]),
        incoming(store, FRONTIER[0], _node("leadsTo"), limit=20),
    ),
    "facts of one and ten": lambda store: facts(store, FRONTIER[0], FRONTIER),
    "captions and pictures of ten": lambda store: (captions(store, FRONTIER), thumbnails(store, FRONTIER)),
    "relations among ten": lambda store: relations(store, [_node("leadsTo"), *FRONTIER]),
    "what ten items lead to": lambda store: lift(store, [_node(f"m{number}") for number in range(10)], hops=2),
    "items of ten": lambda store: items_of(store, FRONTIER),
    "uses of a property": lambda store: usage(store, _node("leadsTo"), limit=20, ordered=False),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_larger_graph_costs_no_more(rings: tuple[EmbeddedStore, EmbeddedStore], question: str) -> None:
    small, large = (_least_seconds(partial(QUESTIONS[question], store)) for store in rings)
    assert large < ALLOWED * small, f"{question}: {small * 1e3:.2f} ms of {SMALL}, {large * 1e3:.2f} ms of {LARGE}"


def test_the_graphs_hold_what_is_asked_for(rings: tuple[EmbeddedStore, EmbeddedStore]) -> None:
    (edge,) = neighbourhood(rings[1], FRONTIER[:1])[FRONTIER[0]]
    assert (edge.tail.label, edge.tail.alt_labels) == ("thing 1", ("object 1",))
    assert edge.tail.captions[0].text == "A link of a chain."
    assert edge.facts[0].information == ("always",)
    assert len(topic_entities(rings[1])) == 3
