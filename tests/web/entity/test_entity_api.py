"""The operations /api/entity and /api/neighbourhood: what they give, and how much of it."""

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.entity.conftest import BASE
from tests.web.entity.test_entity_page import GRAPH, VOCABULARY

EX = "http://example.org/ns#"


@pytest.fixture
def client(make_app: Callable[..., Flask]) -> FlaskClient:
    eaters = " ".join(f"<beast{n:03}> a ex:Beast ; ex:eats <grass> ; rdfs:label 'B{n}' ." for n in range(300))
    return make_app({"wood": GRAPH, "meadow": f"{VOCABULARY}{eaters} <grass> ex:eats <fox>, <hare> ."}).test_client()


def ask(client: FlaskClient, name: str, **parameters: object) -> Any:
    response = client.get("/api/neighbourhood", query_string={"iri": BASE + name, **parameters})
    assert response.status_code == 200
    return response.get_json()


def test_a_neighbourhood_holds_both_directions(client: FlaskClient) -> None:
    found = ask(client, "fox")
    assert found["center"] == BASE + "fox"
    assert {node["label"] for node in found["nodes"]} == {"Fox", "Hare", "grass", "den"}
    assert {(e["source"], e["target"]) for e in found["edges"]} >= {
        (BASE + "grass", BASE + "fox"),
        (BASE + "fox", BASE + "hare"),
    }
    ids = [edge["id"] for edge in found["edges"]]
    assert len(ids) == len(set(ids)) == found["total"] == 5  # the fox's edge to itself is one
    conditioned = next(
        e for e in found["edges"] if e["relation"] == EX + "eats-hungry" and e["target"] == BASE + "hare"
    )
    assert conditioned["conditions"] == ["after a long winter"]
    assert conditioned["information"] == ["It waits for hours."]
    assert (conditioned["base"], conditioned["base_label"]) == (EX + "eats", "eats")
    assert not found["truncated"]


@pytest.mark.parametrize(("direction", "count"), [("out", 4), ("in", 2)])
def test_one_direction(client: FlaskClient, direction: str, count: int) -> None:
    found = ask(client, "fox", direction=direction)
    assert len(found["edges"]) == found["total"] == count


@pytest.mark.parametrize(("relation", "count"), [("eats", 4), ("eats-hungry", 2), ("nothing", 0)])
def test_one_relation(client: FlaskClient, relation: str, count: int) -> None:
    assert len(ask(client, "fox", relation=EX + relation)["edges"]) == count


@pytest.mark.parametrize("limit", [1, 3, 60, 200])
def test_no_more_than_the_limit_and_some_of_both_kinds(client: FlaskClient, limit: int) -> None:
    found = ask(client, "grass", limit=limit)
    assert len(found["edges"]) == limit
    assert (found["total"], found["truncated"]) == (302, True)
    if limit > 2:
        assert {edge["source"] == BASE + "grass" for edge in found["edges"]} == {True, False}
    named = {node["iri"] for node in found["nodes"]}
    assert all({edge["source"], edge["target"]} <= named for edge in found["edges"])


@pytest.mark.parametrize("direction", ["both", "in", "out"])
def test_what_is_there_may_lead_nowhere(client: FlaskClient, direction: str) -> None:
    found = ask(client, "fox", relation=EX + "nothing", direction=direction)
    assert (found["edges"], found["total"], found["truncated"]) == ([], 0, False)
    assert [node["iri"] for node in found["nodes"]] == [BASE + "fox"]


def test_no_node_is_made_up(client: FlaskClient) -> None:
    for path in ("entity", "neighbourhood"):
        response = client.get(f"/api/{path}", query_string={"iri": "http://nope.example/x"})
        assert (response.status_code, response.mimetype) == (404, "application/problem+json"), path


def test_what_is_known_of_an_entity(client: FlaskClient) -> None:
    response = client.get("/api/entity", query_string={"iri": BASE + "fox"}, headers={"Accept-Language": "de"})
    known = response.get_json()
    assert (known["label"], known["href"]) == ("Fuchs", "/id/meadow/fox")
    assert {(label["text"], label["language"]) for label in known["labels"]} >= {("Fox", "en"), ("vulpes", "")}
    assert known["contexts"] == [{"text": "It lives in a den.", "language": ""}]
    counted = {(edge["label"], edge["direction"], edge["total"]) for edge in known["edges"]}
    assert counted == {("eats", "out", 3), ("eats", "in", 2), ("home", "out", 1)}
    assert known["data"]["text/turtle"] == "/id/meadow/fox.ttl"
    assert known["sources"] == ["wood"]


@pytest.mark.parametrize(
    ("path", "parameters", "status"),
    [
        ("entity", {"iri": "urn:nothing"}, 404),
        ("entity", {"iri": "no iri"}, 400),
        ("entity", {}, 422),
        ("neighbourhood", {"iri": ""}, 422),
        ("neighbourhood", {"iri": "urn:a", "limit": "0"}, 422),
        ("neighbourhood", {"iri": "urn:a", "limit": "201"}, 422),
        ("neighbourhood", {"iri": "urn:a", "limit": "x"}, 422),
        ("neighbourhood", {"iri": "urn:a", "direction": "up"}, 422),
        ("neighbourhood", {"iri": "urn:a", "relation": "<>"}, 400),
        ("neighbourhood", {"iri": "urn:" + "a" * 9000}, 422),
    ],
)  # fmt: skip
def test_what_cannot_be_asked(client: FlaskClient, path: str, parameters: dict[str, str], status: int) -> None:
    response = client.get(f"/api/{path}", query_string=parameters)
    assert (response.status_code, response.mimetype) == (status, "application/problem+json")


def test_both_are_described(client: FlaskClient) -> None:
    paths = client.get("/openapi.json").get_json()["paths"]
    for path in ("/api/entity", "/api/neighbourhood"):
        assert "200" in paths[path]["get"]["responses"]
