"""
A run as a stream of server-sent events: what has happened, then what happens, from the trace on disk.

https://html.spec.whatwg.org/multipage/server-sent-events.html. Each event has its place in the trace as its id, so that
a browser that lost the connection goes on where it was. ``done`` comes last, when nothing more will. A stream ends
after a while by itself, and the browser comes back for the rest: that way no thread is held for ever by somebody who
has silently gone, and the server can stop.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from flask import Flask, Response
from werkzeug.exceptions import ServiceUnavailable

from agents.run_status import RunStatus
from agents.runs import RunFolder

AT_ONCE = 24
"""Streams at once; each holds one of the server's threads (see web.serving)."""
_LOOK_S, _HEARTBEAT_S, _LIFE_S = 0.1, 5.0, 120.0
_RETRY_MS = 1000
_NAME = "scoutfly.streams"


class Streams:
    """The streams of this process: bounded in number, and all ended at once by :meth:`close`."""

    def __init__(self, at_once: int = AT_ONCE, *, look_s: float = _LOOK_S, life_s: float = _LIFE_S) -> None:
        self._slots = threading.BoundedSemaphore(at_once)
        self._closing = threading.Event()
        self._look_s, self._life_s = look_s, life_s

    def close(self) -> None:
        """Ends every stream, within the time of one look at the disk."""
        self._closing.set()

    def respond(self, runs: RunFolder, run_id: str, *, after: int = -1) -> Response:
        """
        The events of a run whose place is behind ``after``.

        Raises agents.errors.RunNotFound, ServiceUnavailable where too many streams are open.
        """
        runs.status(run_id)  # there is such a run
        if not self._slots.acquire(blocking=False):
            raise ServiceUnavailable(
                "Too many people are watching walks just now. Load the page of the run again in a little while.",
                retry_after=5,
            )
        release = _once(self._slots.release)
        events = _finally(self._events(runs, run_id, after), release)
        response = Response(events, mimetype="text/event-stream")
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Accel-Buffering"] = "no"  # a proxy is to pass each event on as it comes
        response.call_on_close(release)  # one that was never begun to be read has no end of its own
        return response

    def _events(self, runs: RunFolder, run_id: str, after: int) -> Iterator[str]:
        """Ends, too, when the client goes away: then the server closes it at one of its yields."""
        yield f"retry: {_RETRY_MS}\n\n"
        tail = _Tail(runs.folder(run_id) / "trace.jsonl")
        begun = told = time.monotonic()
        while not self._closing.is_set():
            status = runs.status(run_id)  # before the trace is read: what is in it then is all there will be
            for number, line in tail.read():
                if number > after:
                    yield _event(line, number)
                    told = time.monotonic()
            now = time.monotonic()
            if status.is_over:
                yield _done(status, max(after, tail.last))
                return
            if now - begun > self._life_s:
                return
            if now - told > _HEARTBEAT_S:
                yield ": the walk goes on\n\n"
                told = now
            self._closing.wait(self._look_s)


def _finally(events: Iterator[str], then: Callable[[], None]) -> Iterator[str]:
    try:
        yield from events
    finally:
        then()


def _once(call: Callable[[], None]) -> Callable[[], None]:
    """``call``, which is made at the first time only."""
    left = [call]

    def first() -> None:
        while left:
            left.pop()()

    return first


class _Tail:
    """Reads the whole lines that a file has gained since the last time, with their places."""

    def __init__(self, path: Path) -> None:
        self._path, self._offset = path, 0
        self.last = -1

    def read(self) -> list[tuple[int, str]]:
        try:
            with self._path.open("rb") as file:
                file.seek(self._offset)
                whole, _, _ = file.read().rpartition(b"\n")
        except FileNotFoundError:
            return []
        if not whole:
            return []
        self._offset += len(whole) + 1
        lines = whole.decode("utf-8", "replace").split("\n")
        first = self.last + 1
        self.last += len(lines)
        return list(enumerate(lines, first))


def streams_of(app: Flask) -> Streams:
    """The streams of an application."""
    streams: Streams = app.extensions.setdefault(_NAME, Streams())
    return streams


def read_place(text: str | None) -> int:
    """
    The place in a Last-Event-ID header; what is none means the beginning.

    >>> read_place("12"), read_place(None), read_place("-3"), read_place("9" * 99)
    (12, -1, -1, -1)
    """
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 10 else -1


def _event(line: str, number: int) -> str:
    """A line of the trace as an event; a carriage return, which would end a line, is not in JSON."""
    return f"id: {number}\ndata: {line}\n\n"


def _done(status: RunStatus, number: int) -> str:
    said = {"state": status.state, "answer": status.answer, "problem": status.problem, "seconds": status.seconds}
    return f"id: {number}\nevent: done\ndata: {json.dumps(said, ensure_ascii=False)}\n\n"
