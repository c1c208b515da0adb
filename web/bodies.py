"""
Bodies of requests, read whole or refused: never cut off at a limit.

Of a body whose length is not told beforehand (``Transfer-Encoding: chunked``) werkzeug reads what the limit allows and
takes that for all there is. A query, an update or a document would then be carried out that nobody has sent.
"""

from typing import IO

from flask import Request
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.utils import cached_property
from werkzeug.wsgi import LimitedStream, get_input_stream


class WholeStream(LimitedStream):
    """A stream that raises RequestEntityTooLarge where there is more in it than its limit."""

    def readall(self) -> bytes:
        """All of it."""
        read = super().readall()
        if self.is_exhausted and self._stream.read(1):
            raise RequestEntityTooLarge
        return read


class WholeRequest(Request):
    """A request whose body is read whole or not at all."""

    @cached_property
    def stream(self) -> IO[bytes]:
        """The body."""
        most = self.max_content_length
        stream = get_input_stream(self.environ, max_content_length=most)
        if most is not None and self.environ.get("wsgi.input_terminated"):
            return WholeStream(self.environ["wsgi.input"], most, is_max=True)  # type: ignore[return-value]  # as there
        return stream
