"""Loads a large file of one triple a line in several parts at once, one a processor.

Only where the parts do not depend on one another: a file with blank nodes is loaded in one piece, since each part would
take ``_:a`` for a node of its own. Knows nothing of the triples but that a line holds a whole one.
"""

import io
import mmap
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

from kg.draft import Draft

LEAST_BYTES = 8 << 20
"""A part below this is not worth a thread."""
_MOST_PARTS = 4


@dataclass(frozen=True, slots=True)
class Part:
    """The bytes of a file from ``start`` to before ``end``; whole lines."""

    start: int
    end: int


def parts_of(path: Path) -> list[Part]:
    """The parts in which to load a file: one for a small file, for one with blank nodes, or for one processor."""
    size = path.stat().st_size
    count = min(processors(), _MOST_PARTS, size // LEAST_BYTES)
    if count < 2:
        return [Part(0, size)]
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
        if content.find(b"_:") >= 0:
            return [Part(0, size)]
        cuts = [0]
        for number in range(1, count):
            cuts.append(max(cuts[-1], content.find(b"\n", size * number // count) + 1))
    return [Part(start, end) for start, end in zip(cuts, [*cuts[1:], size], strict=True) if start < end]


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def load_parts(draft: Draft, path: Path, syntax: ox.RdfFormat, *, base_iri: str, graph: ox.NamedNode) -> None:
    """Load ``path`` into ``graph``. Raises SyntaxError for the first bad part, with the line in the whole file."""
    parts = parts_of(path)
    if len(parts) < 2:
        draft.load(path, syntax, base_iri=base_iri, graph=graph)
        return

    def load(part: Part) -> None:
        with io.BufferedReader(_Window(path, part)) as stream:
            draft.load(stream, syntax, base_iri=base_iri, graph=graph)

    with ThreadPoolExecutor(len(parts)) as pool:
        futures = [pool.submit(load, part) for part in parts]
    for part, future in zip(parts, futures, strict=True):
        error = future.exception()
        if isinstance(error, SyntaxError) and error.lineno is not None:
            error.lineno += _lines_before(path, part.start)
        if error is not None:
            raise error


def _lines_before(path: Path, position: int) -> int:
    with path.open("rb") as stream:
        left, lines = position, 0
        while left and (chunk := stream.read(min(left, 1 << 20))):
            lines += chunk.count(b"\n")
            left -= len(chunk)
    return lines


class _Window(io.RawIOBase):
    """A part of a file as a stream of its own."""

    def __init__(self, path: Path, part: Part) -> None:
        self._stream = path.open("rb", buffering=0)
        self._stream.seek(part.start)
        self._left = part.end - part.start

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        read = self._stream.readinto(memoryview(buffer)[: self._left])
        self._left -= read
        return read

    def close(self) -> None:
        self._stream.close()
        super().close()
