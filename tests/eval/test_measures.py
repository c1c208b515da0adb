"""Precision and recall of paths, computed by hand (section 8.2, equations 13 and 14)."""

from collections.abc import Callable

import pyoxigraph as ox
import pytest

from eval.measures import Consistency, Route, edge_consistency, path_consistency, prefix_consistency

Measure = Callable[[list[Route], list[Route]], Consistency]
MEASURES = [path_consistency, edge_consistency, prefix_consistency]


def paths(*texts: str) -> list[Route]:
    """``"rab"`` is the route r → a → b."""
    return [tuple(ox.NamedNode(f"http://example.org/{name}") for name in text) for text in texts]


@pytest.mark.parametrize(
    ("measure", "retrieved", "annotated", "precision", "recall"),
    [
        # Two of three retrieved paths are annotated; two of four annotated ones are retrieved.
        (path_consistency, ["rab", "rac", "rx"], ["rab", "rac", "rd", "re"], 2 / 3, 2 / 4),
        # Edges: ra ab ac rx against ra ab ac rd re: three in common.
        (edge_consistency, ["rab", "rac", "rx"], ["rab", "rac", "rd", "re"], 3 / 4, 3 / 5),
        # Shares of the paths retrieved: 1, 1, 0; of those annotated: 1, 1, 0, 0.
        (prefix_consistency, ["rab", "rac", "rx"], ["rab", "rac", "rd", "re"], 2 / 3, 2 / 4),
        # A path that strays at its last edge is a miss, two edges of three, and two thirds.
        (path_consistency, ["rabx"], ["raby"], 0.0, 0.0),
        (edge_consistency, ["rabx"], ["raby"], 2 / 3, 2 / 3),
        (prefix_consistency, ["rabx"], ["raby"], 2 / 3, 2 / 3),
        # A path that stops early holds nothing wrong, and not all.
        (path_consistency, ["ra"], ["rab"], 0.0, 0.0),
        (edge_consistency, ["ra"], ["rab"], 1.0, 1 / 2),
        (prefix_consistency, ["ra"], ["rab"], 1.0, 1 / 2),
        # One that goes on too long.
        (edge_consistency, ["rab"], ["ra"], 1 / 2, 1.0),
        (prefix_consistency, ["rab"], ["ra"], 1 / 2, 1.0),
        # The same edge off another prefix counts for edges and not for prefixes.
        (edge_consistency, ["rxab"], ["rab"], 1 / 3, 1 / 2),
        (prefix_consistency, ["rxab"], ["rab"], 0.0, 0.0),
        # The best of the other side counts.
        (prefix_consistency, ["rabc"], ["rx", "ra", "rab"], 2 / 3, (0 + 1 + 1) / 3),
        # Another root has nothing in common.
        (path_consistency, ["sa"], ["ra"], 0.0, 0.0),
        (edge_consistency, ["sa"], ["ra"], 0.0, 0.0),
        (prefix_consistency, ["sa"], ["ra"], 0.0, 0.0),
    ],
)
def test_by_hand(measure: Measure, retrieved: list[str], annotated: list[str], precision: float, recall: float) -> None:
    found = measure(paths(*retrieved), paths(*annotated))
    assert (found.precision, found.recall) == pytest.approx((precision, recall))


@pytest.mark.parametrize("measure", MEASURES)
def test_all_is_one_and_nothing_is_zero(measure: Measure) -> None:
    assert measure(paths("rab", "rc"), paths("rc", "rab")) == Consistency(1.0, 1.0)
    assert measure([], paths("rab")) == Consistency(0.0, 0.0)
    assert measure(paths("rab"), []) == Consistency(0.0, 0.0)
    assert measure([], []) == Consistency(0.0, 0.0)


@pytest.mark.parametrize("measure", MEASURES)
def test_a_route_that_is_its_root_alone_can_be_found(measure: Measure) -> None:
    assert measure(paths("r"), paths("r")) == Consistency(1.0, 1.0)
    assert measure(paths("ra"), paths("r")) == Consistency(0.0, 0.0)
    assert measure(paths("r"), paths("ra")) == Consistency(0.0, 0.0)
    assert measure(paths("s"), paths("r")) == Consistency(0.0, 0.0)


@pytest.mark.parametrize("measure", [path_consistency, edge_consistency])
def test_a_path_that_is_retrieved_twice_counts_once(measure: Measure) -> None:
    """Parallel edges give one path of entities two times; matching is one to one."""
    assert measure(paths("ra", "ra", "rb"), paths("ra")) == Consistency(1 / 2, 1.0)
    assert measure(paths("ra"), paths("ra", "ra")) == Consistency(1.0, 1.0)


@pytest.mark.parametrize("measure", MEASURES)
def test_order_does_not_matter(measure: Measure) -> None:
    one, other = paths("rab", "rc", "rde"), paths("rde", "rab", "rf")
    assert measure(one, other) == measure(one[::-1], other[::-1])
    swapped = measure(other, one)
    assert measure(one, other) == Consistency(swapped.recall, swapped.precision)
