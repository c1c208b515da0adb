"""
How a vector index searches, beside bare FAISS and beside exact search: python -m benchmarks.vector_search

The vectors are made: unit, in clusters as those of real media are, with queries near some of them. Prints, for each
size, the kind of index that is chosen, seconds to build and load, what it takes on disk and in memory, milliseconds a
query, and recall@10 and speed beside exact search of the same queries in the same run.
"""

import argparse
import resource
import tempfile
import time
from pathlib import Path

import faiss
import numpy as np

from retrieval.encoders.base import Fingerprint, Vectors
from retrieval.vectors import FLAT_UP_TO, Row, VectorIndex

WIDTH = 512
_QUERIES = 200
_K = 10
LEAST_RECALL, LEAST_SPEED, MOST_OVER_BARE = 0.95, 20.0, 1.2


def main() -> None:
    """Measure each size, and end with status 1 where an aim is missed."""
    options = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    options.add_argument("--sizes", default="10000,100000,1000000", help="how many vectors, with commas")
    options.add_argument("--clusters", type=int, default=0, help="clusters of vectors; by default one for 50 vectors")
    given = options.parse_args()
    print(
        "| vectors | kind | build s | load s | disk MiB | peak MiB | ms/query | exact (bare) ms | speed | recall@10 |"
    )
    print("| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    missed = [fault for size in map(int, given.sizes.split(",")) for fault in _measure(size, given.clusters)]
    for fault in missed:
        print(f"missed: {fault}")
    raise SystemExit(bool(missed))


def _measure(size: int, clusters: int) -> list[str]:
    vectors, queries = _made(size, clusters or max(1, size // 50))
    rows = [Row((f"http://example.org/{number}",), f"{number:064x}") for number in range(size)]
    fingerprint = Fingerprint("made", "1", "clusters", WIDTH)
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        VectorIndex.build(vectors, rows, fingerprint, directory=Path(folder), spec="made")
        build_s, start = time.perf_counter() - start, time.perf_counter()
        index = VectorIndex.load(Path(folder))
        load_s = time.perf_counter() - start
        disk = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    bare = faiss.IndexFlatL2(WIDTH)
    bare.add(vectors)
    exact = bare.search(queries, _K)[1]
    # In turns, so that what else the machine does falls on both alike; the best of each counts.
    ours, theirs = [], []
    for _ in range(5):
        start = time.perf_counter()
        found = index.search(queries, k=_K)
        ours.append(time.perf_counter() - start)
        start = time.perf_counter()
        bare.search(queries, _K)
        theirs.append(time.perf_counter() - start)
    names = [{int(one.row.items[0].rsplit("/", 1)[1]) for one in some} for some in found]
    recall = float(np.mean([len(some & set(right.tolist())) / _K for some, right in zip(names, exact, strict=True)]))
    mine, bare_s = min(ours), min(theirs)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(
        f"| {size:,} | {index.manifest.kind} | {build_s:.1f} | {load_s:.2f} | {disk >> 20} | {peak} "
        f"| {mine / _QUERIES * 1e3:.3f} | {bare_s / _QUERIES * 1e3:.3f} | {bare_s / mine:.2f} | {recall:.3f} |",
        flush=True,
    )
    if size <= FLAT_UP_TO:
        return [f"{size:,}: {mine / bare_s:.2f} times bare FAISS"] if mine > MOST_OVER_BARE * bare_s else []
    faults = [f"{size:,}: recall {recall:.3f}"] if recall < LEAST_RECALL else []
    return faults + ([f"{size:,}: {bare_s / mine:.1f} times as fast"] if bare_s < LEAST_SPEED * mine else [])


def _made(size: int, clusters: int) -> tuple[Vectors, Vectors]:
    """Unit vectors around centres that are unit, too, and queries around some of the vectors."""
    random = np.random.default_rng(0)
    centres = random.normal(size=(clusters, WIDTH)).astype(np.float32)
    vectors = centres[random.integers(0, clusters, size)]
    for start in range(0, size, 100_000):  # all noise at once would take twice the vectors' memory
        some = vectors[start : start + 100_000]
        some += 0.5 * random.normal(size=some.shape).astype(np.float32)
        some /= np.linalg.norm(some, axis=1, keepdims=True)
    queries = vectors[random.integers(0, size, _QUERIES)] + 0.02 * random.normal(size=(_QUERIES, WIDTH))
    return vectors, np.asarray(queries / np.linalg.norm(queries, axis=1, keepdims=True), dtype=np.float32)


if __name__ == "__main__":
    main()
