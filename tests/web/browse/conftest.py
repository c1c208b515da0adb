"""Small graphs in Turtle behind the pages, and stores that count what they are asked."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pyoxigraph as ox
import pytest
from flask.testing import FlaskClient

from agents.engine import Engine
from agents.runs import RunFolder
from kg.store import EmbeddedStore, Row, Store
from ontology import terms
from tests.web.stage import everything, hostile_store, site_of
from web.app import create_app
from web.browse.table import GraphTable, read_table

MakeTable = Callable[[str], GraphTable]
MakeClient = Callable[[Store], FlaskClient]


class CountingStore:
    """A store that remembers every query."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.asked: list[str] = []

    def select(self, query: str) -> Sequence[Row]:
        self.asked.append(query)
        return self._store.select(query)

    def ask(self, query: str) -> bool:
        self.asked.append(query)
        return self._store.ask(query)

    def construct(self, query: str) -> Sequence[ox.Triple]:
        self.asked.append(query)
        return self._store.construct(query)


@pytest.fixture
def make_table() -> MakeTable:
    """The table of a graph in Turtle, after the prefixes of ``tests.web.stage``."""
    return lambda turtle: read_table(hostile_store(turtle))


@pytest.fixture
def make_client(tmp_path: Path) -> MakeClient:
    """The pages over a store."""
    return lambda store: create_app(
        site_of(Engine(store, everything, ("all",), RunFolder(tmp_path / "runs")))
    ).test_client()


@pytest.fixture
def tiny_client(make_client: MakeClient, tiny_store: EmbeddedStore) -> FlaskClient:
    """The pages over the small graph of coffee machines."""
    return make_client(tiny_store)


@pytest.fixture
def counting_store(tiny_store: EmbeddedStore) -> CountingStore:
    """The small graph, counted."""
    return CountingStore(tiny_store)


def chain(size: int) -> list[ox.Quad]:
    """A graph of ``size`` entities, each leading to the next, every one called Thing and its number."""
    leads, thing = ox.NamedNode("http://example.org/leads"), ox.NamedNode("http://example.org/Thing")
    entities = [ox.NamedNode(f"http://example.org/e{number}") for number in range(size)]
    quads = [ox.Quad(leads, terms.BASE_RELATION, leads)]
    for number, entity in enumerate(entities):
        quads.append(ox.Quad(entity, terms.RDF_TYPE, thing))
        quads.append(ox.Quad(entity, terms.RDFS_LABEL, ox.Literal(f"Thing {number:05}")))
        quads.append(ox.Quad(entity, leads, entities[(number + 1) % size]))
    return quads
