"""
Vector indexes that fail without a word: of another width than the query (E1), whose rows lose their names (E3, E5),
with fewer rows than are asked for, or with vectors that are no numbers (E6).
"""

from pathlib import Path

import numpy as np
import pytest

from retrieval.encoders.base import Fingerprint
from retrieval.errors import BadVectors, IndexDamaged
from retrieval.vectors import Row, VectorIndex

NARROW = Fingerprint("narrow", "1", "none", 4)
WIDE = Fingerprint("wide", "1", "none", 8)


def vectors(count: int, width: int = 4) -> np.ndarray:
    return np.random.default_rng(0).normal(size=(count, width)).astype(np.float32)


def rows(count: int) -> list[Row]:
    return [Row((f"http://example.org/{number}",), f"{number:064x}") for number in range(count)]


def build(directory: Path, count: int = 3) -> VectorIndex:
    return VectorIndex.build(vectors(count), rows(count), NARROW, directory=directory, spec="narrow")


def test_e1_a_query_of_another_width_is_told_both_widths(tmp_path: Path) -> None:
    index = build(tmp_path)
    with pytest.raises(BadVectors, match=r"shape \[1, 8\] do not fit 1 items of narrow .*must be \[1, 4\]"):
        index.search(vectors(1, 8), k=1)
    with pytest.raises(IndexDamaged, match=r"made by narrow .*4 wide.* asked by wide .*8 wide"):
        index.check_encoder(WIDE)
    index.check_encoder(NARROW)


def test_e3_e5_rows_keep_their_names_over_a_restart(tmp_path: Path) -> None:
    build(tmp_path, 50)
    loaded = VectorIndex.load(tmp_path)
    for place, found in enumerate(loaded.search(vectors(50), k=1)):
        assert found[0].row == rows(50)[place]
        assert found[0].distance == pytest.approx(0, abs=1e-3)


def test_e6_fewer_rows_than_are_asked_for(tmp_path: Path) -> None:
    found = build(tmp_path).search(vectors(2), k=5)
    assert [len(some) for some in found] == [3, 3]
    assert VectorIndex.build(vectors(0), [], NARROW, directory=tmp_path / "empty", spec="x").search(
        vectors(1), k=5
    ) == [[]]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 0.0])
def test_e6_vectors_that_are_no_directions_are_refused_by_name(tmp_path: Path, value: float) -> None:
    bad = vectors(3)
    bad[1] = value
    with pytest.raises(BadVectors, match=r"http://example\.org/1 is zero or not finite"):
        VectorIndex.build(bad, rows(3), NARROW, directory=tmp_path, spec="narrow")
    assert not list(tmp_path.iterdir())
    with pytest.raises(BadVectors, match="query 1 "):
        build(tmp_path).search(np.full((1, 4), value, dtype=np.float32), k=1)
