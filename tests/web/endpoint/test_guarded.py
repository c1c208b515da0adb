"""The endpoint with its real guard: data sets of the protocol, updates, documents, and what limits say."""

from collections.abc import Iterator
from urllib.parse import urlencode

import pyoxigraph as ox
import pytest
from flask.testing import FlaskClient

from kg.home import Home
from sparql.guard.limits import Limits
from sparql.guard.pool import WorkerPool
from tests.web.endpoint.conftest import BEARER, EX, TOKEN, app_of
from web.site import WebSettings

A, B, C = (f"{EX}{name}" for name in ("graph-a", "graph-b", "graph-c"))
KIND = "<http://example.org/kind>"
QUERY, UPDATE, FORM = "application/sparql-query", "application/sparql-update", "application/x-www-form-urlencoded"
LIMITS = Limits(workers=1, long_running=1, seconds=1.0, answer_bytes=20_000, query_bytes=20_000, upload_bytes=100_000)
HAS_A = f"<{A}> {KIND} ?k"
HAS_B = f"<{B}> {KIND} ?k"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """A server whose graphs a and b each say of what kind they are; so does the default graph of d."""
    home = Home(tmp_path_factory.mktemp("guarded") / "home")
    with home.write() as draft:
        for name in (A, B):
            draft.add([_kind_of(name, ox.NamedNode(name))])
        draft.add([_kind_of(EX + "d", ox.DefaultGraph())])
    settings = WebSettings(token=TOKEN, limits=LIMITS)
    with WorkerPool(home.path, LIMITS) as pool:
        yield app_of(home, pool, settings).test_client()


def _kind_of(name: str, graph: ox.NamedNode | ox.DefaultGraph) -> ox.Quad:
    return ox.Quad(ox.NamedNode(name), ox.NamedNode(EX + "kind"), ox.Literal("document"), graph)


def holds(client: FlaskClient, pattern: str, *graphs: tuple[str, str], dataset: str = "") -> bool:
    """What an ASK says, the same by GET, by form and as the body."""
    query = f"ASK {dataset} {{ {pattern} }}"
    sent = [("query", query), *graphs]
    answers = [
        client.get("/sparql", query_string=sent),
        client.post("/sparql", data=urlencode(sent), content_type=FORM),
        client.post(f"/sparql?{urlencode(graphs)}", data=query, content_type=QUERY),
    ]
    found = {answer.get_json()["boolean"] for answer in answers}
    assert len(found) == 1
    return bool(found.pop())


def test_without_graphs_a_query_sees_them_as_one(guarded: FlaskClient) -> None:
    assert holds(guarded, f"{HAS_A} . {HAS_B} . <{EX}d> {KIND} ?k")
    assert holds(guarded, f"GRAPH <{A}> {{ {HAS_A} }}")
    assert not holds(guarded, f"GRAPH <{A}> {{ {HAS_B} }}")


def test_default_graphs_are_merged_and_hide_all_others(guarded: FlaskClient) -> None:
    one, two = ("default-graph-uri", A), ("default-graph-uri", B)
    assert holds(guarded, HAS_A, one) and not holds(guarded, HAS_B, one)
    assert holds(guarded, f"{HAS_A} . {HAS_B}", one, two)
    assert not holds(guarded, f"GRAPH ?g {{ {HAS_A} }}", one)


def test_named_graphs_are_asked_by_name_alone(guarded: FlaskClient) -> None:
    one, two = ("named-graph-uri", A), ("named-graph-uri", B)
    assert holds(guarded, f"GRAPH ?g {{ {HAS_A} }} GRAPH ?h {{ {HAS_B} }}", one, two)
    assert not holds(guarded, f"GRAPH ?g {{ {HAS_B} }}", one)
    assert not holds(guarded, HAS_A, one)


def test_both_at_once_and_instead_of_what_the_query_says(guarded: FlaskClient) -> None:
    graphs = ("default-graph-uri", A), ("named-graph-uri", B)
    assert holds(guarded, f"{HAS_A} GRAPH ?g {{ {HAS_B} }}", *graphs)
    assert holds(guarded, HAS_A, ("default-graph-uri", A), dataset=f"FROM <{B}>")
    assert not holds(guarded, HAS_B, ("default-graph-uri", A), dataset=f"FROM <{B}>")
    assert holds(guarded, HAS_B, dataset=f"FROM <{B}>") and not holds(guarded, HAS_A, dataset=f"FROM <{B}>")


def update(client: FlaskClient, text: str, *graphs: tuple[str, str], form: bool = False) -> int:
    if form:
        data = urlencode([("update", text), *graphs])
        return client.post("/sparql/update", data=data, content_type=FORM, headers=BEARER).status_code
    place = f"/sparql/update?{urlencode(graphs)}"
    return client.post(place, data=text, content_type=UPDATE, headers=BEARER).status_code


@pytest.mark.parametrize("form", [False, True])
def test_an_update_matches_in_the_graphs_that_it_is_given(guarded: FlaskClient, form: bool) -> None:
    copy = f"CLEAR SILENT GRAPH <{C}> ; INSERT {{ GRAPH <{C}> {{ ?s {KIND} ?k }} }} WHERE"
    assert update(guarded, f"{copy} {{ ?s {KIND} ?k }}", ("using-graph-uri", A), form=form) == 204
    assert holds(guarded, f"GRAPH <{C}> {{ {HAS_A} }}") and not holds(guarded, f"GRAPH <{C}> {{ {HAS_B} }}")
    named = ("using-named-graph-uri", B)
    assert update(guarded, f"{copy} {{ GRAPH ?g {{ ?s {KIND} ?k }} }}", named, form=form) == 204
    assert holds(guarded, f"GRAPH <{C}> {{ {HAS_B} }}") and not holds(guarded, f"GRAPH <{C}> {{ {HAS_A} }}")
    both = ("using-graph-uri", A), ("using-graph-uri", B)
    assert update(guarded, f"{copy} {{ ?s {KIND} ?k }}", *both, form=form) == 204
    assert holds(guarded, f"GRAPH <{C}> {{ {HAS_A} . {HAS_B} }}")


@pytest.mark.parametrize("own", [f"WITH <{A}> DELETE {{ ?s ?p ?o }}", "DELETE { ?s ?p ?o }"])
def test_an_update_that_names_graphs_of_its_own_is_given_none(guarded: FlaskClient, own: str) -> None:
    using = "" if own.startswith("WITH") else f"USING <{A}>"
    assert update(guarded, f"{own} {using} WHERE {{ ?s ?p ?o }}", ("using-graph-uri", B)) == 400
    assert holds(guarded, HAS_A)


def test_several_updates_are_one_and_a_bad_one_is_none(guarded: FlaskClient) -> None:
    insert = f"INSERT DATA {{ GRAPH <{EX}x> {{ <{EX}s> {KIND} 1 }} }}"
    assert update(guarded, f"{insert} ; INSERT {{ GRAPH <{EX}x> {{ <{EX}t> {KIND} 2 }} }} WHERE {{}}") == 204
    assert holds(guarded, f"GRAPH <{EX}x> {{ <{EX}s> {KIND} 1 . <{EX}t> {KIND} 2 }}")
    assert update(guarded, f"DROP GRAPH <{EX}x> ; INSERT DATA {{") == 400
    assert update(guarded, "LOAD <http://127.0.0.1:9/a.ttl>") in (400, 403)
    assert holds(guarded, f"GRAPH <{EX}x> {{ ?s {KIND} 1 }}")


def test_a_stored_graph_is_seen_by_the_next_query(guarded: FlaskClient) -> None:
    place = f"/store?graph={EX}stored"
    for n in range(3):
        body = f"<{EX}s> <{EX}n> {n} ."
        answer = guarded.put(place, data=body, content_type="text/turtle", headers=BEARER)
        assert answer.status_code == (201 if n == 0 else 204)
        assert holds(guarded, f"<{EX}s> <{EX}n> {n}")
    assert guarded.delete(place, headers=BEARER).status_code == 204
    assert not holds(guarded, f"<{EX}s> <{EX}n> ?n")


def product(width: int) -> str:
    """A pattern with nine to that power solutions."""
    return " ".join(f"VALUES ?v{n} {{ 1 2 3 4 5 6 7 8 9 }}" for n in range(width))


@pytest.mark.parametrize(
    ("query", "limit", "status"),
    [
        (f"SELECT (COUNT(*) AS ?n) {{ {product(12)} }}", "time", 503),
        (f"SELECT * {{ {product(4)} }}", "size of the answer", 503),
        ("ASK { " + "#" * 20_001 + "\n}", "size of the query", 413),
    ],
)
def test_a_limit_that_is_met_is_named_and_the_next_query_is_answered(
    guarded: FlaskClient, query: str, limit: str, status: int
) -> None:
    answer = guarded.post("/sparql", data=query, content_type=QUERY, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.get_json()["limit"]) == (status, limit)
    assert "seconds=1" in answer.headers["Scoutfly-Limits"]
    assert holds(guarded, HAS_A)


@pytest.mark.parametrize("how", ["SERVICE", "SERVICE SILENT", "service silent"])
def test_another_server_is_not_asked(guarded: FlaskClient, how: str) -> None:
    query = f"SELECT * {{ {how} <http://127.0.0.1:9/> {{ ?s ?p ?o }} }}"
    answer = guarded.get("/sparql", query_string={"query": query})
    assert (answer.status_code, answer.mimetype) == (403, "text/plain")
    assert "SERVICE" in answer.text


@pytest.mark.parametrize("query", ["SELECT ?s WHERE { ?s ?p }", "ASK {\n  ?s ?p ?o ;;;; )\n}", "DROP ALL", ""])
def test_a_mistake_has_a_place(guarded: FlaskClient, query: str) -> None:
    answer = guarded.get("/sparql", query_string={"query": query})
    assert (answer.status_code, answer.mimetype) == (400, "text/plain")
    assert "line" in answer.text.lower() and "column" in answer.text


def test_an_entity_bomb_is_not_read(guarded: FlaskClient) -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    bomb = (
        f'<!DOCTYPE r [<!ENTITY e0 "ha">{entities}]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    )
    bomb += f'<rdf:Description rdf:about="{EX}s"><p xmlns="{EX}">&e11;</p></rdf:Description></rdf:RDF>'
    place = f"/store?graph={EX}bomb"
    answer = guarded.put(place, data=bomb, content_type="application/rdf+xml", headers=BEARER)
    assert answer.status_code in (400, 403, 413, 503)
    assert guarded.get(place).status_code == 404
    assert holds(guarded, HAS_A)
