"""The sub-graph K_t: what is new, which path comes first, and the paths to its leaves."""

from agents.subgraph import Subgraph
from sparql.graph import Edge, Entity
from tests.fakes import edge, entity, route

NAMES = {name: entity(name) for name in ("root", "a", "b", "c", "d")}


def grow(*links: str) -> Subgraph:
    """A sub-graph by links such as ``root>a`` or ``root-wet>a``."""
    subgraph = Subgraph(NAMES["root"])
    for number, link in enumerate(links):
        subgraph.add(linked(link), float(number))
    return subgraph


def linked(link: str) -> Edge:
    left, _, tail = link.partition(">")
    head, _, condition = left.partition("-")
    return edge(NAMES[head], "leads to", NAMES[tail], condition=condition)


def paths(subgraph: Subgraph, limit: int = 1000) -> list[str]:
    return [route(scored.path) for scored in subgraph.leaf_paths(limit)]


def test_the_topic_alone_is_the_one_path_without_edges() -> None:
    assert paths(Subgraph(NAMES["root"])) == ["root"]


def test_a_tail_is_new_once() -> None:
    subgraph = Subgraph(NAMES["root"])
    assert subgraph.add(linked("root>a"), 0.0)
    assert not subgraph.add(linked("root>a"), 0.0)
    assert not subgraph.add(linked("root-wet>a"), 0.0)
    assert not subgraph.add(linked("a>root"), 0.0)
    assert NAMES["a"].iri in subgraph
    assert NAMES["b"].iri not in subgraph


def test_the_same_edge_twice_is_one_path_and_parallel_edges_are_two() -> None:
    assert paths(grow("root>a", "root>a")) == ["root>a"]
    assert paths(grow("root>a", "root-wet>a")) == ["root>a", "root>a"]


def test_the_first_path_to_an_entity_is_its_path() -> None:
    subgraph = grow("root>a", "root>b", "a>c", "b>c")
    assert route(subgraph.path(NAMES["c"].iri)) == "root>a>c"


def test_paths_are_sorted_by_length_and_then_by_discovery() -> None:
    assert paths(grow("root>a", "root>b", "a>c", "b>d", "root>d", "c>d")) == ["root>d", "root>b>d", "root>a>c>d"]


def test_scores_follow_the_edges_of_a_path() -> None:
    subgraph = grow("root>a", "root>b", "a>c", "b>c")
    assert {route(s.path): s.scores for s in subgraph.leaf_paths(10)} == {
        "root>a>c": (0.0, 2.0),
        "root>b>c": (1.0, 3.0),
    }


def test_what_suffices_is_marked_on_every_path_to_it() -> None:
    subgraph = grow("root>a", "root>b", "a>c", "b>c", "b>d")
    subgraph.mark_sufficient(NAMES["c"].iri)
    subgraph.mark_sufficient(NAMES["c"].iri)
    assert subgraph.sufficient_count == 1
    assert [(route(s.path), s.sufficient) for s in subgraph.leaf_paths(10)] == [
        ("root>a>c", True),
        ("root>b>c", True),
        ("root>b>d", False),
    ]


def test_no_path_goes_through_an_entity_twice() -> None:
    assert paths(grow("root>a", "a>b", "b>a", "b>root", "b>c")) == ["root>a>b>c"]


def test_what_no_path_can_avoid() -> None:
    chain, diamond = grow("root>a", "a>b"), grow("root>a", "root>b", "a>c", "b>c", "c>d", "d>a")
    assert chain.unavoidable(NAMES["b"].iri) == {NAMES[name].iri for name in ("root", "a", "b")}
    assert diamond.unavoidable(NAMES["d"].iri) == {NAMES[name].iri for name in ("root", "c", "d")}
    assert chain.unavoidable(NAMES["root"].iri) == {NAMES["root"].iri}


def test_beyond_the_limit_each_leaf_has_the_path_by_which_it_was_found() -> None:
    links = ("root>a", "root>b", "a>c", "b>c", "c>d", "b>a")
    assert paths(grow(*links), limit=9) == ["root>a>c>d", "root>b>c>d", "root>b>a>c>d"]
    assert paths(grow(*links), limit=8) == ["root>b", "root>a>c>d"]
    assert [s.scores for s in grow(*links).leaf_paths(8)] == [(1.0,), (0.0, 2.0, 4.0)]


def _all_linked(size: int) -> Subgraph:
    nodes: list[Entity] = [NAMES["root"], *(entity(f"n{n}") for n in range(size))]
    subgraph = Subgraph(nodes[0])
    for head in nodes:
        for tail in nodes:
            if head is not tail:
                subgraph.add(edge(head, "leads to", tail), 0.0)
    return subgraph


def test_a_dense_sub_graph_costs_no_more_than_the_limit() -> None:
    assert len(_all_linked(40).leaf_paths(10_000)) == 40
    assert len(_all_linked(4).leaf_paths(10_000)) == 24
