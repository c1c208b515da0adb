"""
The files to download, made once a generation and kept in ``HOME/cache/downloads/<generation>/``.

One is made at a time, in a process of its own; who asks for the same file waits for the same process. Those of older
generations go when the first of a new one is made.
"""

import logging
import shutil
import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Late
from dataclasses import dataclass
from pathlib import Path

from kg.errors import DiskFull
from kg.home import Home
from kg.json_files import read_object
from web.download.wanted import Wanted
from web.download.writer import SIDECAR
from web.errors import NotHeld, Preparing, WorkFailed
from web.processes import Bounds, run_apart

_LOG = logging.getLogger(__name__)
BOUNDS = Bounds(memory_bytes=12 << 30, seconds=1800)
"""For 1 M triples it takes 2 GB and 40 s (measured)."""
_LAYOUT = 1
"""Counts up when the same graph is to be written as other bytes, so that no older file is served."""
_WAITING = 3
"""Requests that may wait at once; one more is asked to come back, so that pages have threads left."""
_QUEUED = 12
_TRIES = 3


@dataclass(frozen=True, slots=True)
class Made:
    """A file that is there: where, and what is known of it."""

    path: Path
    statements: int
    bytes: int
    sha256: str


class Files:
    """The downloads of one home. A request waits up to ``patience_s`` for a file that is being made."""

    def __init__(self, home: Home, *, patience_s: float = 20.0) -> None:
        self._home, self._patience_s = home, patience_s
        self._folder = home.path / "cache" / "downloads"
        self._waiting = threading.Semaphore(_WAITING)
        self._one = threading.Lock()
        self._lock = threading.Lock()
        self._making: dict[Path, Future[None]] = {}
        self._refused: dict[Path, str] = {}

    def made(self, wanted: Wanted) -> Made | None:
        """The file of the current generation, where it is there."""
        return _read(self._path(wanted, self._home.current() or 0))

    def file(self, wanted: Wanted) -> Made:
        """
        The file of the current generation, made where it is not there yet.

        Raises Preparing where that takes longer than a request should, NotHeld where it cannot be made,
        kg.errors.DiskFull where there is no room for it, HomeDamaged.
        """
        for _ in range(_TRIES):
            generation = self._home.check() or 0
            found = _read(self._path(wanted, generation))
            if found is not None:
                return found
            if reason := self._refused.get(self._path(wanted, generation)):
                raise NotHeld(reason)
            self._wait(self._start(wanted, generation))
        raise Preparing

    def _path(self, wanted: Wanted, generation: int) -> Path:
        return self._folder / f"{generation}-{_LAYOUT}" / wanted.key

    def _wait(self, making: "Future[None]") -> None:
        if not self._waiting.acquire(blocking=False):
            raise Preparing
        try:
            making.result(self._patience_s)
        except Late as error:
            raise Preparing from error
        finally:
            self._waiting.release()

    def _start(self, wanted: Wanted, generation: int) -> "Future[None]":
        path = self._path(wanted, generation)
        with self._lock:
            making = self._making.get(path)
            if making is None:
                if len(self._making) >= _QUEUED:
                    raise Preparing
                making = self._making[path] = Future()
                thread = threading.Thread(target=self._make, args=(wanted, generation, path, making), daemon=True)
                thread.start()
        return making

    def _make(self, wanted: Wanted, generation: int, path: Path, making: "Future[None]") -> None:
        try:
            with self._one:
                self._write(wanted, generation, path)
        except Exception as error:
            making.set_exception(error)
        else:
            making.set_result(None)
        finally:
            with self._lock:
                del self._making[path]

    def _write(self, wanted: Wanted, generation: int, path: Path) -> None:
        if _read(path) is not None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        self._clean_up(path.parent)
        job = {
            "home": str(self._home.path.resolve()),
            "generation": generation,
            "part": wanted.part,
            "name": wanted.name,
            "format": wanted.fmt.name,
            "plain": str(path.with_name(path.name.removesuffix(".gz")).resolve()),
            "packed": str(path.resolve()) if wanted.gzip else "",
        }
        try:
            answer = run_apart("web.download.writer", job, bounds=BOUNDS, told=_LOG.debug)
        except WorkFailed as error:
            raise NotHeld(f"the file could not be written: {error}") from error
        if "full" in answer:  # not remembered: there may be room at the next request
            raise DiskFull("the disk is full: the file cannot be written")
        if "failed" in answer:
            reason = self._refused[path] = str(answer["failed"])
            raise NotHeld(reason)

    def _clean_up(self, current: Path) -> None:
        for path in [path for path in self._refused if path.parent != current]:
            del self._refused[path]
        for folder in self._folder.iterdir():
            if folder != current:
                shutil.rmtree(folder, ignore_errors=True)  # whoever is sent a file of it has it open


def _read(path: Path) -> Made | None:
    """The file with what its sidecar says; None where one of them is missing."""
    try:
        known = read_object(path.with_name(path.name + SIDECAR))
        made = Made(path, int(known["statements"]), int(known["bytes"]), str(known["sha256"]))
        return made if path.stat().st_size == made.bytes else None
    except (OSError, ValueError, TypeError, KeyError):
        return None
