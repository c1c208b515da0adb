"""Which generation is asked: the current one of the home, loaded anew whenever that changes."""

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

from sparql.errors import Busy, CannotGuard, GuardError
from sparql.guard.generation import Generation

_log = logging.getLogger(__name__)
_AFTER_A_FAILURE_S = 5.0
Stamp = tuple[int, int] | None


class Following:
    """
    Keeps one loaded generation, ``load`` being how one is made.

    Looking costs a stat of one file. While a new generation loads, the old one answers; those who ask at the beginning
    wait up to ``refresh_s`` for it.
    """

    def __init__(self, home: Path, load: Callable[[], Generation], *, refresh_s: float) -> None:
        self._pointer = home / "CURRENT"
        self._load = load
        self._refresh_s = refresh_s
        self._turn = threading.Lock()
        self._generation: Generation | None = None
        self._stamp: Stamp = None
        self._loading: threading.Thread | None = None
        self._began = 0.0
        self._failure: GuardError | None = None
        self._failed_at: tuple[Stamp, float] | None = None
        self._closed = False

    def enter(self) -> Generation:
        """The generation to ask, entered: leave it afterwards. Raises CannotGuard, Busy."""
        while True:
            generation = self._generation
            if generation is None or self._read_stamp() != self._stamp:
                generation = self._newer(generation)
            if generation.enter():
                return generation

    def reach(self, number: int, *, timeout_s: float) -> None:
        """Wait until generation ``number``, or a later one, answers. Raises CannotGuard."""
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline and not self._closed:
            generation = self._generation
            if generation is not None and generation.number >= number:
                return
            self._begin(again=True)
            self._wait(max(0.0, deadline - time.monotonic()))
            if self._failure is not None:
                raise self._failure
        self._check_open()
        raise CannotGuard(f"generation {number} was published, but not loaded within {timeout_s:g} s")

    def drop(self, generation: Generation) -> None:
        """Have another one loaded instead, since this one is lost."""
        with self._turn:
            if self._generation is generation:
                self._generation = None
        generation.retire()

    @property
    def is_loaded(self) -> bool:
        """Whether a generation answers, or did."""
        return self._generation is not None

    def abandon(self) -> None:
        """Take no one in any more, and end those who are inside."""
        with self._turn:
            self._closed = True
            generation, self._generation = self._generation, None
        if generation is not None:
            generation.abandon()

    def close(self) -> None:
        """Let go of everything, once the processes that load have ended."""
        self.abandon()
        self._wait(None)

    def _check_open(self) -> None:
        if self._closed:
            raise CannotGuard("the pool of guarded workers is closed")

    def _read_stamp(self) -> Stamp:
        try:
            found = self._pointer.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns

    def _newer(self, old: Generation | None) -> Generation:
        self._begin(again=old is None)
        patience = self._began + self._refresh_s - time.monotonic() if old is not None else None
        if patience is None or patience > 0:
            self._wait(patience)
        generation = self._generation or old
        if generation is not None:
            return generation
        self._check_open()
        raise self._failure or Busy("the graph is being loaded")

    def _begin(self, *, again: bool) -> None:
        with self._turn:
            if self._closed or (self._loading is not None and self._loading.is_alive()):
                return
            if not again and self._failed_at is not None:
                stamp, when = self._failed_at
                if stamp == self._read_stamp() and time.monotonic() - when < _AFTER_A_FAILURE_S:
                    return
            self._began = time.monotonic()
            self._loading = threading.Thread(target=self._exchange, name="guard-loading", daemon=True)
            self._loading.start()

    def _wait(self, timeout_s: float | None) -> None:
        loading = self._loading
        if loading is not None:
            loading.join(timeout_s)

    def _exchange(self) -> None:
        stamp = self._read_stamp()
        try:
            generation = self._load()
        except GuardError as error:
            self._failure, self._failed_at = error, (stamp, time.monotonic())
            if not self._closed:
                _log.error("the graph cannot be loaded for guarded queries: %s", error)
            return
        self._failure = self._failed_at = None
        with self._turn:
            closed = self._closed
            if not closed:
                old, self._generation, self._stamp = self._generation, generation, stamp
        if closed:
            generation.retire()
        elif old is not None:
            old.retire()
