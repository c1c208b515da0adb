"""Routes of names onto IRIs: misspellings, homonyms, other topics' sub-graphs, and what does not map."""

import pyoxigraph as ox
import pytest

from eval.routes import RouteMap
from kg.store import EmbeddedStore
from tests.fakes import EX, little_graph

ID = "https://example.org/brew/id/"
LABEL = ox.NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
ALT = ox.NamedNode("http://www.w3.org/2004/02/skos/core#altLabel")


@pytest.fixture
def routes(tiny_store: EmbeddedStore) -> RouteMap:
    return RouteMap(tiny_store)


def mapped(routes: RouteMap, text: str, *, base: str = ID) -> list[str]:
    """The ends of the IRIs; fails where something does not map."""
    found = routes.map(text.split(">"))
    assert found.problem == ""
    assert found.names == tuple(text.split(">"))
    return [iri.value.removeprefix(base) for iri in found.iris]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Brewer", ["brewer"]),
        ("Brewer>Brew Mode>Pump Burst", ["brewer", "brewer-brew", "pump-burst"]),
        ("brewer>BREW-MODE>pomp burst", ["brewer", "brewer-brew", "pump-burst"]),
        ("Old Faithful of the Counter>Brew Mode", ["brewer", "brewer-brew"]),
        ("Frother>Whirl>Whirl Again", ["frother", "whirl", "whirl-again"]),
        ("Brewer>Brew Mode>Steam Blast>Hot Vapour", ["brewer", "brewer-brew", "steam-blast", "vapour"]),
    ],
)
def test_names_labels_and_misspellings_map(routes: RouteMap, text: str, expected: list[str]) -> None:
    assert mapped(routes, text) == expected


def test_a_name_belongs_to_the_sub_graph_of_the_last_topic_before_it(routes: RouteMap) -> None:
    assert mapped(routes, "Brewer>Standby Mode>Flush")[-1] == "brewer-flush"
    assert mapped(routes, "Brewer>Grand Brewer>Flush")[-1] == "grand-flush"


@pytest.mark.parametrize(
    ("text", "problem", "known"),
    [
        ("Kettle>Flush", "'Kettle' is no topic entity of the graph", 0),
        ("Flush", "'Flush' is no topic entity of the graph", 0),
        ("Brewer>Brew Mode>Whirl", "Brewer has nothing called 'Whirl'", 2),
        ("Brewer>Brew Mode>", "Brewer has nothing called ''", 2),
        ("Brewer>Pump Burst", "no edge leads to 'Pump Burst' from what stands before it", 2),
        ("Brewer>Milk Frother", "no edge leads to 'Milk Frother' from what stands before it", 2),
        ("Brewer>Brewer", "no edge leads to 'Brewer' from what stands before it", 2),
    ],
)
def test_what_does_not_map_says_why_and_how_far_it_came(routes: RouteMap, text: str, problem: str, known: int) -> None:
    found = routes.map(text.split(">"))
    assert (found.problem, len(found.iris)) == (problem, known)


def named(edges: str, labels: dict[str, str], alternatives: dict[str, str], topics: list[str]) -> RouteMap:
    """A little graph with labels; what has none is called by its name."""
    plain = little_graph(edges, topics=topics)
    triples = list(plain.construct("CONSTRUCT WHERE { ?s ?p ?o }"))
    for names, predicate in ((labels, LABEL), (alternatives, ALT)):
        triples += [ox.Triple(ox.NamedNode(EX + node), predicate, ox.Literal(text)) for node, text in names.items()]
    return RouteMap(EmbeddedStore.from_quads(ox.Quad(*triple) for triple in triples))


def test_of_two_of_one_name_in_one_sub_graph_the_one_that_is_led_to_is_meant() -> None:
    routes = named("t>a t>b a>x b>y", {"x": "Twin", "y": "Twin", "a": "A", "b": "B", "t": "T"}, {}, ["t"])
    assert mapped(routes, "T>A>Twin", base=EX)[-1] == "x"
    assert mapped(routes, "T>B>Twin", base=EX)[-1] == "y"


def test_a_label_goes_before_another_s_alternative_label() -> None:
    routes = named("t>a t>b", {"a": "A", "b": "Bee", "t": "T"}, {"a": "Bee"}, ["t"])
    assert mapped(routes, "T>Bee", base=EX)[-1] == "b"


def test_two_topics_of_one_name_are_no_start() -> None:
    routes = named("s>a t>b", {"s": "Twin", "t": "Twin", "a": "A", "b": "B"}, {}, ["s", "t"])
    found = routes.map(["Twin", "A"])
    assert (found.problem, found.iris) == ("2 topic entities are called 'Twin'", ())


def test_a_sub_graph_with_loops_is_read_to_its_end() -> None:
    labels = {name: name.upper() for name in "tabc"}
    routes = named("t>a a>b b>a b>c c>t c>c", labels, {}, ["t"])
    assert mapped(routes, "T>A>B>C>T>A", base=EX) == ["t", "a", "b", "c", "t", "a"]


def test_a_sub_graph_ends_at_the_next_topic() -> None:
    routes = named("t>u u>x", {"t": "T", "u": "U", "x": "X"}, {}, ["t", "u"])
    assert routes.map(["T", "X"]).problem == "T has nothing called 'X'"
    assert mapped(routes, "T>U>X", base=EX) == ["t", "u", "x"]


def test_an_empty_graph_maps_nothing() -> None:
    assert RouteMap(EmbeddedStore.from_quads([])).map(["T"]).problem == "'T' is no topic entity of the graph"
