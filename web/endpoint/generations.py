"""The graph as it is on disk now, opened once for all who read it whole, and how it is written to."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from kg.draft import Draft
from kg.errors import StoreLocked
from kg.home import Home, Snapshot

T = TypeVar("T")
_PATIENCE_S = 5.0
_PAUSE_S = 0.05


class Generations:
    """
    The generations of a home, as the endpoint reads and writes them.

    A snapshot lives as long as anybody holds it. What is computed of one is kept until the next generation.
    """

    def __init__(self, home: Home, *, written: Callable[[int], None]) -> None:
        """``written`` is called with the number of each generation that was published here."""
        self._home, self._written = home, written
        self._lock, self._making = threading.Lock(), threading.Lock()
        self._writing = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._made: dict[object, object] = {}
        self._checked: int | None = None

    def number(self) -> int:
        """The number of the current generation, 0 for an empty home. Raises kg.errors.HomeDamaged."""
        number = self._home.current()
        if number != self._checked:  # that it is there need not be asked before every query
            number = self._checked = self._home.check()
        return number or 0

    def snapshot(self) -> Snapshot:
        """The current generation. Raises kg.errors.StoreError."""
        return self._current()[0]

    def once(self, make: Callable[[Snapshot], T]) -> T:
        """What ``make`` gives of the current generation, made once for each. Raises kg.errors.StoreError."""
        with self._making:  # one at a time: what is worth keeping takes memory to make
            snapshot, made = self._current()
            if make not in made:
                made[make] = make(snapshot)
            return made[make]  # type: ignore[return-value]  # what was kept under this maker is of its type

    def _current(self) -> tuple[Snapshot, dict[object, object]]:
        """The current generation, and what was made of it."""
        number = self.number()
        with self._lock:
            if self._snapshot is None or self._snapshot.number != number:
                self._snapshot, self._made = self._home.snapshot(), {}
            return self._snapshot, self._made

    def write(self, change: Callable[[Draft], T]) -> T:
        """
        Publish a generation as ``change`` leaves it; what it raises leaves the graph as it was.

        Waits some seconds for another writer. Raises kg.errors.StoreLocked, StoreError.
        """
        deadline = time.monotonic() + _PATIENCE_S
        with self._writing:
            while True:
                try:
                    with self._home.write() as draft:
                        result = change(draft)
                    break
                except StoreLocked:
                    if time.monotonic() > deadline:
                        raise
                time.sleep(_PAUSE_S)
        self._written(self.number())
        return result
