"""
The walks under way: each in a thread of its own, so many at once and no more.

A walk that was started goes on whether or not anybody watches; it is stopped by its run's folder (see
agents.run_status), which works from any process. When the server is killed, the folder says that the run is unfinished.
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from flask import Flask

from agents.errors import AgentError
from agents.run_status import request_stop
from agents.started import StartedRun
from kg.errors import GraphError
from retrieval.errors import RetrievalError
from sparql.errors import Busy

_LOG = logging.getLogger(__name__)
AT_ONCE = 4
"""Walks at once: a walk of the built-in policy takes a processor, one of a model waits for it."""
_RETRY_AFTER_S = 5
_NAME = "scoutfly.walks"
_EXPECTED = (AgentError, GraphError, RetrievalError)


class Walks:
    """The walks of this process."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._lock = threading.Lock()
        self._running: dict[threading.Thread, StartedRun] = {}
        self._taken = 0
        self._closed = False

    def start(self, begin: Callable[[], StartedRun], *, wait_s: float = 0.0) -> str:
        """
        Begin a run and walk it in the background; returns its id, after ``wait_s`` seconds or when it is over.

        Raises Busy where too many are under way, and what ``begin`` raises.
        """
        self._take()
        try:
            run = begin()
        except BaseException:
            self._give_back()
            raise
        thread = threading.Thread(target=self._walk, args=(run,), name=f"walk-{run.run_id}", daemon=True)
        with self._lock:
            self._running[thread] = run
        try:
            thread.start()
        except RuntimeError:  # the machine has no threads left
            run.abandon("the server could not begin to walk")
            self._give_back(thread)
            raise
        thread.join(wait_s)
        return run.run_id

    @property
    def under_way(self) -> int:
        """How many walks are under way."""
        return len(self._running)

    def wait(self, run_id: str, wait_s: float) -> None:
        """Wait until a run of this process is over, ``wait_s`` seconds at most."""
        with self._lock:
            found = next((thread for thread, run in self._running.items() if run.run_id == run_id), None)
        if found is not None:
            found.join(wait_s)

    def close(self, wait_s: float = 5.0) -> bool:
        """Begin no more, stop all that is under way, and wait for it; whether all has ended in time."""
        with self._lock:
            self._closed = True
            running = dict(self._running)
        for run in running.values():
            request_stop(run.folder)
        deadline = time.monotonic() + wait_s
        for thread in running:
            thread.join(max(0.0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in running)

    def _take(self) -> None:
        with self._lock:
            if self._closed or self._taken >= self._at_once:
                raise Busy(
                    "as many questions are being answered as this server takes at once: ask again in a little while",
                    retry_after_s=_RETRY_AFTER_S,
                )
            self._taken += 1

    def _give_back(self, thread: threading.Thread | None = None) -> None:
        with self._lock:
            self._taken -= 1
            if thread is not None:
                self._running.pop(thread, None)

    def _walk(self, run: StartedRun) -> None:
        try:
            # Its end waits for the calls that a stopped walk has abandoned: until then they take the walk's place.
            with ThreadPoolExecutor(run.settings.concurrency, f"call-{run.run_id}") as pool:
                run.walk(pool=pool)
        except _EXPECTED as error:
            _LOG.info("run %s ended without an answer: %s", run.run_id, error)
        except Exception:
            _LOG.exception("run %s failed", run.run_id)  # nobody above this would hear of it
        finally:
            self._give_back(threading.current_thread())


def walks_of(app: Flask) -> Walks:
    """The walks of an application."""
    walks: Walks = app.extensions.setdefault(_NAME, Walks())
    return walks
