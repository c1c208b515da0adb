"""The graph as a walk sees it: rows become entities, relations, facts and edges, the same from both stores."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import pyoxigraph as ox
import pytest

from kg.errors import StoreError
from kg.remote import RemoteStore
from kg.store import EmbeddedStore, Row, Store
from ontology import terms
from ontology.catalogue import Relation
from sparql.graph import (
    Caption,
    Edge,
    all_entities,
    describe,
    entities_by_name,
    neighbourhood,
    neighbourhood_query,
    topic_entities,
)
from tests.sparql.conftest import Graph, MakeStore

Node = Callable[[str], ox.NamedNode]
BothOrders = Callable[[Store], Sequence[Store]]


class Server(Protocol):
    """What is used of the fixture's server."""

    @property
    def query_url(self) -> str: ...
    def fill(self, quads: Iterable[ox.Quad]) -> None: ...


STEP = 'b:does a owl:ObjectProperty ; sf:baseRelation b:does ; rdfs:label "does" .\n'


def shown(edges: Sequence[Edge]) -> list[tuple[str, str]]:
    return [(edge.relation.label, edge.tail.label) for edge in edges]


# -- edges


def test_edges_are_sorted_by_label_and_parallel_ones_stay_apart(
    make_store: MakeStore, tiny_quads: tuple[ox.Quad, ...], node: Node
) -> None:
    edges = neighbourhood(make_store(tiny_quads), [node("id:brewer-brew")])[node("id:brewer-brew")]
    assert shown(edges) == [
        ("has work step", "Flush"),
        ("has work step", "Pump Burst"),
        ("has work step", "Slow Drip"),
        ("has work step", "Steam Blast"),
        ("has work step when lid is open", "Steam Blast"),
    ]
    assert edges[3].tail == edges[4].tail


def test_a_conditioned_relation_comes_with_its_base_and_its_condition(
    make_store: MakeStore, tiny_quads: tuple[ox.Quad, ...], node: Node
) -> None:
    *_, plain, conditioned = neighbourhood(make_store(tiny_quads), [node("id:brewer-brew")])[node("id:brewer-brew")]
    assert conditioned.relation == Relation(
        iri=node("b:hasStep-lidIsOpen"),
        label="has work step when lid is open",
        base=node("b:hasStep"),
        base_label="has work step",
        condition=node("b:lidIsOpen"),
        condition_label="lid is open",
    )
    assert plain.relation == Relation(node("b:hasStep"), "has work step", node("b:hasStep"), "has work step")


def test_a_fact_belongs_to_its_own_triple_only(
    make_store: MakeStore, tiny_quads: tuple[ox.Quad, ...], node: Node
) -> None:
    *_, plain, conditioned = neighbourhood(make_store(tiny_quads), [node("id:brewer-brew")])[node("id:brewer-brew")]
    (fact,) = conditioned.facts
    assert plain.facts == ()
    assert fact.iri == node("id:fact-lid")
    assert fact.condition_texts == ("When the lid is lifted during brewing",)
    assert fact.information == ("The steam then goes upwards",)
    assert fact.evidence == (node("id:pump-burst-film"),)
    assert fact.sources == (ox.NamedNode("https://example.org/brew/manual"),)


def test_the_conditions_shown_are_the_free_text_or_else_the_condition_s_label(tiny_store: Store, node: Node) -> None:
    edges = neighbourhood(tiny_store, [node("id:brewer-brew"), node("id:slow-drip")])
    assert edges[node("id:brewer-brew")][-1].conditions == ("When the lid is lifted during brewing",)
    assert edges[node("id:slow-drip")][0].conditions == ("tank is empty",)
    assert edges[node("id:slow-drip")][1].conditions == ()


def test_one_triple_may_have_several_facts(make_store: MakeStore, graph: Graph, node: Node) -> None:
    store = make_store(
        graph(
            STEP
            + """id:a b:does id:c .
            id:f2 rdf:subject id:a ; rdf:predicate b:does ; rdf:object id:c ; sf:information "two", "0" .
            id:f1 rdf:subject id:a ; rdf:predicate b:does ; rdf:object id:c ; sf:conditionText "if one" .
            id:f3 rdf:subject id:a ; rdf:predicate b:does ; rdf:object id:other ; sf:information "elsewhere" ."""
        )
    )
    (edge,) = neighbourhood(store, [node("id:a")])[node("id:a")]
    assert [fact.iri for fact in edge.facts] == [node("id:f1"), node("id:f2")]
    assert edge.facts[1].information == ("0", "two")
    assert edge.conditions == ("if one",)


def test_a_whole_frontier_is_one_query_and_every_member_has_its_own_edges(tiny_store: Store, node: Node) -> None:
    asked: list[str] = []

    class Counting(EmbeddedStore):
        def __init__(self) -> None:
            """Wraps the small graph."""

        def select(self, query: str) -> list[Row]:
            asked.append(query)
            return list(tiny_store.select(query))

    frontier = [node("id:pump-burst"), node("id:slow-drip"), node("id:steam-blast")]
    edges = neighbourhood(Counting(), frontier)
    assert asked == [neighbourhood_query(frontier)]
    assert list(edges) == frontier
    assert [[edge.head for edge in edges[head]] for head in frontier] == [
        [frontier[0]],
        [frontier[1]] * 2,
        [frontier[2]] * 3,
    ]


def test_a_loop_leads_back(tiny_store: Store, node: Node) -> None:
    place, seen = node("id:pump-burst"), []
    for _ in range(3):
        edge = next(e for e in neighbourhood(tiny_store, [place])[place] if e.relation.base == node("b:continuesWith"))
        seen.append(edge.tail.label)
        place = edge.tail.iri
        if edge.tail.label == "Slow Drip":
            place = node("id:steam-blast")
    assert seen == ["Slow Drip", "Pump Burst", "Slow Drip"]


def test_an_edge_from_an_entity_to_itself_is_an_edge(make_store: MakeStore, graph: Graph, node: Node) -> None:
    (edge,) = neighbourhood(make_store(graph(STEP + "id:a b:does id:a .")), [node("id:a")])[node("id:a")]
    assert (edge.head, edge.tail.iri) == (node("id:a"), node("id:a"))


def test_an_entity_without_edges_has_an_empty_list(
    make_store: MakeStore, tiny_quads: tuple[ox.Quad, ...], node: Node
) -> None:
    found = neighbourhood(make_store(tiny_quads), [node("id:vapour"), node("id:unheard-of")])
    assert found == {node("id:vapour"): [], node("id:unheard-of"): []}


def test_nothing_open_asks_nothing() -> None:
    assert neighbourhood(None, []) == {}  # type: ignore[arg-type]


def test_an_entity_named_twice_in_the_frontier_has_its_edges_once(tiny_store: Store, node: Node) -> None:
    whirl = node("id:whirl")
    assert len(neighbourhood(tiny_store, [whirl, whirl])[whirl]) == 1


def test_blank_nodes_and_literals_at_the_other_end_are_no_entities(
    make_store: MakeStore, graph: Graph, node: Node
) -> None:
    store = make_store(graph(STEP + 'id:a b:does [ rdfs:label "nobody" ], "a text", 7, id:c . _:x b:does id:d .'))
    assert [edge.tail.iri for edge in neighbourhood(store, [node("id:a")])[node("id:a")]] == [node("id:c")]
    assert [entity.iri for entity in all_entities(make_store(graph(STEP + "[] b:does [] .")))] == []


def test_a_predicate_that_is_no_relation_leads_nowhere(make_store: MakeStore, graph: Graph, node: Node) -> None:
    store = make_store(graph(STEP + "id:a b:does id:c ; rdfs:seeAlso id:d ; b:unknown id:e ."))
    assert [edge.tail.iri for edge in neighbourhood(store, [node("id:a")])[node("id:a")]] == [node("id:c")]


def test_non_ascii_and_percent_escapes_in_iris_stay_as_they_are(make_store: MakeStore, graph: Graph) -> None:
    head, tail = ox.NamedNode("https://example.org/café%20crème/茶"), ox.NamedNode("https://example.org/a%2Fb")
    store = make_store(graph(STEP + f'{head} b:does {tail} . {tail} rdfs:label "Crème" .'))
    (edge,) = neighbourhood(store, [head])[head]
    assert (edge.head, edge.tail.iri, edge.tail.label) == (head, tail, "Crème")


def test_a_relation_with_a_base_that_is_no_iri_is_not_offered(make_store: MakeStore, graph: Graph, node: Node) -> None:
    store = make_store(
        graph('id:a b:odd id:c ; b:odder id:c . b:odd sf:baseRelation [] . b:odder sf:baseRelation "x" .')
    )
    assert neighbourhood(store, [node("id:a")]) == {node("id:a"): []}


# -- labels


def test_labels_in_several_languages_do_not_make_the_answer_depend_on_the_order_of_rows(
    make_store: MakeStore, graph: Graph, node: Node, both_orders: BothOrders
) -> None:
    store = make_store(
        graph(
            """b:r sf:baseRelation b:r ; rdfs:label "arbeitet mit"@de, "works with"@en, "zusammen" .
            b:r-x sf:baseRelation b:r ; sf:condition b:x ; rdfs:label "wenn nass"@de, "when wet"@en-GB .
            b:x rdfs:label "nass"@de, "wet"@en .
            id:a b:r-x id:c . id:c rdfs:label "Brühkopf"@de, "Brew Head"@en, "A head" ."""
        )
    )
    answers = [neighbourhood(one, [node("id:a")])[node("id:a")] for one in both_orders(store)]
    assert answers[0] == answers[1]
    (edge,) = answers[0]
    assert (edge.relation.label, edge.relation.base_label) == ("when wet", "works with")
    assert (edge.relation.condition_label, edge.tail.label) == ("wet", "Brew Head")


def test_a_label_without_a_language_goes_before_one_in_another_language(
    make_store: MakeStore, graph: Graph, node: Node
) -> None:
    store = make_store(
        graph('id:a a sf:TopicEntity ; rdfs:label "Aa"@de, "Zz" . id:c a sf:TopicEntity ; rdfs:label "C"@fr .')
    )
    assert [entity.label for entity in topic_entities(store)] == ["C", "Zz"]


def test_what_has_no_label_is_called_by_the_end_of_its_iri(make_store: MakeStore, graph: Graph, node: Node) -> None:
    store = make_store(
        graph("b:r sf:baseRelation b:r . b:r-x sf:baseRelation b:r ; sf:condition b:wet . id:a b:r id:c ; b:r-x id:d .")
    )
    plain, conditioned = neighbourhood(store, [node("id:a")])[node("id:a")]
    assert (plain.relation.label, plain.tail.label) == ("r", "c")
    assert (conditioned.relation.base_label, conditioned.conditions) == ("r", ("wet",))


# -- entities


def test_captions_and_media_are_not_multiplied(
    make_store: MakeStore, tiny_quads: tuple[ox.Quad, ...], node: Node
) -> None:
    pump = describe(make_store(tiny_quads), [node("id:pump-burst")])[node("id:pump-burst")]
    assert pump.captions == (
        Caption(
            "The whole casing shakes while the pump hammers loudly and pushes water through the coffee in short "
            "hard knocks."
        ),
        Caption("A brass machine rattles on a counter.", model="seer-1", setting="offline"),
    )
    assert pump.media == tuple(node(f"id:pump-burst-{kind}") for kind in ("film", "frame", "sound"))
    assert pump.alt_labels == ("Pomp Burst",)
    assert pump.contexts == ("It wakes the neighbours.",)
    assert pump.types == (node("b:Step"),)


def test_the_rows_of_a_rich_entity_are_the_sum_of_what_it_has(make_store: MakeStore, graph: Graph, node: Node) -> None:
    rich = "".join(
        f'id:c sf:hasCaption id:t{n} ; sf:hasMedia id:m{n} ; sf:context "u{n}" . id:t{n} sf:text "c{n}" .\n'
        for n in range(30)
    )
    store = make_store(graph(STEP + "id:a b:does id:c .\n" + rich))
    assert len(store.select(neighbourhood_query([node("id:a")]))) == 1 + 3 * 30
    (edge,) = neighbourhood(store, [node("id:a")])[node("id:a")]
    assert [len(edge.tail.captions), len(edge.tail.media), len(edge.tail.contexts)] == [30, 30, 30]


def test_texts_that_count_as_false_are_texts(make_store: MakeStore, graph: Graph, node: Node) -> None:
    store = make_store(
        graph(
            'id:a a sf:TopicEntity ; rdfs:label "0" ; skos:altLabel "" ; sf:context "false", 0, false ; '
            'sf:hasCaption id:c . id:c sf:text "" ; sf:model "" .'
        )
    )
    (entity,) = topic_entities(store)
    assert (entity.label, entity.alt_labels) == ("0", ("",))
    assert set(entity.contexts) == {"false", "0"}
    assert entity.captions == (Caption("", model=""),)


@pytest.mark.parametrize("prop", ["rdfs:comment", "skos:definition", "<http://schema.org/description>"])
def test_other_words_for_a_context_are_read_where_there_is_none(
    make_store: MakeStore, graph: Graph, node: Node, prop: str
) -> None:
    told = f'{prop} "a kettle"@en, "ein Kessel"@de'
    store = make_store(
        graph(
            f'{STEP}id:a a sf:TopicEntity ; {told} ; b:does id:b, id:c . id:b {told} . id:c {told} ; sf:context "own" .'
        )
    )
    tails = {edge.tail.iri: edge.tail for edge in neighbourhood(store, [node("id:a")])[node("id:a")]}
    assert tails[node("id:b")].contexts == ("a kettle",)
    assert tails[node("id:c")].contexts == ("own",)
    assert [topic.contexts for topic in topic_entities(store)] == [("a kettle",)]
    assert {entity.contexts for entity in all_entities(store)} == {("a kettle",), ("own",)}
    assert describe(store, [node("id:a")])[node("id:a")].contexts == ("a kettle",)


def test_topics_are_sorted_by_label_and_a_blank_one_is_none(
    make_store: MakeStore, tiny_quads: tuple[ox.Quad, ...], graph: Graph
) -> None:
    store = make_store([*tiny_quads, *graph('[] a sf:TopicEntity ; rdfs:label "Aaa" .')])
    assert [topic.label for topic in topic_entities(store)] == ["Brewer", "Grand Brewer", "Milk Frother"]
    assert all(terms.TOPIC_ENTITY in topic.types for topic in topic_entities(store))


def test_a_graph_of_nothing_has_nothing(make_store: MakeStore) -> None:
    store = make_store([])
    assert (topic_entities(store), all_entities(store), entities_by_name(store, "Flush")) == ([], [], [])
    assert describe(store, []) == {}


def test_all_entities_are_those_at_an_end_of_a_relation(make_store: MakeStore, tiny_quads: tuple[ox.Quad, ...]) -> None:
    found = all_entities(make_store(tiny_quads))
    assert [entity.iri.value for entity in found] == sorted(entity.iri.value for entity in found)
    assert {"Brewer", "Brew Mode", "Hot Vapour", "Whirl Again"} <= {entity.label for entity in found}
    assert len(found) == 16


def test_homonyms_are_found_together_and_told_apart(
    make_store: MakeStore, tiny_quads: tuple[ox.Quad, ...], node: Node
) -> None:
    found = entities_by_name(make_store(tiny_quads), "  fLUSH ")
    assert [entity.iri for entity in found] == [node("id:brewer-flush"), node("id:grand-flush")]
    assert [len(entity.captions) for entity in found] == [1, 1]


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("Pomp Burst", ["Pump Burst"]),
        ("https://example.org/brew/id/vapour", ["Hot Vapour"]),
        ("https://example.org/brew/id/nothing", []),
        ("Lid is open", []),
        ("has work step", []),
        ("not an <iri>", []),
        ("", []),
    ],
)
def test_a_name_is_a_label_an_alternative_label_or_an_iri(
    make_store: MakeStore, tiny_quads: tuple[ox.Quad, ...], name: str, labels: list[str]
) -> None:
    assert [entity.label for entity in entities_by_name(make_store(tiny_quads), name)] == labels


def test_an_entity_of_which_nothing_is_said_is_found_by_its_iri_where_it_leads_somewhere(
    make_store: MakeStore, graph: Graph
) -> None:
    store = make_store(graph("b:does sf:baseRelation b:does . id:a b:does id:c ."))
    assert [entity.label for entity in entities_by_name(store, "https://example.org/brew/id/a")] == ["a"]
    assert entities_by_name(store, "https://example.org/brew/id/x") == []


def test_names_in_other_scripts_are_found_whatever_their_case(make_store: MakeStore, graph: Graph) -> None:
    store = make_store(graph(STEP + 'id:a b:does id:c . id:a rdfs:label "CAFÉ ΟΔΟΣ"@el . id:c rdfs:label "茶" .'))
    assert [entity.label for entity in entities_by_name(store, "café οδος")] == ["CAFÉ ΟΔΟΣ"]
    assert [entity.label for entity in entities_by_name(store, "茶")] == ["茶"]


@pytest.mark.server
def test_both_stores_see_one_graph(
    oxigraph_server: Server, tiny_quads: tuple[ox.Quad, ...], tiny_store: EmbeddedStore
) -> None:
    oxigraph_server.fill(tiny_quads)
    remote = RemoteStore(oxigraph_server.query_url, timeout_s=20)
    everything = all_entities(tiny_store)
    assert all_entities(remote) == everything
    frontier = [entity.iri for entity in everything]
    assert neighbourhood(remote, frontier) == neighbourhood(tiny_store, frontier)


def test_a_store_that_fails_is_a_store_error() -> None:
    class Failing(EmbeddedStore):
        def select(self, query: str) -> list[Row]:
            raise StoreError("gone")

    with pytest.raises(StoreError, match="gone"):
        neighbourhood(Failing(ox.Store()), [ox.NamedNode("http://example.org/a")])
