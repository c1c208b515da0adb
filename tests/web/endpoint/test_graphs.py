"""``/store``: graphs read, made, added to and removed, each by its own address or by a parameter."""

import io
from urllib.parse import quote

import pyoxigraph as ox
import pytest
from flask.testing import FlaskClient

from kg.home import Home
from tests.web.endpoint.conftest import BEARER, EX, GRAPH, PlainGuard, app_of
from web.site import WebSettings

TURTLE = {"content_type": "text/turtle; charset=utf-8"}
JANE = '<#me> <http://example.org/name> "Jane" ; <http://example.org/card> [ <http://example.org/fn> "Jane Doe" ] .'
JOHN = '<#me> <http://example.org/name> "John" ; <http://example.org/card> [ <http://example.org/fn> "John Doe" ] .'
NEW = EX + "new graph".replace(" ", "-")
PLACES = [f"/store?graph={quote(NEW, safe='')}", "/store/person/1.ttl"]


def triples(answer) -> set[tuple[str, str, str]]:  # type: ignore[no-untyped-def]
    """What an answer holds, blank nodes all called alike."""
    syntax = ox.RdfFormat.from_media_type(answer.mimetype)
    parsed = [quad.triple for quad in ox.parse(answer.data, format=syntax)]
    found = {tuple("_" if isinstance(term, ox.BlankNode) else str(term) for term in triple) for triple in parsed}
    assert len(found) == len(parsed), "a triple stands there twice"
    return found  # type: ignore[return-value]


def put(client: FlaskClient, place: str, body: str) -> int:
    return client.put(place, data=body, headers=BEARER, **TURTLE).status_code


@pytest.mark.parametrize("place", PLACES)
def test_a_graph_is_made_replaced_and_removed(client: FlaskClient, place: str) -> None:
    assert client.get(place).status_code == client.head(place).status_code == 404
    assert put(client, place, JOHN) == 201
    john = triples(client.get(place))
    assert len(john) == 3
    assert put(client, place, JANE) == 204
    jane = triples(client.get(place))
    assert len(jane) == 3 and not jane & {one for one in john if "name" in one[1]}
    head = client.head(place)
    assert (head.status_code, head.data) == (200, b"")
    assert client.delete(place, headers=BEARER).status_code == 204
    assert client.get(place).status_code == 404
    assert client.delete(place, headers=BEARER).status_code == 404


def test_a_graph_has_the_address_for_its_name_and_base(client: FlaskClient) -> None:
    assert put(client, "/store/%C3%A0%20la/1.ttl", JANE) == 201
    name = "http://localhost/store/%C3%A0%20la/1.ttl"
    subjects = {one[0] for one in triples(client.get("/store", query_string={"graph": name}))}
    assert f"<{name}#me>" in subjects


@pytest.mark.parametrize("place", PLACES)
def test_what_is_added_twice_stands_there_once(client: FlaskClient, place: str) -> None:
    first = client.post(place, data=JANE, headers=BEARER, **TURTLE)
    again = client.post(place, data=JANE, headers=BEARER, **TURTLE)
    assert (first.status_code, again.status_code) == (201, 204)
    assert len(triples(client.get(place))) == 3
    assert client.post(place, data=JOHN, headers=BEARER, **TURTLE).status_code == 204
    both = client.get(place)
    assert both.text.count(' Doe"') == 2 and "Jane Doe" in both.text


def test_a_put_that_is_repeated_is_answered_again_as_it_was_and_writes_nothing(client: FlaskClient) -> None:
    assert put(client, PLACES[0], JANE) == 201
    generation = client.get("/healthz").get_json()["generation"]
    assert put(client, PLACES[0], JANE) == 201
    assert client.get("/healthz").get_json()["generation"] == generation
    assert put(client, PLACES[0], JOHN) == 204


def test_a_graph_without_a_name_gets_one(client: FlaskClient) -> None:
    answer = client.post("/store", data=JANE, headers=BEARER, **TURTLE)
    assert answer.status_code == 201
    place = answer.headers["Location"]
    assert place.startswith("http://localhost/store/")
    assert len(triples(client.get(place))) == 3
    assert len(triples(client.get("/store", query_string={"graph": place}))) == 3
    other = client.post("/store", data=JANE, headers=BEARER, **TURTLE)
    assert other.headers["Location"] != place


def test_the_default_graph_is_one_of_them(client: FlaskClient) -> None:
    assert triples(client.get("/store?default")) == {(f"<{EX}d>", f"<{EX}p>", '"default"')}
    assert put(client, "/store?default", JANE) == 204
    assert len(triples(client.get("/store?default"))) == 3
    assert client.delete("/store?default", headers=BEARER).status_code == 204
    assert triples(client.get("/store?default")) == set()
    assert len(triples(client.get("/store", query_string={"graph": GRAPH.value}))) == 3


def test_an_empty_document_makes_an_empty_graph(client: FlaskClient) -> None:
    assert put(client, PLACES[0], "") == 201
    answer = client.get(PLACES[0])
    assert (answer.status_code, triples(answer)) == (200, set())


def test_several_documents_in_one_form(client: FlaskClient) -> None:
    def part(body: str, name: str, kind: str) -> tuple[io.BytesIO, str, str]:
        return io.BytesIO(body.encode()), name, kind

    files = {
        "a": part(JANE, "a.ttl", "text/turtle"),
        "b": part(f"<{EX}s> <{EX}p> 1 .", "b.nt", "application/n-triples"),
    }
    files["b"] = part(f'<{EX}s> <{EX}p> "1" .', "b.nt", "application/n-triples")
    answer = client.post(PLACES[0], data=files, headers=BEARER)
    assert answer.status_code == 201
    assert len(triples(client.get(PLACES[0]))) == 4
    wrong = {"a": part(JANE, "a.png", "image/png")}
    assert client.post(PLACES[0], data=wrong, headers=BEARER).status_code == 415
    assert client.post(PLACES[0], data={"a": JANE, "b": files["a"][1]}, headers=BEARER).status_code in (400, 415)


@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        (None, "text/turtle; charset=utf-8"),
        ("application/n-triples", "application/n-triples"),
        ("application/rdf+xml", "application/rdf+xml"),
        ("application/ld+json;q=0.9, image/png", "application/ld+json"),
        ("application/n-quads", "application/n-quads"),
    ],
)
def test_a_graph_is_had_in_what_is_asked_for(client: FlaskClient, accept: str | None, content_type: str) -> None:
    answer = client.get(
        "/store", query_string={"graph": GRAPH.value}, headers={} if accept is None else {"Accept": accept}
    )
    assert (answer.status_code, answer.content_type) == (200, content_type)
    assert len(triples(answer)) == 3
    tag = answer.headers["ETag"]
    again = {"If-None-Match": tag} | ({"Accept": accept} if accept else {})
    assert client.get("/store", query_string={"graph": GRAPH.value}, headers=again).status_code == 304


def test_what_cannot_be_had(client: FlaskClient) -> None:
    place = {"query_string": {"graph": GRAPH.value}}
    assert client.get("/store", headers={"Accept": "image/png"}, **place).status_code == 406


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (JANE, "text/plain+x", 415),
        (JANE, None, 415),
        (JANE, "application/trig", 415),
        ("<a> <b>", "text/turtle", 400),
        ("<rdf/>", "text/turtle", 400),
        (f'[{{"@id": "{EX}g", "@graph": [{{"@id": "{EX}s", "{EX}p": 1}}]}}]', "application/ld+json", 400),
    ],
)
def test_a_document_that_will_not_do_leaves_the_graph_as_it_was(
    client: FlaskClient, body: str, content_type: str | None, status: int
) -> None:
    put(client, PLACES[0], JOHN)
    before = triples(client.get(PLACES[0]))
    for method in ("PUT", "POST"):
        answer = client.open(PLACES[0], method=method, data=body, content_type=content_type, headers=BEARER)
        assert answer.status_code == status, answer.text
    assert triples(client.get(PLACES[0])) == before


def test_a_document_beyond_the_limit_is_not_read(home: Home, guard: PlainGuard) -> None:
    from sparql.guard.limits import Limits

    client = app_of(home, guard, WebSettings(token="sesame", limits=Limits(upload_bytes=1000))).test_client()
    for sent in ({"data": "#" * 1001, **TURTLE}, {"data": {"a": (io.BytesIO(b"#" * 2000), "a.ttl", "text/turtle")}}):
        answer = client.put(PLACES[0], headers=BEARER, **sent)
        assert answer.status_code == 413
        assert "upload-bytes=1000" in answer.headers["Scoutfly-Limits"]


@pytest.mark.parametrize(
    "place",
    ["/store?graph=no-iri", "/store?graph=", "/store?default&graph=http://example.org/g", "/store/x?default",
     "/store?graph=http://example.org/a&graph=http://example.org/b"],
)  # fmt: skip
def test_one_graph_is_named_or_none(client: FlaskClient, place: str) -> None:
    assert client.get(place).status_code == 400
    assert put(client, place, JANE) == 400
    assert client.get("/store").status_code == 400


@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE"])
def test_only_the_token_writes(client: FlaskClient, home: Home, guard: PlainGuard, method: str) -> None:
    before = home.current()
    off = app_of(home, guard, WebSettings()).test_client()
    for asker, status in ((client, 401), (off, 403)):
        for place in (*PLACES, "/store?default", "/store"):
            answer = asker.open(place, method=method, data=JANE, content_type="text/turtle")
            assert answer.status_code in (status, 400), place
    assert home.current() == before


def test_a_patch_is_no_method_here(client: FlaskClient) -> None:
    answer = client.patch(PLACES[0], data="CLEAR ALL", content_type="application/sparql-update", headers=BEARER)
    assert answer.status_code == 405
    assert {"GET", "PUT", "POST", "DELETE", "HEAD"} <= set(answer.headers["Allow"].split(", "))


def test_a_write_waits_for_another_writer_and_gives_up_in_the_end(
    client: FlaskClient, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.endpoint.generations._PATIENCE_S", 0.2)
    with home.write():
        answer = client.put(PLACES[0], data=JANE, headers=BEARER, **TURTLE)
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert put(client, PLACES[0], JANE) == 201
