"""
A load generator for HTTP/1.1: a few processes, each with one connection, that ask one GET after the other.

Each answer is read to its end, whether its length was told or it came in chunks, and must be a 200. The requests are
bytes that were made beforehand, so that the generator costs tens of microseconds a request, the same for every server.
"""

import multiprocessing
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from urllib.parse import quote


class BadAnswer(Exception):
    """A server answered with something else than 200, or closed the connection."""


@dataclass(frozen=True, slots=True)
class Load:
    """What came of it: answers a second, bytes a second, and the 95th percentile of the seconds that one took."""

    per_s: float
    bytes_per_s: float
    p95_s: float


def get_requests(queries: Sequence[str], *, port: int, path: str) -> list[bytes]:
    """GET requests for the answers of SPARQL queries, as JSON."""
    head = f"Host: 127.0.0.1:{port}\r\nAccept: application/sparql-results+json\r\n\r\n"
    return [f"GET {path}?query={quote(query, safe='')} HTTP/1.1\r\n{head}".encode() for query in queries]


def load(port: int, requests: Sequence[bytes], *, seconds: float, connections: int) -> Load:
    """Ask for so long by so many connections. Raises BadAnswer."""
    context = multiprocessing.get_context("fork")
    pipes, processes = [], []
    for number in range(connections):
        receiver, sender = context.Pipe(duplex=False)
        mine = [*requests[number::connections], *requests[:number]] or list(requests)
        processes.append(context.Process(target=_ask, args=(port, mine, seconds, sender)))
        pipes.append(receiver)
    for process in processes:
        process.start()
    results = [pipe.recv() for pipe in pipes]
    for process in processes:
        process.join()
    for result in results:
        if isinstance(result, str):
            raise BadAnswer(result)
    times = sorted(one for taken, _ in results for one in taken)
    size = sum(size for _, size in results)
    return Load(len(times) / seconds, size / seconds, times[int(len(times) * 0.95)] if times else float("inf"))


def fetch(port: int, request: bytes) -> bytes:
    """One answer's body. Raises BadAnswer."""
    with socket.create_connection(("127.0.0.1", port), timeout=120) as stream:
        stream.sendall(request)
        return _read(stream)


def _ask(port: int, requests: Sequence[bytes], seconds: float, result: Connection) -> None:
    taken, size, number = [], 0, 0
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=120) as stream:
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            end = time.perf_counter() + seconds
            while (begun := time.perf_counter()) < end:
                stream.sendall(requests[number % len(requests)])
                size += len(_read(stream))
                taken.append(time.perf_counter() - begun)
                number += 1
    except (OSError, BadAnswer) as error:
        result.send(f"{type(error).__name__}: {error}")
    else:
        result.send((taken, size))


def _read(stream: socket.socket) -> bytes:
    """The body of one answer, the chunks of a chunked one with their sizes."""
    got = bytearray()
    while (end := got.find(b"\r\n\r\n")) < 0:
        _more(stream, got)
    head = bytes(got[:end]).lower()
    if b" 200 " not in head.partition(b"\r\n")[0] + b" ":
        raise BadAnswer(head.partition(b"\r\n")[0].decode("latin-1"))
    if b"transfer-encoding: chunked" in head:
        while not got.endswith(b"0\r\n\r\n"):
            _more(stream, got)
        return bytes(got[end + 4 :])
    length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
    while len(got) < end + 4 + length:
        _more(stream, got)
    return bytes(got[end + 4 :])


def _more(stream: socket.socket, got: bytearray) -> None:
    more = stream.recv(1 << 17)
    if not more:
        raise BadAnswer("the server closed the connection")
    got += more
