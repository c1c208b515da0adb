"""Both stores give the same rows for the same query: in this process, and a real Oxigraph server."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

import pyoxigraph as ox
import pytest

from kg.errors import StoreError
from kg.remote import RemoteStore
from kg.store import EmbeddedStore, Store

EX = "http://example.org/"
P, Q = ox.NamedNode(EX + "p"), ox.NamedNode(EX + "q")
GRAPH, OTHER = ox.NamedNode(EX + "graph"), ox.NamedNode(EX + "other")
A, B = ox.NamedNode(EX + "a"), ox.NamedNode(EX + "ä%20b")
QUADS = [
    ox.Quad(A, P, B, GRAPH),
    ox.Quad(A, Q, ox.Literal("", language="en-gb"), GRAPH),
    ox.Quad(B, Q, ox.Literal(0), OTHER),
    ox.Quad(B, Q, ox.Literal(False), OTHER),
    ox.Quad(B, Q, ox.Literal('line\n"quoted" \\ é 🐉'), OTHER),
    ox.Quad(B, P, ox.BlankNode("x"), OTHER),
]
EX_NONE = ox.NamedNode(EX + "none")
MakeStore = Callable[[list[ox.Quad]], Store]


class Server(Protocol):
    """What is used of the fixture's server."""

    @property
    def query_url(self) -> str: ...
    def fill(self, quads: Iterable[ox.Quad]) -> None: ...


@pytest.fixture(params=["embedded", pytest.param("remote", marks=pytest.mark.server)])
def make_store(request: pytest.FixtureRequest) -> MakeStore:
    if request.param == "embedded":
        return EmbeddedStore.from_quads
    server = request.getfixturevalue("oxigraph_server")

    def remote(quads: list[ox.Quad]) -> Store:
        server.fill(quads)
        return RemoteStore(server.query_url, timeout_s=20)

    return remote


def test_a_store_keeps_the_protocol(make_store: MakeStore) -> None:
    assert isinstance(make_store([]), Store)


def test_select_gives_terms_of_every_kind_as_they_were_stored(make_store: MakeStore) -> None:
    rows = make_store(QUADS).select("SELECT ?s ?p ?o WHERE { ?s ?p ?o FILTER(!isBlank(?o)) }")
    assert {(row["s"], row["p"], row["o"]) for row in rows} == {
        (quad.subject, quad.predicate, quad.object) for quad in QUADS if not isinstance(quad.object, ox.BlankNode)
    }


def test_blank_nodes_of_one_answer_keep_their_identity(make_store: MakeStore) -> None:
    rows = make_store(QUADS).select(f"SELECT ?one ?two WHERE {{ {B} {P} ?one . ?s {P} ?two FILTER isBlank(?two) }}")
    assert len(rows) == 1
    assert isinstance(rows[0]["one"], ox.BlankNode)
    assert rows[0]["one"] == rows[0]["two"]


def test_unbound_variables_are_absent_and_no_solutions_are_an_empty_list(make_store: MakeStore) -> None:
    store = make_store(QUADS)
    rows = store.select(f"SELECT ?s ?nothing WHERE {{ ?s {P} {B} OPTIONAL {{ ?s {EX_NONE} ?nothing }} }}")
    assert [dict(row) for row in rows] == [{"s": A}]
    assert list(store.select(f"SELECT ?s WHERE {{ ?s {EX_NONE} ?o }}")) == []


def test_all_graphs_are_seen_as_one(make_store: MakeStore) -> None:
    store = make_store(QUADS)
    assert store.ask(f"ASK {{ {A} {P} ?b . ?b {Q} 0 }}")
    assert not store.ask(f"ASK {{ {A} {EX_NONE} ?b }}")


def test_construct_gives_triples(make_store: MakeStore) -> None:
    triples = make_store(QUADS).construct(f"CONSTRUCT {{ ?b {P} ?a }} WHERE {{ ?a {P} ?b FILTER isIRI(?b) }}")
    assert list(triples) == [ox.Triple(B, P, A)]


def test_a_query_with_many_hundred_iris_is_answered(make_store: MakeStore) -> None:
    values = " ".join(f"<{EX}{'x' * 40}{number}>" for number in range(2000))
    rows = make_store(QUADS).select(f"SELECT ?s WHERE {{ VALUES ?s {{ {values} {A} }} ?s {P} ?o }}")
    assert [row["s"] for row in rows] == [A]


def test_a_comment_that_names_another_query_form_misleads_nobody(make_store: MakeStore) -> None:
    store = make_store(QUADS)
    assert store.ask(f"# SELECT or CONSTRUCT, you may ASK\nPREFIX ex: <{EX}> ASK {{ ex:a ex:p ?o }}")


def test_a_broken_query_is_a_store_error_with_the_reason(make_store: MakeStore) -> None:
    store = make_store(QUADS)
    with pytest.raises(StoreError, match=r"expected|unexpected|error"):
        store.select("SELECT ?s WHERE { ?s ?p }")


def test_the_wrong_form_of_query_is_a_store_error(make_store: MakeStore) -> None:
    store = make_store(QUADS)
    with pytest.raises(StoreError):
        store.select("ASK { ?s ?p ?o }")
    with pytest.raises(StoreError):
        store.ask("SELECT ?s WHERE { ?s ?p ?o }")
    with pytest.raises(StoreError):
        store.construct("SELECT ?s WHERE { ?s ?p ?o }")


def test_several_threads_may_ask_at_once(make_store: MakeStore) -> None:
    store = make_store(QUADS)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: len(store.select("SELECT * WHERE { ?s ?p ?o }")), range(32)))
    assert answers == [len(QUADS)] * 32


@pytest.mark.server
def test_default_graphs_limit_what_a_remote_store_sees(oxigraph_server: Server) -> None:
    oxigraph_server.fill(QUADS)
    store = RemoteStore(oxigraph_server.query_url, default_graphs=[GRAPH])
    assert len(store.select("SELECT * WHERE { ?s ?p ?o }")) == 2
