"""The leave-out protocol proved on shelves whose right answers are known."""

from pathlib import Path

import numpy as np
import pyoxigraph as ox
import pytest

from eval.leave_out import Held, Rank, Shelf, rank, recall_at, reciprocal, squared_distances
from kg.media.items import MediaItem

EX = "http://example.org/"


def node(name: str) -> ox.NamedNode:
    return ox.NamedNode(EX + name)


def shelf(shown: dict[str, list[str]], *, same: dict[str, str] | None = None) -> Shelf:
    """Entities with their items; ``same`` gives items the digest of another. Entity "a1" belongs to topic "a"."""
    owners: dict[ox.NamedNode, set[ox.NamedNode]] = {}
    for entity, names in shown.items():
        for name in names:
            owners.setdefault(node(name), set()).add(node(entity))
    items = [
        MediaItem(iri, "image", (Path(iri.value),), (same or {}).get(iri.value[len(EX) :], iri.value), "image/png")
        for iri in owners
    ]
    return Shelf(items, {i: frozenset(e) for i, e in owners.items()}, {node(e): frozenset([node(e[0])]) for e in shown})


def ranks(found: Shelf, vectors: np.ndarray, *, strict: bool = False, seed: int = 0) -> list[Rank]:
    held = found.hold_out(np.random.default_rng(seed), strict=strict)
    distances = squared_distances(vectors[[one.row for one in held]], vectors)
    return [rank(found, found.nearest(row, one), one.entities) for row, one in zip(distances, held, strict=True)]


def unit(rows: np.ndarray) -> np.ndarray:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


MANY = {
    f"{topic}{number}": [f"{topic}{number}-{item}" for item in range(3)] for topic in "abcde" for number in range(8)
}


def test_an_encoder_that_knows_the_entity_is_always_right() -> None:
    found = shelf(MANY)
    vectors = unit(np.repeat(np.eye(40), 3, axis=0) + 0.01)
    assert set(ranks(found, vectors)) == {Rank(1, 1)}
    assert set(ranks(found, vectors, strict=True)) == {Rank(1, 1)}


def test_a_random_encoder_is_right_as_often_as_chance() -> None:
    found = shelf(MANY)
    hits: list[float] = []
    topics: list[float] = []
    for seed in range(30):
        vectors = unit(np.random.default_rng(seed).normal(size=(120, 16)))
        places = ranks(found, vectors, seed=seed)
        hits += recall_at([place.entity for place in places], 1)
        topics += recall_at([place.topic for place in places], 1)
    # 2 of the 119 items that are left are right; 23 of them belong to the right topic.
    assert np.mean(hits) == pytest.approx(2 / 119, abs=0.01)
    assert np.mean(topics) == pytest.approx(23 / 119, abs=0.03)


def test_an_encoder_that_tells_nothing_apart_finds_nothing() -> None:
    places = ranks(shelf(MANY), unit(np.ones((120, 4))))
    assert recall_at([place.entity for place in places], 10) == [0.0] * 40


def test_what_is_the_same_by_its_bytes_does_not_stay_on_the_shelf() -> None:
    """The vectors are those of the digests, so that a copy that stayed would be found at distance 0."""
    found = shelf({"a1": ["x", "y"], "b1": ["copy-of-x", "z"]}, same={"copy-of-x": EX + "x"})
    held = {one.row: one for one in found.hold_out(np.random.default_rng(0))}
    names = [item.iri.value[len(EX) :] for item in found.items]
    for row, one in held.items():
        assert {found.items[index].sha256 for index in one.out} == {found.items[row].sha256}
        if names[row] in ("x", "copy-of-x"):
            assert one.entities == {node("a1"), node("b1")}
            assert {names[index] for index in one.out} == {"x", "copy-of-x"}


def test_strictly_one_item_of_the_entity_is_left() -> None:
    found = shelf({"a1": ["p", "q", "r", "s"], "b1": ["t"]})
    (held,) = found.hold_out(np.random.default_rng(1), strict=True)
    assert len(held.out) == 3
    nearness = found.nearest(np.zeros(5), held)
    assert np.isfinite(nearness).all()


def test_entities_with_one_item_are_not_asked_about() -> None:
    assert shelf({"a1": ["p"], "b1": ["q", "r"]}, same={"r": EX + "q"}).hold_out(np.random.default_rng(0)) == []


def test_equally_near_entities_share_the_worst_place() -> None:
    found = shelf({"a1": ["p"], "b1": ["q"], "b2": ["r"]})
    right = frozenset([node("b2")])
    assert rank(found, np.array([0.5, 0.2, 0.2]), right) == Rank(2, 1)
    assert rank(found, np.array([0.5, 0.2, np.inf]), right) == Rank(None, 1)


def test_recall_and_reciprocal_ranks_by_hand() -> None:
    assert recall_at([1, 3, None, 5], 3) == [1.0, 1.0, 0.0, 0.0]
    assert reciprocal([1, 4, None]) == [1.0, 0.25, 0.0]


def test_distances_are_those_of_a_flat_index() -> None:
    import faiss

    random = np.random.default_rng(2)
    queries, vectors = unit(random.normal(size=(3, 8))), unit(random.normal(size=(20, 8)))
    index = faiss.IndexFlatL2(8)
    index.add(vectors)
    expected, order = index.search(queries, 20)
    found = squared_distances(queries, vectors)
    assert np.take_along_axis(found, order, axis=1) == pytest.approx(expected, abs=1e-5)


def test_the_draw_is_the_same_each_time() -> None:
    found = shelf(MANY)
    draws = [[(h.row, sorted(h.out)) for h in found.hold_out(np.random.default_rng(9))] for _ in range(2)]
    assert draws[0] == draws[1]
    assert isinstance(found.hold_out(np.random.default_rng(9))[0], Held)
