"""
A vector index on disk: vectors, whose they are, and a manifest that says by which encoder they were made.

    DIRECTORY/current        the name of the version that holds; replaced atomically
    DIRECTORY/lock           held by the one who replaces it
    DIRECTORY/<version>/     vectors.faiss, rows.jsonl, manifest.json; never changed once it is current

A kill at any moment leaves the index as before or as after. Search is by L2 distance (M3KG-RAG, section 3.2), exact up
to FLAT_UP_TO vectors and by inverted lists above. FAISS is asked with the same code on a GPU, where there are one and
faiss-gpu.
"""

import fcntl
import hashlib
import json
import logging
import os
import secrets
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from retrieval.encoders.base import Fingerprint, Vectors
from retrieval.errors import BadVectors, IndexDamaged, IndexMissing

FLAT_UP_TO = 100_000
"""Vectors that are searched one by one: at 512 wide some 10 ms a query on one core."""
_LISTS_PER_ROOT = 4
_PROBES = 32
_TRAINED_ON = 64
"""Vectors a list that the lists are learnt from."""
_ROUNDS, _SEED = 10, 1234
_SAMPLED, _NEIGHBOURS, _SAME = 500, 16, 1e-4
"""Vectors that stand for all where neighbours are measured; how many of each are looked at; what counts as a copy."""
_CHUNK = 1 << 22
_DRAFT_S = 3600.0
"""A draft that nobody has written to for so long was left by a build that was killed."""
_CHECKED_UP_TO = 1 << 28
"""Bytes of a file whose checksum is looked at whenever it is opened; of larger ones the size is, see verify()."""
FILES = ("vectors.faiss", "rows.jsonl")
Kind = Literal["flat", "ivf"]


@dataclass(frozen=True, slots=True)
class Row:
    """Whose a vector is: the IRIs of its item, two for a pair, and the SHA-256 of what was encoded."""

    items: tuple[str, ...]
    sha256: str


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A row and its L2 distance from what was asked for."""

    row: Row
    distance: float


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index is; ``spec`` says which encoder makes queries for it (see retrieval.encoders.registry)."""

    spec: str
    fingerprint: Fingerprint
    kind: Kind
    parameters: Mapping[str, int]
    count: int
    generation: int
    created: str
    faiss: str
    files: Mapping[str, Mapping[str, str | int]]
    metric: str = "L2"


class VectorIndex:
    """One version of an index, in memory. Many threads may search it."""

    def __init__(self, index: Any, rows: Sequence[Row], manifest: Manifest) -> None:
        self._index, self.rows, self.manifest = index, rows, manifest
        self._places = {iri: place for place, row in enumerate(rows) for iri in row.items if len(row.items) == 1}

    @staticmethod
    def build(
        vectors: Vectors,
        rows: Sequence[Row],
        fingerprint: Fingerprint,
        *,
        directory: Path,
        spec: str,
        generation: int = 0,
        kind: Kind | None = None,
    ) -> "VectorIndex":
        """
        Write a new version and make it the current one; ``vectors`` are ``float32 [n, width]``, one for each row.

        ``kind`` is chosen by their number where it is left out. Raises BadVectors, naming the items, before anything
        is written, and OSError.
        """
        _check(vectors, fingerprint, [row.items[0] for row in rows])
        chosen: Kind = kind or ("flat" if len(rows) <= FLAT_UP_TO else "ivf")
        index, parameters = _filled(vectors, chosen)
        directory.mkdir(parents=True, exist_ok=True)
        version = f"v{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
        draft = directory / f".{version}.tmp"
        draft.mkdir()
        try:
            _faiss().write_index(_on_cpu(index), str(draft / FILES[0]))
            with (draft / FILES[1]).open("w", encoding="utf-8") as stream:
                stream.writelines(json.dumps([*row.items, row.sha256], ensure_ascii=False) + "\n" for row in rows)
            manifest = Manifest(
                spec=spec,
                fingerprint=fingerprint,
                kind=chosen,
                parameters=parameters,
                count=len(rows),
                generation=generation,
                created=datetime.now(UTC).isoformat(timespec="seconds"),
                faiss=_faiss().__version__,
                files={name: _described(draft / name) for name in FILES},
            )
            (draft / "manifest.json").write_text(json.dumps(asdict(manifest), indent=2), encoding="utf-8")
            for path in (*draft.iterdir(), draft):
                _sync(path)
            _publish(directory, draft, version)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
        return VectorIndex(index, rows, manifest)

    @staticmethod
    def load(directory: Path, *, whole: bool = False) -> "VectorIndex":
        """
        The current version. Checksums of very large files are looked at only where ``whole`` is set.

        Raises IndexMissing, IndexDamaged.
        """
        version = current_version(directory)
        manifest = read_manifest(version)
        for name, stated in manifest.files.items():
            _hold_against(version / name, stated, whole=whole)
        try:
            index = _faiss().read_index(str(version / FILES[0]))
            with (version / FILES[1]).open(encoding="utf-8") as stream:
                rows = [Row(tuple(items), digest) for *items, digest in map(json.loads, stream)]
        except (OSError, RuntimeError, ValueError) as error:
            raise IndexDamaged(f"{version} cannot be read: {_line(error)}; {_AGAIN}") from error
        for what, found, stated_number in (
            ("vectors", index.ntotal, manifest.count),
            ("rows", len(rows), manifest.count),
            ("numbers a vector", index.d, manifest.fingerprint.width),
        ):
            if found != stated_number:
                raise IndexDamaged(f"{version} has {found} {what}, its manifest says {stated_number}; {_AGAIN}")
        return VectorIndex(_ready(index, manifest), rows, manifest)

    def __len__(self) -> int:
        return len(self.rows)

    def check_encoder(self, fingerprint: Fingerprint) -> None:
        """Raises IndexDamaged, naming both, where vectors of that encoder cannot be compared with these."""
        if fingerprint != self.manifest.fingerprint:
            raise IndexDamaged(
                f"the index was made by {self.manifest.fingerprint} and is asked by {fingerprint}: "
                "ask it by the same, or build it anew"
            )

    def search(self, queries: Vectors, *, k: int, tau: float | None = None) -> list[list[Neighbour]]:
        """
        The ``k`` nearest rows of each query, ``float32 [q, width]``, nearest first; those farther than ``tau`` are left
        out, and there are fewer where the index has fewer.

        Raises BadVectors.
        """
        _check(queries, self.manifest.fingerprint, [f"query {number + 1}" for number in range(len(queries))])
        if not len(queries) or not self.rows or k < 1:
            return [[] for _ in queries]
        squared, places = self._index.search(np.ascontiguousarray(queries), min(k, len(self.rows)))
        distances = np.sqrt(np.maximum(squared, 0))
        return [
            [
                Neighbour(self.rows[place], float(far))
                for far, place in zip(row_far, row_places, strict=True)
                if place >= 0 and (tau is None or far <= tau)  # -1 fills up what inverted lists did not find
            ]
            for row_far, row_places in zip(distances, places, strict=True)
        ]

    def vectors_of(self, iris: Iterable[str]) -> Vectors:
        """The vectors of single items that are in the index, ``float32 [m, width]``, in the order asked for."""
        return self._at([self._places[iri] for iri in iris if iri in self._places])

    @cached_property
    def neighbour_distance(self) -> float:
        """How far a vector is, in the middle, from its nearest other one; 1 where there are no two that differ."""
        chosen = self._at(np.random.default_rng(_SEED).permutation(len(self.rows))[:_SAMPLED].tolist())
        found = self.search(chosen, k=_NEIGHBOURS)
        nearest = [next((one.distance for one in some if one.distance > _SAME), None) for some in found]
        distances = [distance for distance in nearest if distance is not None]
        return float(np.median(distances)) if distances else 1.0

    def _at(self, places: Sequence[int]) -> Vectors:
        if not places:
            return np.zeros((0, self.manifest.fingerprint.width), dtype=np.float32)
        return np.asarray(self._index.reconstruct_batch(np.asarray(places, dtype=np.int64)), dtype=np.float32)


def current_version(directory: Path) -> Path:
    """The directory of the version that holds. Raises IndexMissing, IndexDamaged."""
    try:
        name = (directory / "current").read_text(encoding="utf-8").strip()
    except FileNotFoundError as error:
        raise IndexMissing(f"there is no index in {directory}: scoutfly index build makes one") from error
    version = directory / name
    if "/" in name or not version.is_dir():
        raise IndexDamaged(f"{directory / 'current'} names {name!r}, which is not there; {_AGAIN}")
    return version


def read_manifest(version: Path) -> Manifest:
    """The manifest of a version. Raises IndexDamaged."""
    try:
        held = json.loads((version / "manifest.json").read_text(encoding="utf-8"))
        return Manifest(**(held | {"fingerprint": Fingerprint(**held["fingerprint"])}))
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise IndexDamaged(f"{version / 'manifest.json'} cannot be read: {_line(error)}; {_AGAIN}") from error


def uses_gpu() -> bool:
    """Whether FAISS was built for GPUs and sees one."""
    library = _faiss()
    return bool(getattr(library, "get_num_gpus", lambda: 0)()) and hasattr(library, "StandardGpuResources")


@cache
def _faiss() -> Any:
    """The library, loaded when the first index is asked for: half a second, and lines about processors in the log."""
    logging.getLogger("faiss.loader").setLevel(logging.WARNING)
    import faiss  # noqa: PLC0415

    return faiss


_AGAIN = "build the index anew"


def _filled(vectors: Vectors, kind: Kind) -> tuple[Any, dict[str, int]]:
    width, parameters = vectors.shape[1], dict[str, int]()
    index: Any = _faiss().IndexFlatL2(width)
    if kind == "ivf":
        lists = max(1, int(_LISTS_PER_ROOT * np.sqrt(len(vectors))))
        parameters = {"lists": lists, "probes": min(_PROBES, lists)}
        index = _faiss().index_factory(width, f"IVF{lists},Flat", _faiss().METRIC_L2)
        index.cp.seed, index.cp.max_points_per_centroid, index.cp.niter = _SEED, _TRAINED_ON, _ROUNDS
    if uses_gpu():
        index = _faiss().index_cpu_to_all_gpus(index)
    if kind == "ivf":
        index.train(np.ascontiguousarray(vectors))
    if len(vectors):
        index.add(np.ascontiguousarray(vectors))
    return _set(_on_cpu(index), parameters), parameters


def _set(index: Any, parameters: Mapping[str, int]) -> Any:
    if "probes" in parameters:
        index.nprobe = parameters["probes"]
        index.make_direct_map()
    return index


def _ready(index: Any, manifest: Manifest) -> Any:
    found = _set(index, manifest.parameters)
    return _faiss().index_cpu_to_all_gpus(found) if uses_gpu() and manifest.kind == "flat" else found


def _on_cpu(index: Any) -> Any:
    return _faiss().index_gpu_to_cpu(index) if uses_gpu() and "Gpu" in type(index).__name__ else index


def _check(vectors: Vectors, fingerprint: Fingerprint, names: Sequence[str]) -> None:
    if vectors.ndim != 2 or vectors.shape[1] != fingerprint.width or len(vectors) != len(names):
        raise BadVectors(
            f"vectors of shape {list(vectors.shape)} do not fit {len(names)} items of {fingerprint}: "
            f"they must be [{len(names)}, {fingerprint.width}]"
        )
    bad = np.flatnonzero(~np.isfinite(vectors).all(axis=1) | ~vectors.any(axis=1))
    if len(bad):
        more = f" and {len(bad) - 1} more" if len(bad) > 1 else ""
        raise BadVectors(f"the vector of {names[bad[0]]}{more} is zero or not finite: leave that item out")


def _described(path: Path) -> dict[str, str | int]:
    return {"sha256": _digest(path), "bytes": path.stat().st_size}


def _hold_against(path: Path, stated: Mapping[str, str | int], *, whole: bool) -> None:
    try:
        size = path.stat().st_size
        if size != stated["bytes"]:
            raise IndexDamaged(f"{path} has {size} bytes, its manifest says {stated['bytes']}; {_AGAIN}")
        if (whole or size <= _CHECKED_UP_TO) and (found := _digest(path)) != stated["sha256"]:
            raise IndexDamaged(f"{path} has the SHA-256 {found}, its manifest says {stated['sha256']}; {_AGAIN}")
    except OSError as error:
        raise IndexDamaged(f"{path} cannot be read: {_line(error)}; {_AGAIN}") from error


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _publish(directory: Path, draft: Path, version: str) -> None:
    """Make a draft the current version; what was current before stays for those who are opening it just now."""
    with _lock(directory):
        draft.rename(directory / version)
        before = (directory / "current").read_text(encoding="utf-8").strip() if (directory / "current").exists() else ""
        temporary = directory / f".current.{secrets.token_hex(4)}.tmp"
        temporary.write_text(version + "\n", encoding="utf-8")
        _sync(temporary)
        temporary.replace(directory / "current")
        _sync(directory)
        for old in directory.iterdir():
            is_draft = old.name.startswith(".") and time.time() - old.stat().st_mtime < _DRAFT_S
            if old.is_dir() and old.name not in (version, before) and not is_draft:
                shutil.rmtree(old, ignore_errors=True)


@contextmanager
def _lock(directory: Path) -> Iterator[None]:
    """Builds take turns to publish; the kernel lets go of the lock where one is killed."""
    handle = os.open(directory / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
