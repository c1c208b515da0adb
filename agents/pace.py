"""How fast requests may go to one endpoint: a token bucket, and a pause that all threads keep.

When an endpoint tells one thread to come back later, the others wait too, instead of each finding out for itself.
"""

import threading
import time
from collections.abc import Callable


class Pace:
    """Lets threads through one at a time, no faster than ``per_minute`` (None: no bound), bursts of up to ``burst``.

    ``clock`` and ``sleep`` are seconds, replaced in tests.
    """

    def __init__(
        self,
        per_minute: float | None = None,
        *,
        burst: int = 1,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._interval = 60.0 / per_minute if per_minute else 0.0
        self._allowance = self._interval * (burst - 1)
        self._clock, self._sleep = clock, sleep
        self._lock = threading.Lock()
        self._next = self._held_until = clock()

    def wait(self) -> None:
        """Returns when this thread may send a request."""
        with self._lock:
            now = self._clock()
            turn = max(self._next, now - self._allowance)
            self._next = turn + self._interval
            delay = max(turn, self._held_until) - now
        if delay > 0:
            self._sleep(delay)

    def hold(self, seconds: float) -> None:
        """Nobody is let through for ``seconds`` from now."""
        with self._lock:
            self._held_until = max(self._held_until, self._clock() + seconds)
