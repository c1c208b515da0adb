"""``/sparql/update``: who may change the graph, how, and that everybody sees it at once."""

from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from kg.home import Home
from tests.web.endpoint.conftest import BEARER, EX, PlainGuard, app_of
from web.site import WebSettings

FORM, DIRECT = "application/x-www-form-urlencoded", "application/sparql-update"
INSERT = f"INSERT DATA {{ <{EX}new> <{EX}p> 1 }}"
ASK = {"query": f"ASK {{ <{EX}new> ?p ?o }}"}


def is_there(client: FlaskClient) -> bool:
    answer = client.get("/sparql", query_string=ASK)
    return bool(answer.get_json()["boolean"])


@pytest.mark.parametrize(
    ("body", "content_type"),
    [(INSERT, DIRECT), (INSERT, f"{DIRECT}; charset=UTF-8"), (urlencode({"update": INSERT}), FORM)],
)
def test_an_update_is_seen_by_the_next_query_and_the_pages(client: FlaskClient, body: str, content_type: str) -> None:
    assert not is_there(client)
    before = client.get("/healthz").get_json()["generation"]
    answer = client.post("/sparql/update", data=body, content_type=content_type, headers=BEARER)
    assert (answer.status_code, answer.data) == (204, b"")
    assert is_there(client)
    after = client.get("/healthz").get_json()["generation"]
    assert answer.headers["Scoutfly-Generation"] == str(after) != str(before)


@pytest.mark.parametrize(
    ("headers", "status"),
    [({}, 401), ({"Authorization": "Bearer wrong"}, 401), ({"Authorization": "Basic c2VzYW1l"}, 401)],
)
def test_nobody_changes_anything_without_the_token(client: FlaskClient, headers: dict[str, str], status: int) -> None:
    answer = client.post("/sparql/update", data=INSERT, content_type=DIRECT, headers=headers)
    assert (answer.status_code, answer.mimetype) == (status, "text/plain")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert not is_there(client)


def test_updates_are_off_where_no_token_is_set(home: Home, guard: PlainGuard) -> None:
    client = app_of(home, guard, WebSettings()).test_client()
    for headers in ({}, {"Authorization": "Bearer "}, BEARER):
        answer = client.post("/sparql/update", data=INSERT, content_type=DIRECT, headers=headers)
        assert answer.status_code == 403
        assert "SCOUTFLY_TOKEN" in answer.text
    assert guard.updates == []


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (INSERT, "text/plain", 415),
        (INSERT, None, 415),
        (INSERT, "application/sparql-query", 415),
        (INSERT.encode("utf-16"), f"{DIRECT}; charset=utf-16", 415),
        (INSERT.encode() + b"#\xff", DIRECT, 400),
        (urlencode({"query": "ASK {}"}), FORM, 400),
        (urlencode([("update", INSERT), ("update", INSERT)]), FORM, 400),
        ("", FORM, 400),
        ("INSERT DATA {", DIRECT, 400),
    ],
)
def test_what_is_no_update_changes_nothing(
    client: FlaskClient, body: str | bytes, content_type: str | None, status: int
) -> None:
    answer = client.post("/sparql/update", data=body, content_type=content_type, headers=BEARER)
    assert answer.status_code == status, answer.text
    assert not is_there(client)


def test_an_update_does_not_come_by_get_nor_to_the_query_address(client: FlaskClient) -> None:
    assert client.get("/sparql/update", query_string={"update": INSERT}, headers=BEARER).status_code == 405
    assert client.get("/sparql", query_string={"update": INSERT}, headers=BEARER).status_code == 400
    assert client.post("/sparql", data=INSERT, content_type=DIRECT, headers=BEARER).status_code == 415


def test_graphs_of_the_protocol_reach_the_guard(client: FlaskClient, guard: PlainGuard) -> None:
    sent = [("using-graph-uri", EX + "a"), ("using-named-graph-uri", EX + "b")]
    client.post(f"/sparql/update?{urlencode(sent)}", data=INSERT, content_type=DIRECT, headers=BEARER)
    client.post("/sparql/update", data=urlencode([("update", INSERT), *sent]), content_type=FORM, headers=BEARER)
    assert len(guard.updates) == 2
    for update in guard.updates:
        assert (tuple(update.using_graphs), tuple(update.using_named_graphs)) == ((EX + "a",), (EX + "b",))


def test_a_page_of_another_site_changes_nothing_even_from_a_browser_that_knows_the_server(client: FlaskClient) -> None:
    headers = {"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"}
    answer = client.post("/sparql/update", data=urlencode({"update": INSERT}), content_type=FORM, headers=headers)
    assert answer.status_code in (401, 403)
    assert not is_there(client)
