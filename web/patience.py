"""
Reads what clients send with patience, but not with endless patience.

The server hands a request to a thread as soon as its head is there, and a read of its body waits for the client as long
as it likes: a few dozen clients that send nothing would keep all threads. So a body is read in a thread of another
pool, and whoever is slower than a bad line, or comes when that pool is full, is told so (RFC 9110, 15.5.9).
"""

import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Protocol

from werkzeug.exceptions import HTTPException, RequestTimeout, ServiceUnavailable

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

AT_ONCE = 32
"""Bodies that are read at once: half of the server's threads, so that the other half answers what has none."""
GRACE_S = 10.0
LEAST_BYTES_PER_S = 20_000
_PIECE = 1 << 16
_RETRY_S = 5


class Readable(Protocol):
    """The body of a request as the server hands it over."""

    def read(self, size: int = -1) -> bytes:
        """So many bytes, fewer at the end."""


class PatientBodies:
    """A WSGI application whose requests are read so."""

    def __init__(self, app: "WSGIApplication", *, at_once: int = AT_ONCE, grace_s: float = GRACE_S) -> None:
        self._app, self._grace_s = app, grace_s
        self._places = threading.BoundedSemaphore(at_once)
        self._pool = ThreadPoolExecutor(at_once, "body")

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """See PEP 3333."""
        if environ.get("CONTENT_LENGTH") in (None, "", "0") and "HTTP_TRANSFER_ENCODING" not in environ:
            return self._app(environ, start_response)
        body = environ["wsgi.input"] = _Body(environ["wsgi.input"], self._wait, self._grace_s)

        def start(status: str, headers: list[tuple[str, str]], *rest: Any) -> Callable[[bytes], object]:
            # Else the rest would be waited for, and the place be kept.
            closing = [("Connection", "close")] if body.is_given_up else []
            return start_response(status, [*headers, *closing], *rest)

        return self._app(environ, start)

    def _wait(self, read: Callable[[], bytes], timeout_s: float) -> bytes:
        """What ``read`` gives, if it does so in time. A read that is given up keeps its place until it ends."""
        if not self._places.acquire(blocking=False):
            raise ServiceUnavailable(
                "Too many requests are being received. Try again in a little while.", retry_after=_RETRY_S
            )
        future = self._pool.submit(read)
        future.add_done_callback(lambda _: self._places.release())
        try:
            return future.result(timeout=max(timeout_s, 0.0))
        except TimeoutError:
            raise RequestTimeout("The body of the request took too long to arrive.") from None


class _Body:
    """What a request reads its body from: pieces, each with the time that it may take."""

    def __init__(self, body: Readable, wait: Callable[[Callable[[], bytes], float], bytes], grace_s: float) -> None:
        self._body, self._wait = body, wait
        self._deadline = time.monotonic() + grace_s
        self._over = False
        self.is_given_up = False

    def read(self, size: int = -1) -> bytes:
        """So many bytes, all for -1; fewer at the end. Raises RequestTimeout, ServiceUnavailable."""
        pieces, missing = [], size
        while missing and not self._over:
            piece = self._piece(_PIECE if size < 0 else min(missing, _PIECE))
            pieces.append(piece)
            missing -= len(piece) if size > 0 else 0
        return b"".join(pieces)

    def readline(self, size: int = -1) -> bytes:
        """One line, byte by byte; nobody reads the bodies of HTTP so, but PEP 3333 wants it."""
        line = bytearray()
        while size < 0 or len(line) < size:
            byte = self.read(1)
            line += byte
            if byte in (b"", b"\n"):
                break
        return bytes(line)

    def readlines(self, hint: int = -1) -> list[bytes]:
        """All lines."""
        del hint
        return list(self)

    def __iter__(self) -> "_Body":
        return self

    def __next__(self) -> bytes:
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def _piece(self, size: int) -> bytes:
        try:
            piece = self._wait(lambda: self._body.read(size), self._deadline - time.monotonic())
        except HTTPException:
            self.is_given_up = True
            raise
        self._deadline += len(piece) / LEAST_BYTES_PER_S
        self._over = not piece
        return piece
