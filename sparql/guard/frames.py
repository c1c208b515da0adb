"""The messages between whoever asks and a worker: a head of fixed size, then bytes.

Nothing is unpickled: a worker may be in the hands of a stranger.
"""

import json
import socket
import struct
import time
from collections.abc import Mapping
from typing import NamedTuple

from sparql.errors import Busy, Conflicting, GuardError, LimitExceeded, Malformed, NoRoom, NotAcceptable, Refused

QUERY, PARSE, UPDATE = b"Q", b"P", b"U"
ERROR = b"E"

_REQUEST = struct.Struct("=cIQ")
_REPLY = struct.Struct("=c?Q")
REPLY_HEAD_BYTES = _REPLY.size
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
    """The next request; waits for it. Raises Gone."""
    kind, settings_bytes, body_bytes = _REQUEST.unpack(receive(connection, _REQUEST.size))
    settings = json.loads(receive(connection, settings_bytes))
    return Request(kind, settings, receive(connection, body_bytes))


def send_reply(connection: socket.socket, reply: Reply) -> None:
    """Send a reply whole."""
    head = _REPLY.pack(reply.kind, reply.spent, len(reply.body))
    if len(reply.body) < 1 << 16:
        connection.sendall(head + reply.body)
    else:
        connection.sendall(head)
        connection.sendall(reply.body)


def receive_reply(connection: socket.socket, *, deadline: float, most_bytes: int) -> Reply:
    """The next reply. Raises Gone, and TimeoutError at the ``deadline`` (of time.monotonic)."""
    kind, spent, size = _REPLY.unpack(receive(connection, _REPLY.size, deadline=deadline))
    if size > most_bytes:
        raise Gone(f"a worker announces {size} bytes, of {most_bytes} allowed")
    return Reply(kind, spent, receive(connection, size, deadline=deadline))


def receive(connection: socket.socket, size: int, *, deadline: float | None = None) -> bytes:
    """Exactly ``size`` bytes. Raises Gone and TimeoutError."""
    if size <= 1 << 16:
        got = _some(connection, size, deadline)
        if len(got) == size:
            return got
    else:
        got = b""
    whole = bytearray(size)
    whole[: len(got)] = got
    view, filled = memoryview(whole), len(got)
    while filled < size:
        chunk = _some(connection, min(size - filled, 1 << 20), deadline)
        view[filled : filled + len(chunk)] = chunk
        filled += len(chunk)
    return bytes(whole)


def _some(connection: socket.socket, most: int, deadline: float | None) -> bytes:
    if most == 0:
        return b""
    if deadline is not None:
        connection.settimeout(max(deadline - time.monotonic(), 1e-6))
    try:
        got = connection.recv(most)
    except TimeoutError:
        raise
    except OSError as error:
        raise Gone(str(error)) from error
    if not got:
        raise Gone("the other side has closed the connection")
    return got


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
