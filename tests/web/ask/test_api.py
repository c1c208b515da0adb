"""Asking by the HTTP API: begun at once, waited for on wish, listed, stopped, with routes and media in the result."""

import json

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.ask.conftest import Gate
from tests.web.stage import finish

ROOT = "http://example.org/root"


@pytest.fixture
def client(gated: Flask) -> FlaskClient:
    return gated.test_client()


def test_a_question_is_begun_and_its_run_is_where_it_says(client: FlaskClient, gate: Gate) -> None:
    response = client.post("/api/ask", json={"question": "Where to?", "topic": ROOT})
    said = response.get_json()
    assert response.status_code == 202
    assert response.headers["Location"] == said["links"]["self"] == f"/api/runs/{said['run']}"
    assert (said["state"], said["question"], said["result"], said["policy"]) == ("running", "Where to?", None, "fake")
    assert client.get(said["links"]["self"]).get_json()["state"] == "running"
    assert client.get(said["links"]["page"]).status_code == 200
    gate.open()
    finish(client.application, said["links"]["self"])
    whole = client.get(said["links"]["self"]).get_json()
    assert (whole["state"], whole["answer"], whole["routes"]) == ("finished", "root>b, root>a>c", 2)
    assert [path["text"] for path in whole["result"]["paths"]] == [
        "root -leads to-> b",
        "root -leads to-> a -leads to-> c",
    ]
    assert whole["result"]["media"] == []
    assert client.get(said["links"]["trace"]).mimetype == "application/jsonl"
    assert client.get(said["links"]["provenance"]).mimetype == "text/turtle"
    events = client.get(said["links"]["events"]).get_data(as_text=True)
    assert events.endswith("\n\n") and "event: done" in events
    assert client.get(said["links"]["events"] + "?after=3").get_data(as_text=True).startswith("retry: 1000\n\nid: 4\n")


def test_an_answer_can_be_waited_for(client: FlaskClient, gate: Gate) -> None:
    gate.open()
    response = client.post("/api/ask", json={"question": "Where to?", "topic": ROOT, "wait": 20, "paths": 1})
    assert response.status_code == 200
    assert response.get_json()["result"]["answer"] == "root>b"
    assert response.get_json()["result"]["settings"]["paths"] == 1


def test_a_walk_is_stopped_and_its_routes_are_there_without_an_answer(client: FlaskClient, gate: Gate) -> None:
    links = client.post("/api/ask", json={"question": "Where to?", "topic": ROOT}).get_json()["links"]
    gate.await_call("expander root")
    gate.let()
    gate.await_call("validator root>a")
    response = client.post(links["stop"])
    assert (response.status_code, response.get_json()["state"]) == (202, "running")
    gate.open()
    finish(client.application, links["self"])
    run = client.get(links["self"]).get_json()
    assert (run["state"], run["result"]["answer"]) == ("stopped", "")
    assert [path["text"] for path in run["result"]["paths"]] == ["root -leads to-> a", "root -leads to-> b"]


def test_runs_are_listed(client: FlaskClient, gate: Gate) -> None:
    gate.open()
    for _ in range(3):
        client.post("/api/ask", json={"question": "Where to?", "topic": ROOT, "wait": 20})
    first = client.get("/api/runs?per_page=2").get_json()
    second = client.get("/api/runs?per_page=2&page=2").get_json()
    assert ([len(page["runs"]) for page in (first, second)], first["more"], second["more"]) == ([2, 1], True, False)
    assert client.get("/api/runs?state=failed").get_json()["runs"] == []
    assert len(client.get("/api/runs?state=finished&policy=fake").get_json()["runs"]) == 3


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"question": ""}, 422),
        ({"question": "q" * 2001}, 422),
        ({"question": "q", "wait": 31}, 422),
        ({"question": "q", "wait": "nan"}, 422),
        ({"question": "q", "depth": 13}, 422),
        ({"question": "q", "calls": 501}, 422),
        ({"question": "q", "seconds": 0}, 422),
        ({"question": "q", "strategy": "random"}, 422),
        ({"question": "q", "colour": "red"}, 422),
        ({"question": "q", "policy": "oracle"}, 400),
        ({"question": " \n ", "topic": ROOT}, 400),
        ({"question": "q", "topic": "nobody"}, 400),
        ("text", 422),
    ],
)
def test_what_cannot_be_asked_is_a_problem(client: FlaskClient, body: object, status: int) -> None:
    response = client.post("/api/ask", json=body)
    assert response.status_code == status, response.get_json()
    assert response.mimetype == "application/problem+json"
    assert client.get("/api/runs").get_json()["runs"] == []


def test_too_many_walks_are_a_problem_with_a_time_to_come_back(client: FlaskClient, gate: Gate) -> None:
    for _ in range(2):
        assert client.post("/api/ask", json={"question": "Where to?", "topic": ROOT}).status_code == 202
    response = client.post("/api/ask", json={"question": "Where to?", "topic": ROOT})
    assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
    assert response.mimetype == "application/problem+json"


@pytest.mark.parametrize("odd", ["x", "20260101T000000Z-0000000g", "..", "%00", "20260101T000000Z-00000000"])
def test_what_is_no_run_is_not_found(client: FlaskClient, odd: str) -> None:
    for method, path in (("GET", ""), ("GET", "/events"), ("POST", "/stop")):
        response = client.open(f"/api/runs/{odd}{path}", method=method)
        assert response.status_code in {404, 422}
        assert response.mimetype == "application/problem+json"


def test_the_operations_are_described(client: FlaskClient) -> None:
    paths = client.get("/openapi.json").get_json()["paths"]
    assert {path for path in paths if path.startswith(("/api/ask", "/api/runs"))} == {
        *("/api/ask", "/api/runs", "/api/runs/{run_id}", "/api/runs/{run_id}/events", "/api/runs/{run_id}/stop"),
    }
    body = json.dumps(paths["/api/ask"])
    assert "AskBody" in body
