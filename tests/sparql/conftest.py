"""Graphs behind both kinds of store, and rows as text."""

from collections.abc import Callable, Iterable, Sequence

import pyoxigraph as ox
import pytest

from kg.remote import RemoteStore
from kg.store import EmbeddedStore, Store
from ontology import terms

MakeStore = Callable[[Iterable[ox.Quad]], Store]
Graph = Callable[[str], list[ox.Quad]]


@pytest.fixture(params=["embedded", pytest.param("remote", marks=pytest.mark.server)])
def make_store(request: pytest.FixtureRequest) -> MakeStore:
    """A store of the given quads: in this process, and behind a real server."""
    if request.param == "embedded":
        return EmbeddedStore.from_quads
    server = request.getfixturevalue("oxigraph_server")

    def remote(quads: Iterable[ox.Quad]) -> Store:
        server.fill(quads)
        return RemoteStore(server.query_url, timeout_s=20)

    return remote


@pytest.fixture
def graph() -> Graph:
    """Turtle after the bundled prefixes, ``b:`` (tiny.ttl's vocabulary) and ``id:`` (its individuals), as quads."""
    prefixes = {**terms.PREFIXES, "b": "https://example.org/brew#", "id": "https://example.org/brew/id/"}
    prologue = "".join(f"PREFIX {prefix}: <{namespace}>\n" for prefix, namespace in prefixes.items())
    return lambda turtle: list(ox.parse(prologue + turtle, format=ox.RdfFormat.TURTLE))


@pytest.fixture
def node() -> Callable[[str], ox.NamedNode]:
    """``b:x`` and ``id:x`` as nodes."""
    spaces = {"b": "https://example.org/brew#", "id": "https://example.org/brew/id/"}
    return lambda name: ox.NamedNode(spaces[name.partition(":")[0]] + name.partition(":")[2])


@pytest.fixture
def both_orders() -> Callable[[Store], Sequence[Store]]:
    """The store, and one that gives the rows of every answer the other way round: no endpoint promises an order."""

    class Reversed:
        def __init__(self, store: Store) -> None:
            self._store = store

        def select(self, query: str) -> Sequence[object]:
            return list(reversed(self._store.select(query)))

        def ask(self, query: str) -> bool:
            return self._store.ask(query)

        def construct(self, query: str) -> Sequence[ox.Triple]:
            return self._store.construct(query)

    return lambda store: (store, Reversed(store))  # type: ignore[return-value]
