"""
Sends large answers from a bounded number of places.

The server writes an answer of more than one piece from one of its threads, which waits as long as the reader takes, and
holds an answer that stands whole in memory until it is read. So answers of more than a few hundred kilobytes take a
place, and those that stand whole take their bytes of what may be held, until they are sent or given up (web.connections
gives up readers that take nothing). Smaller answers go as one piece, for which no thread waits, and so do the site's
own scripts and styles, without which no page would be whole. Streams of events have places of their own
(web.ask.stream).
"""

import threading
from collections.abc import Iterable, Iterator
from typing import cast

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import ServiceUnavailable

SMALL = 1 << 18
"""Bytes of an answer that goes as one piece, and takes no place."""
PLACES = 16
MOST_BYTES = 256 << 20
"""Bytes that the answers may hold which stand whole; one answer alone may hold more, since its maker bounds it."""
WAIT_S = 2.0
"""How long an answer waits for a place: what is sent to a reader of usual speed is gone by then."""
_WAITING = 8
"""Answers that wait at once; each keeps a thread, too."""
_PIECE = 1 << 16
_RETRY_S = 5
_EVENTS = "text/event-stream"


def bound_sending(
    app: Flask, *, places: int = PLACES, most_bytes: int = MOST_BYTES, wait_s: float = WAIT_S, waiting: int = _WAITING
) -> None:
    """Have ``app`` send so. To be called last, so that what else there is for answers sees the refusal, too."""
    taken = Places(places, most_bytes=most_bytes, wait_s=wait_s, waiting=waiting)

    def send(response: Response) -> Response:
        if request.method == "HEAD" or response.mimetype == _EVENTS:
            return response
        length = response.content_length if response.is_streamed else response.calculate_content_length()
        is_small = length is not None and length <= SMALL
        if response.status_code in (204, 304) or is_small or request.endpoint == "static":
            return _as_one_piece(response)
        held = 0 if response.is_streamed or length is None else length
        if not taken.take(held):
            response.close()
            busy = ServiceUnavailable(
                "Too many large answers are being sent just now. Try again in a little while.", retry_after=_RETRY_S
            )
            return current_app.make_response(current_app.handle_user_exception(busy))
        if held:
            response.content_length = held
        pieces = cast(Iterable[bytes], response.response)
        response.response = Sending(pieces if response.is_streamed else _sliced(response.get_data()), taken, held)
        return response

    app.after_request(send)


class Places:
    """Where large answers are sent from."""

    def __init__(self, places: int, *, most_bytes: int, wait_s: float, waiting: int) -> None:
        self._free, self._most_bytes, self._held = places, most_bytes, 0
        self._wait_s, self._may_wait = wait_s, waiting
        self._changed = threading.Condition()

    def take(self, size: int) -> bool:
        """Whether there is a place for an answer that holds so many bytes, or comes to be one soon."""
        with self._changed:
            if not self._fits(size) and not self._waited(size):
                return False
            self._free -= 1
            self._held += size
            return True

    def leave(self, size: int) -> None:
        """Gives a place back."""
        with self._changed:
            self._free += 1
            self._held -= size
            self._changed.notify_all()

    def _fits(self, size: int) -> bool:
        return self._free > 0 and (not size or not self._held or self._held + size <= self._most_bytes)

    def _waited(self, size: int) -> bool:
        if not self._may_wait:
            return False
        self._may_wait -= 1
        try:
            return self._changed.wait_for(lambda: self._fits(size), self._wait_s)
        finally:
            self._may_wait += 1


class Sending:
    """The pieces of an answer, whose place is given back when they end, are closed or forgotten."""

    def __init__(self, pieces: Iterable[bytes], places: Places, size: int) -> None:
        self._pieces, self._iterator = pieces, iter(pieces)
        self._places, self._size = places, size
        self._is_over = threading.Lock()  # taken once: the end, close() and __del__ may come from several threads

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            return next(self._iterator)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Ends it, the first time."""
        if self._is_over.acquire(blocking=False):
            pieces, self._pieces, self._iterator = self._pieces, (), iter(())
            try:
                if close := getattr(pieces, "close", None):
                    close()
            finally:
                self._places.leave(self._size)

    def __del__(self) -> None:
        self.close()


def _sliced(body: bytes) -> Iterator[bytes]:
    return (body[start : start + _PIECE] for start in range(0, len(body), _PIECE))


def _as_one_piece(response: Response) -> Response:
    if response.is_streamed or len(cast(list[bytes], response.response)) > 1:
        length, pieces = response.content_length, response.response
        try:
            body = b"".join(cast(Iterable[bytes], response.iter_encoded()))
        finally:
            if close := getattr(pieces, "close", None):
                close()
        response.direct_passthrough, response.response = False, [body]
        response.content_length = length
    return response
