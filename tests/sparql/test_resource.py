"""What is said of one resource, in this process and behind a real server: blank nodes, cycles, pages, facts, names."""

from collections.abc import Callable

import pyoxigraph as ox
import pytest

from ontology import terms
from sparql.names import Name, names, preferred
from sparql.resource import (
    Property,
    captions,
    described,
    facts,
    incoming,
    incoming_counts,
    is_mentioned,
    relations,
    thumbnails,
    usage,
)
from tests.sparql.conftest import Graph, MakeStore

Node = Callable[[str], ox.NamedNode]
GRAPH = """
id:tea b:made [ b:by [ rdfs:label "Ann" ] ; b:on "Monday" ] ; b:steps ( "boil" [ rdfs:label "wait" ] ) ; b:plain "x" .
id:other b:made [ rdfs:label "elsewhere" ] .
id:loop b:next _:a . _:a b:next _:b . _:b b:next _:a ; rdfs:label "second" .
id:deep b:in [ b:in [ b:in [ b:in [ b:in [ b:in [ b:in [ b:in [ b:in [ rdfs:label "ground" ] ] ] ] ] ] ] ] ] .
id:plain b:made "x", id:tea .
[ b:of id:tea ] .
"""


def literals(triples: list[ox.Triple]) -> set[str]:
    return {triple.object.value for triple in triples if isinstance(triple.object, ox.Literal)}


def test_blank_nodes_come_with_what_leads_to_them(make_store: MakeStore, graph: Graph, node: Node) -> None:
    store = make_store(graph(GRAPH))
    assert literals(described(store, node("id:tea"))) == {"Ann", "Monday", "boil", "wait", "x"}
    assert literals(described(store, node("id:loop"))) == {"second"}
    assert literals(described(store, node("id:deep"))) == {"ground"}
    assert len(described(store, node("id:plain"))) == 2
    assert described(store, node("id:nothing")) == []


def test_every_blank_node_of_a_description_has_its_parent(make_store: MakeStore, graph: Graph, node: Node) -> None:
    triples = described(make_store(graph(GRAPH)), node("id:tea"))
    reached = {triple.object for triple in triples} | {node("id:tea")}
    assert all(triple.subject in reached for triple in triples)


def test_what_is_mentioned(make_store: MakeStore, graph: Graph, node: Node) -> None:
    store = make_store(graph(GRAPH + "id:tea b:knows id:ghost ."))
    said = {name: is_mentioned(store, node(name)) for name in ("id:tea", "id:ghost", "b:knows", "id:nothing")}
    assert said == {"id:tea": True, "id:ghost": True, "b:knows": True, "id:nothing": False}


def test_pages_of_what_leads_here_are_in_order_and_whole(make_store: MakeStore, graph: Graph, node: Node) -> None:
    store = make_store(graph(" ".join(f"id:n{n:02} b:to id:hub ." for n in range(25))))
    assert incoming_counts(store, node("id:hub")) == {node("b:to"): 25}
    pages = [incoming(store, node("id:hub"), node("b:to"), limit=10, offset=offset) for offset in (0, 10, 20, 30)]
    assert [subject for page in pages for subject in page] == [node(f"id:n{n:02}") for n in range(25)]
    assert len(usage(store, node("b:to"), limit=7)) == 7


def test_what_two_sources_state_counts_once(graph: Graph, node: Node, make_store: MakeStore) -> None:
    graphs = [terms.source_graph(slug) for slug in ("x", "y")]
    stated = graph("id:a b:to id:hub .")
    store = make_store([ox.Quad(q.subject, q.predicate, q.object, name) for q in stated for name in graphs])
    assert incoming_counts(store, node("id:hub")) == {node("b:to"): 1}
    assert incoming(store, node("id:hub"), node("b:to"), limit=5) == [node("id:a")]
    assert len(described(store, node("id:a"))) == 1
    assert len(usage(store, node("b:to"), limit=5)) == 1


def test_facts_either_way(make_store: MakeStore, tiny_quads: tuple[ox.Quad, ...], node: Node) -> None:
    store = make_store(tiny_quads)
    away = facts(store, node("id:brewer-brew"), [node("id:steam-blast")])
    back = facts(store, node("id:steam-blast"), [node("id:brewer-brew")])
    assert [fact.node for fact in away] == [fact.node for fact in back] == [node("id:fact-lid")]
    assert away[0].triple == ox.Triple(node("id:brewer-brew"), node("b:hasStep-lidIsOpen"), node("id:steam-blast"))
    assert away[0].said[terms.EVIDENCE] == [node("id:pump-burst-film")]
    assert facts(store, node("id:brewer-brew"), [node("id:slow-drip")]) == []
    assert facts(store, node("id:brewer-brew"), []) == []


def test_relations_captions_and_pictures(make_store: MakeStore, tiny_quads: tuple[ox.Quad, ...], node: Node) -> None:
    store = make_store(tiny_quads)
    assert relations(store, [node("b:hasStep-lidIsOpen"), terms.RDFS_LABEL]) == {
        node("b:hasStep-lidIsOpen"): Property(node("b:hasStep"), node("b:lidIsOpen"))
    }
    told = {(one.resource, one.node) for one in captions(store, [node("id:pump-burst"), node("id:pump-burst-film")])}
    assert (node("id:pump-burst-film"), node("id:pump-burst-c1")) in told
    assert len(told) == 3
    assert thumbnails(store, [node("id:pump-burst"), node("id:vapour")]) == {
        node("id:pump-burst"): node("id:pump-burst-frame")
    }


def test_names_keep_the_property_that_gives_them(make_store: MakeStore, graph: Graph, node: Node) -> None:
    store = make_store(graph('id:a skos:prefLabel "B"@de ; rdfs:label "A" ; a b:Step .'))
    named = names(store, [node("id:a"), node("id:nothing")])[node("id:a")]
    assert [prop for prop, _ in named.stated] == [terms.RDFS_LABEL, terms.term("skos:prefLabel")]
    assert named.types == (node("b:Step"),)
    assert names(store, []) == {}


LABELS = [
    ox.Literal("colour", language="en-gb"),
    ox.Literal("color", language="en-us"),
    ox.Literal("Farbe", language="de"),
    ox.Literal("couleur", language="fr"),
    ox.Literal("C1"),
]


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        (["en-US"], "color"),
        (["en-GB"], "colour"),
        (["de-CH", "fr"], "Farbe"),
        (["ja", "fr"], "couleur"),
        (["ja"], "colour"),
        ([], "colour"),
        (["*"], "colour"),
    ],
)
def test_the_order_of_languages_decides_and_not_that_of_the_rows(asked: list[str], shown: str) -> None:
    for labels in (LABELS, LABELS[::-1]):
        assert preferred(ox.NamedNode("http://example.org/x"), labels, asked).text == shown


def test_without_a_label_the_end_of_the_iri_is_the_name() -> None:
    assert preferred(ox.NamedNode("http://example.org/a%20b"), []) == Name("a b", None)
