"""The vector index: exact where it says so, the same after a restart, and never half written."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from retrieval.encoders.base import Fingerprint
from retrieval.errors import IndexDamaged, IndexMissing
from retrieval.vectors import Row, VectorIndex, current_version

ROOT = Path(__file__).resolve().parents[2]
PRINT = Fingerprint("test", "1", "none", 16)


def clustered(count: int, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    found = random.normal(size=(40, 16))[random.integers(0, 40, count)] + 0.3 * random.normal(size=(count, 16))
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), dtype=np.float32)


def rows(count: int) -> list[Row]:
    return [Row((f"http://example.org/{number}",), f"{number:064x}") for number in range(count)]


def build(directory: Path, count: int = 200, **more: object) -> VectorIndex:
    return VectorIndex.build(clustered(count), rows(count), PRINT, directory=directory, spec="test", **more)  # type: ignore[arg-type]


def test_neighbours_are_those_that_numpy_finds_nearest_first(tmp_path: Path) -> None:
    index, queries = build(tmp_path), clustered(5, seed=1)
    found = index.search(queries, k=7)
    for query, neighbours in zip(queries, found, strict=True):
        distances = np.linalg.norm(clustered(200) - query, axis=1)
        expected = np.argsort(distances)[:7]
        assert [one.row.items[0] for one in neighbours] == [f"http://example.org/{place}" for place in expected]
        assert [one.distance for one in neighbours] == pytest.approx(distances[expected], abs=1e-5)


def test_tau_is_a_distance_and_not_its_square(tmp_path: Path) -> None:
    index, query = build(tmp_path), clustered(1, seed=2)
    everything = index.search(query, k=200)[0]
    tau = everything[20].distance
    assert tau != pytest.approx(tau**2, abs=0.05)
    assert index.search(query, k=200, tau=tau)[0] == everything[:21]


def test_inverted_lists_find_what_one_by_one_finds(tmp_path: Path) -> None:
    flat, lists = build(tmp_path / "flat", 5_000), build(tmp_path / "ivf", 5_000, kind="ivf")
    assert lists.manifest.kind == "ivf"
    queries = clustered(50, seed=3)
    pairs = zip(flat.search(queries, k=10), VectorIndex.load(tmp_path / "ivf").search(queries, k=10), strict=True)
    shared = [len({one.row for one in exact} & {one.row for one in found}) / 10 for exact, found in pairs]
    assert np.mean(shared) >= 0.95
    assert lists.vectors_of(["http://example.org/3"]) == pytest.approx(clustered(5_000)[3:4])


def test_vectors_can_be_had_back(tmp_path: Path) -> None:
    build(tmp_path)
    index = VectorIndex.load(tmp_path)
    everything = [row.items[0] for row in index.rows]
    assert index.vectors_of(everything) == pytest.approx(clustered(200))
    asked = ["http://example.org/7", "http://example.org/none", "http://example.org/2"]
    assert index.vectors_of(asked) == pytest.approx(clustered(200)[[7, 2]])


def test_a_new_version_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    build(tmp_path, 10)
    first = current_version(tmp_path)
    build(tmp_path, 20)
    assert len(VectorIndex.load(tmp_path)) == 20
    assert first.exists()  # somebody may be opening it just now
    build(tmp_path, 30)
    assert not first.exists()


def test_there_is_none_yet(tmp_path: Path) -> None:
    with pytest.raises(IndexMissing, match="scoutfly index build"):
        VectorIndex.load(tmp_path / "none")


@pytest.mark.parametrize("name", ["vectors.faiss", "rows.jsonl"])
@pytest.mark.parametrize("fault", ["changed", "cut off", "gone"])
def test_files_that_are_not_what_the_manifest_says(tmp_path: Path, name: str, fault: str) -> None:
    build(tmp_path)
    path = current_version(tmp_path) / name
    content = path.read_bytes()
    if fault == "changed":
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    elif fault == "cut off":
        path.write_bytes(content[:-9])
    else:
        path.unlink()
    with pytest.raises(IndexDamaged, match="build the index anew"):
        VectorIndex.load(tmp_path)


def test_a_manifest_that_states_another_width_or_number(tmp_path: Path) -> None:
    build(tmp_path)
    path = current_version(tmp_path) / "manifest.json"
    held = json.loads(path.read_text())
    path.write_text(json.dumps(held | {"count": 7}))
    with pytest.raises(IndexDamaged, match="200 vectors, its manifest says 7"):
        VectorIndex.load(tmp_path)
    path.write_text(json.dumps(held | {"fingerprint": held["fingerprint"] | {"width": 4}}))
    with pytest.raises(IndexDamaged, match="16 numbers a vector, its manifest says 4"):
        VectorIndex.load(tmp_path)
    path.write_text("{}")
    with pytest.raises(IndexDamaged, match=r"manifest\.json cannot be read"):
        VectorIndex.load(tmp_path)


@pytest.mark.parametrize("step", ["_described", "_sync", "_publish"])
def test_a_kill_while_it_is_written_leaves_the_old_index(tmp_path: Path, step: str) -> None:
    build(tmp_path, 10)
    program = f"""
import os, signal
import retrieval.vectors as vectors
from tests.retrieval.test_vectors import build
setattr(vectors, {step!r}, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
from pathlib import Path
build(Path({str(tmp_path)!r}), 30)
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run([sys.executable, "-c", program], env=environment, check=False, capture_output=True)
    assert ended.returncode == -9, ended.stderr.decode()
    assert len(VectorIndex.load(tmp_path)) == 10
    build(tmp_path, 40)
    assert len(VectorIndex.load(tmp_path)) == 40
    assert not list(tmp_path.glob(f"{current_version(tmp_path).name}.*"))


def test_builds_at_once_take_turns_and_readers_find_one_of_them(tmp_path: Path) -> None:
    build(tmp_path, 10)
    with ThreadPoolExecutor(4) as pool:
        building = [pool.submit(build, tmp_path, size) for size in (20, 30, 40, 50) * 3]
        for one in building:
            one.result()
            assert len(VectorIndex.load(tmp_path)) in (10, 20, 30, 40, 50)
    assert len([path for path in tmp_path.iterdir() if path.is_dir()]) <= 2


def test_how_far_neighbours_are_in_the_middle(tmp_path: Path) -> None:
    distances = np.linalg.norm(clustered(200)[:, None] - clustered(200)[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    assert build(tmp_path / "a").neighbour_distance == pytest.approx(np.median(distances.min(axis=1)), rel=1e-4)
    alone = VectorIndex.build(clustered(1), rows(1), PRINT, directory=tmp_path / "b", spec="test")
    assert alone.neighbour_distance == 1.0
