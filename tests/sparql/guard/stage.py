"""A home with a small graph, tight limits, and a listener that counts who knocks."""

import socket
import threading
from pathlib import Path

import pyoxigraph as ox

from kg.home import Home
from ontology.terms import INFERRED_GRAPH, source_graph
from sparql.guard.limits import Limits

MIB = 1 << 20
TIGHT = Limits(
    seconds=1.0,
    memory_bytes=192 * MIB,
    answer_bytes=2 * MIB,
    upload_bytes=8 * MIB,
    workers=2,
    long_running=2,
    update_seconds=5.0,
)


def quad(subject: str, predicate: str, value: str | ox.Literal, graph: ox.NamedNode | None = None) -> ox.Quad:
    """A quad of names in http://example.org/; without a graph, in the default graph."""
    end = ox.NamedNode(f"http://example.org/{value}") if isinstance(value, str) else value
    start, middle = ox.NamedNode(f"http://example.org/{subject}"), ox.NamedNode(f"http://example.org/{predicate}")
    return ox.Quad(start, middle, end, graph or ox.DefaultGraph())


def fill(path: Path) -> Home:
    """A home with a ring of 2,000 nodes in one source, one shared triple in another, closures and a default graph."""
    one, two = source_graph("one"), source_graph("two")
    home = Home(path)
    with home.write() as draft:
        draft.add(quad(f"n{i}", "next", f"n{(i + 1) % 2000}", one) for i in range(2000))
        draft.add([quad("n0", "next", "n1", two), quad("a", "only", "two", two)])
        draft.add([quad("hidden", "in", "closures", INFERRED_GRAPH), quad("d", "in", "default")])
    return home


class Listener:
    """Listens on the loopback, answers nothing, and counts the connections."""

    def __init__(self) -> None:
        self.connections = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._count)
        self._thread.start()

    def _count(self) -> None:
        while True:
            connection, _ = self._socket.accept()
            with connection:
                if connection.recv(1) == b"!":
                    return
            self.connections += 1

    def close(self) -> None:
        """Stop listening."""
        with socket.create_connection(("127.0.0.1", self.port)) as last:
            last.sendall(b"!")
        self._thread.join()
        self._socket.close()
