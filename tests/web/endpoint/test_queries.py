"""``/sparql``: how queries come in, what they are answered in, and how it is told that they cannot be."""

import csv
import io
import json
from urllib.parse import quote, urlencode

import pyoxigraph as ox
import pytest
from flask.testing import FlaskClient

from kg.home import Home
from sparql.errors import Busy, LimitExceeded, Refused
from sparql.guard.requests import QueryRequest
from tests.web.endpoint.conftest import BEARER, EX, PlainGuard, app_of
from web.site import WebSettings

SELECT = "SELECT ?o WHERE { ?s <http://example.org/p> ?o } ORDER BY ?o"
CONSTRUCT = "CONSTRUCT WHERE { ?s <http://example.org/p> ?o }"
DESCRIBE = "DESCRIBE <http://example.org/s1>"
FORM = "application/x-www-form-urlencoded"
RESULTS = "application/sparql-results+json"


def ask(client: FlaskClient, query: str, accept: str | None = None, **more: str):  # type: ignore[no-untyped-def]
    headers = {} if accept is None else {"Accept": accept}
    return client.get("/sparql", query_string={"query": query, **more}, headers=headers)


def values(body: str) -> list[str]:
    return [row["o"]["value"] for row in json.loads(body)["results"]["bindings"]]


ALL = ["default", "value 0", "value 1", "value 2"]


def test_a_query_comes_by_get_by_form_and_as_the_body(client: FlaskClient) -> None:
    answers = [
        ask(client, SELECT),
        client.post("/sparql", data=urlencode({"query": SELECT}), content_type=FORM),
        client.post("/sparql", data=urlencode({"query": SELECT}), content_type=f"{FORM}; charset=UTF-8"),
        client.post("/sparql", data=SELECT, content_type="application/sparql-query"),
        client.post("/sparql", data=SELECT, content_type="Application/SPARQL-Query; charset=utf-8"),
    ]
    for answer in answers:
        assert (answer.status_code, answer.content_type) == (200, RESULTS), answer.text
        assert values(answer.text) == ALL


def test_head_has_the_headers_of_get_alone(client: FlaskClient) -> None:
    answer = client.head("/sparql", query_string={"query": SELECT})
    assert (answer.status_code, answer.data) == (200, b"")
    assert answer.content_length == len(ask(client, SELECT).data)


@pytest.mark.parametrize(
    ("content_type", "body", "status"),
    [
        ("text/plain", SELECT, 415),
        (None, SELECT, 415),
        ("application/sparql-update", SELECT, 415),
        (FORM, "", 400),
        (FORM, urlencode({"update": "CLEAR ALL"}), 400),
        (FORM, urlencode([("query", "ASK {}"), ("query", "ASK {}")]), 400),
        (f"{FORM}; charset=utf-16", urlencode({"query": SELECT}), 415),
        ("application/sparql-query; charset=UTF-16", SELECT.encode("utf-16"), 415),
        ("application/sparql-query", b"ASK { ?s ?p '\xff' }", 400),
        (FORM, b"query=%FF", 400),
        (FORM, b"query=\xff", 400),
        (FORM, "query=ASK" + "&a=b" * 3000, 400),
    ],
)
def test_what_is_sent_otherwise_is_told_so(
    client: FlaskClient, content_type: str | None, body: str | bytes, status: int
) -> None:
    answer = client.post("/sparql", data=body, content_type=content_type)
    assert answer.status_code == status, answer.text


def test_a_query_in_the_address_and_in_the_body_is_one_too_many(client: FlaskClient) -> None:
    answer = client.post("/sparql?query=ASK%7B%7D", data="ASK {}", content_type="application/sparql-query")
    assert answer.status_code == 400
    assert client.get("/sparql?query=ASK%7B%7D&query=ASK%7B%7D").status_code == 400


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
def test_other_methods_are_refused_with_those_that_work(client: FlaskClient, method: str) -> None:
    answer = client.open("/sparql", method=method, headers=BEARER)
    assert answer.status_code == 405
    assert {"GET", "POST", "HEAD", "OPTIONS"} <= set(answer.headers["Allow"].split(", "))
    assert client.get("/sparql/update", headers=BEARER).status_code == 405


@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        (None, RESULTS),
        ("*/*", RESULTS),
        ("application/json", "application/json"),
        ("application/sparql-results+xml", "application/sparql-results+xml"),
        ("text/csv", "text/csv; charset=utf-8"),
        ("text/tab-separated-values", "text/tab-separated-values; charset=utf-8"),
        ("text/csv;q=0.4, application/sparql-results+xml;q=0.6", "application/sparql-results+xml"),
        ("text/csv, */*;q=0.1", "text/csv; charset=utf-8"),
        ("text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", "application/xml"),
        ("text/turtle", RESULTS),
    ],
)
def test_solutions_are_answered_in_what_is_asked_for(
    client: FlaskClient, accept: str | None, content_type: str
) -> None:
    answer = ask(client, SELECT, accept)
    assert (answer.status_code, answer.content_type) == (200, content_type)
    assert "Accept" in answer.headers["Vary"]


def test_csv_holds_the_values(client: FlaskClient) -> None:
    rows = list(csv.reader(io.StringIO(ask(client, SELECT, "text/csv").text)))
    assert rows == [["o"], *([value] for value in ALL)]


@pytest.mark.parametrize("query", [CONSTRUCT, DESCRIBE])
@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        (None, "text/turtle; charset=utf-8"),
        ("application/n-triples", "application/n-triples"),
        ("application/rdf+xml", "application/rdf+xml"),
        ("application/ld+json", "application/ld+json"),
        ("application/trig", "application/trig"),
        ("application/n-quads", "application/n-quads"),
        ("text/n3;q=0.9", "text/turtle; charset=utf-8"),
        ("application/sparql-results+json, text/turtle", "text/turtle; charset=utf-8"),
    ],
)
def test_graphs_are_answered_in_what_is_asked_for(
    client: FlaskClient, query: str, accept: str | None, content_type: str
) -> None:
    answer = ask(client, query, accept)
    assert (answer.status_code, answer.content_type) == (200, content_type)
    triples = set(ox.parse(answer.data, format=ox.RdfFormat.from_media_type(answer.mimetype)))
    assert len(triples) == (4 if query is CONSTRUCT else 1)


@pytest.mark.parametrize("accept", ["image/png", "text/html", "application/sparql-results+json;q=0"])
def test_what_nobody_can_be_given_is_told_with_what_there_is(client: FlaskClient, accept: str) -> None:
    answer = ask(client, SELECT, accept)
    assert answer.status_code == 406
    assert RESULTS in answer.text


def test_one_form_may_be_ruled_out_by_the_asker(client: FlaskClient) -> None:
    assert ask(client, CONSTRUCT, f"{RESULTS}, */*;q=0").status_code == 406


@pytest.mark.parametrize("name", ["format", "output", "results"])
def test_a_format_by_name_counts_where_accept_says_nothing(client: FlaskClient, name: str) -> None:
    assert ask(client, SELECT, "*/*", **{name: "csv"}).mimetype == "text/csv"
    assert ask(client, CONSTRUCT, None, **{name: "json"}).mimetype == "application/ld+json"
    assert ask(client, SELECT, None, **{name: "rubbish"}).mimetype == RESULTS
    assert ask(client, SELECT, "text/csv", **{name: "json"}).mimetype == "text/csv"


def test_graphs_of_the_protocol_reach_the_guard(client: FlaskClient, guard: PlainGuard) -> None:
    sent = [("default-graph-uri", EX + "a"), ("default-graph-uri", EX + "b"), ("named-graph-uri", EX + "c")]
    client.get("/sparql", query_string=[("query", "ASK {}"), *sent])
    client.post(f"/sparql?{urlencode(sent)}", data="ASK {}", content_type="application/sparql-query")
    client.post("/sparql", data=urlencode([("query", "ASK {}"), *sent]), content_type=FORM)
    for request in guard.queries:
        assert tuple(request.default_graphs) == (EX + "a", EX + "b")
        assert tuple(request.named_graphs) == (EX + "c",)
        assert request.union
    assert len(guard.queries) == 3
    assert client.get("/sparql?query=ASK%7B%7D&default-graph-uri=no%20iri").status_code == 400


def test_the_union_of_the_graphs_is_a_choice_of_the_server(home: Home, guard: PlainGuard) -> None:
    alone = app_of(home, guard, WebSettings(union_default_graph=False)).test_client()
    assert values(ask(alone, SELECT).text) == ["default"]


def test_relative_names_are_those_of_the_endpoint(client: FlaskClient) -> None:
    answer = ask(client, "CONSTRUCT { <s> <p> 1 } WHERE {}", "application/n-triples")
    assert answer.text.startswith("<http://localhost/s> <http://localhost/p>")


def test_a_long_query_goes_by_post_up_to_the_limit(client: FlaskClient, guard: PlainGuard) -> None:
    most = WebSettings().limits.query_bytes
    iris = " ".join(f"<{EX}{n}>" for n in range(most // 32))
    query = f"ASK {{ VALUES ?s {{ {iris} }} ?s ?p ?o }}"
    assert len(query) < most
    body = urlencode({"query": query})
    assert len(body) > most
    assert client.post("/sparql", data=body, content_type=FORM).status_code == 200
    for sent, kind in ((urlencode({"query": query * 3}), FORM), (query * 3, "application/sparql-query")):
        answer = client.post("/sparql", data=sent, content_type=kind)
        assert answer.status_code == 413
        assert f"{most:,} bytes" in answer.text
        assert "query-bytes=" in answer.headers["Scoutfly-Limits"]
    assert len(guard.queries) == 1


def test_a_mistake_is_told_with_its_place(client: FlaskClient) -> None:
    plain = ask(client, "SELEC ?s {}")
    assert (plain.status_code, plain.mimetype) == (400, "text/plain")
    assert "line 1" in plain.text and "column 2" in plain.text
    for accept in ("application/json", RESULTS):
        answer = ask(client, "SELEC ?s {}", accept)
        assert (answer.status_code, answer.mimetype) == (400, "application/problem+json")
        assert (answer.get_json()["line"], answer.get_json()["column"]) == (1, 2)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Refused("no other servers"), 403),
        (LimitExceeded("the query took longer than 10 seconds", limit="time"), 503),
        (LimitExceeded("too long", limit="size of the query"), 413),
        (Busy("all workers are taken", retry_after_s=7), 503),
    ],
)
def test_what_the_guard_refuses_is_told_with_the_limits(
    client: FlaskClient, guard: PlainGuard, error: Exception, status: int
) -> None:
    guard.raises = error
    answer = ask(client, SELECT)
    assert (answer.status_code, answer.mimetype) == (status, "text/plain")
    assert str(error) in answer.text.lower()
    if status in (413, 503):
        assert "seconds=10" in answer.headers["Scoutfly-Limits"]
    if isinstance(error, Busy):
        assert answer.headers["Retry-After"] == "7"
    if isinstance(error, LimitExceeded):
        assert ask(client, SELECT, "application/json").get_json()["limit"] == error.limit


def test_an_answer_is_known_again_until_the_graph_changes(client: FlaskClient, guard: PlainGuard) -> None:
    address = f"/sparql?query={quote(SELECT)}"
    tag = client.get(address).headers["ETag"]
    again = client.get(address, headers={"If-None-Match": tag})
    assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
    assert len(guard.queries) == 1
    assert client.get(address, headers={"If-None-Match": tag, "Accept": "text/csv"}).status_code == 200
    changed = client.post(
        "/sparql/update", data="CLEAR DEFAULT", content_type="application/sparql-update", headers=BEARER
    )
    assert changed.status_code == 204
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 200


def test_an_answer_of_the_graph_before_is_not_taken_for_one_of_the_graph_now(
    client: FlaskClient, guard: PlainGuard, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"/sparql?query={quote(SELECT)}"
    before = guard.query(QueryRequest(SELECT))
    with home.write():
        pass  # a generation that the workers are still loading
    with monkeypatch.context() as loading:
        loading.setattr(guard, "query", lambda _: before)
        tag = client.get(address).headers["ETag"]
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize("function", ["NOW()", "rand ()", "STRUUID()"])
def test_an_answer_that_changes_by_itself_has_no_tag(client: FlaskClient, function: str) -> None:
    assert "ETag" not in ask(client, f"SELECT ({function} AS ?x) {{}}").headers


def test_without_a_guard_the_other_endpoint_is_named(home: Home) -> None:
    client = app_of(home, None, WebSettings(endpoint="http://elsewhere.example/query")).test_client()
    for address in ("/sparql?query=ASK{}", "/sparql", "/store?default", "/store/x", "/.well-known/void"):
        answer = client.get(address)
        assert answer.status_code == 501
        assert "http://elsewhere.example/query" in answer.text
