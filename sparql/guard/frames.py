"""The messages between whoever asks and a worker: a head of fixed size, then bytes.

Nothing is unpickled: a worker may be in the hands of a stranger.
"""

import json
import select
import socket
import struct
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sparql.errors import Busy, Conflicting, GuardError, LimitExceeded, Malformed, NoRoom, NotAcceptable, Refused

QUERY, PARSE, UPDATE = b"Q", b"P", b"U"
ERROR = b"E"

_REQUEST = struct.Struct("=cIQ")
_REPLY = struct.Struct("=c?Q")
_PIECE = 1 << 16
"""Bytes that are read at first: most messages are no longer."""
Settings = Mapping[str, object]


class Request(NamedTuple):
    """``kind`` is QUERY, PARSE or UPDATE; ``body`` its text, ``settings`` all else, as JSON has it."""

    kind: bytes
    settings: Settings
    body: bytes


class Reply(NamedTuple):
    """``kind`` is ERROR or a letter that the asker understands; ``spent`` says that the worker should be replaced."""

    kind: bytes
    spent: bool
    body: bytes


class Gone(Exception):
    """The other side has closed the connection, or is no more."""


def pack_request(request: Request) -> bytes:
    """The bytes of a request."""
    settings = json.dumps(request.settings).encode()
    return b"".join((_REQUEST.pack(request.kind, len(settings), len(request.body)), settings, request.body))


def receive_request(connection: socket.socket) -> Request:
    """The next request, on a connection that blocks; waits for it. Raises Gone."""
    (kind, settings_bytes, _), rest = _receive(connection, _REQUEST, lambda head: int(head[1]) + int(head[2]))
    return Request(kind, json.loads(rest[:settings_bytes]), rest[settings_bytes:])


def send_reply(connection: socket.socket, reply: Reply) -> None:
    """Send a reply whole."""
    head = _REPLY.pack(reply.kind, reply.spent, len(reply.body))
    if len(reply.body) < _PIECE:
        connection.sendall(head + reply.body)
    else:
        connection.sendall(head)
        connection.sendall(reply.body)


def send_request(connection: socket.socket, request: Request, *, deadline: float) -> None:
    """Send a request whole, on a connection that does not block. Raises Gone, TimeoutError as :func:`receive_reply`."""
    rest = memoryview(pack_request(request))
    while rest:
        try:
            rest = rest[connection.send(rest) :]
        except BlockingIOError:
            _wait(connection, select.POLLOUT, deadline)
        except OSError as error:
            raise Gone(str(error)) from error


def receive_reply(connection: socket.socket, *, deadline: float, most_bytes: int) -> Reply:
    """
    The next reply, on a connection that does not block. Raises Gone, and TimeoutError at the ``deadline``.

    That is a time of time.monotonic. As few calls as may be: each lets all other threads run before it comes back.
    """

    def size_of(head: tuple[Any, ...]) -> int:
        size = int(head[2])
        if size > most_bytes:
            raise Gone(f"a worker announces {size} bytes, of {most_bytes} allowed")
        return size

    (kind, spent, _), body = _receive(connection, _REPLY, size_of, deadline=deadline)
    return Reply(kind, spent, body)


def is_readable(connection: socket.socket, *, within_s: float) -> bool:
    """Whether something arrives within so many seconds, the end included."""
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    return bool(poll.poll(max(1.0, within_s * 1000)))


def _receive(
    connection: socket.socket,
    head: struct.Struct,
    size_of: Callable[[tuple[Any, ...]], int],
    *,
    deadline: float | None = None,
) -> tuple[tuple[Any, ...], bytes]:
    """The fields of a head and the bytes that follow it; the other side says no more before it is answered."""
    got = _some(connection, _PIECE, deadline)
    while len(got) < head.size:
        got += _some(connection, head.size - len(got), deadline)
    fields = head.unpack_from(got)
    size, body = size_of(fields), got[head.size :]
    if len(body) == size:
        return fields, body
    if len(body) > size:
        raise Gone("the other side says more than it announced")
    whole, filled = bytearray(size), len(body)
    whole[:filled] = body
    view = memoryview(whole)
    while filled < size:
        chunk = _some(connection, min(size - filled, 1 << 20), deadline)
        view[filled : filled + len(chunk)] = chunk
        filled += len(chunk)
    return fields, bytes(whole)


def _some(connection: socket.socket, most: int, deadline: float | None) -> bytes:
    while True:
        try:
            got = connection.recv(most)
        except BlockingIOError:
            _wait(connection, select.POLLIN, deadline)
            continue
        except OSError as error:
            raise Gone(str(error)) from error
        if not got:
            raise Gone("the other side has closed the connection")
        return got


def _wait(connection: socket.socket, event: int, deadline: float | None) -> None:
    left = None if deadline is None else deadline - time.monotonic()
    poll = select.poll()
    poll.register(connection, event)
    if left is not None and (left <= 0 or not poll.poll(max(1.0, left * 1000))):
        raise TimeoutError("the deadline has come")


_KINDS: Mapping[str, type[GuardError]] = {
    kind.__name__: kind for kind in (GuardError, Malformed, Conflicting, Refused, NotAcceptable, NoRoom)
}


def error_reply(error: GuardError, *, spent: bool = False) -> Reply:
    """A reply that :func:`error_of` makes the error of again."""
    said: dict[str, object] = {"kind": type(error).__name__, "message": str(error)}
    for name in ("line", "column", "limit"):
        said[name] = getattr(error, name, None)
    return Reply(ERROR, spent, json.dumps(said).encode())


def error_of(reply: Reply) -> GuardError:
    """The error that a reply tells of."""
    try:
        said = json.loads(reply.body)
        kind, message, limit = str(said["kind"]), str(said["message"]), str(said["limit"])
        line, column = (None if said[name] is None else int(said[name]) for name in ("line", "column"))
    except (ValueError, KeyError, TypeError):
        return GuardError("a worker gave an error that is none: this is a fault of the server")
    if kind == "LimitExceeded":
        return LimitExceeded(message, limit=limit)
    if kind == "Malformed":
        return Malformed(message, line=line, column=column)
    if kind == "Busy":
        return Busy(message)
    return _KINDS.get(kind, GuardError)(message)
