"""Requests that are not as the API describes them: each gets a problem that names what is wrong, none is a failure."""

import json
import logging
from typing import Any

import pytest
from flask import Response, jsonify
from flask.testing import FlaskClient
from flask_openapi3.blueprint import APIBlueprint
from pydantic import BaseModel, Field, field_validator
from werkzeug.test import TestResponse

from sparql.errors import Busy, LimitExceeded, Malformed, Refused
from web.api import make_application
from web.failures import PROBLEM_TYPE, handle_failures


class Wanted(BaseModel):
    """What a thing of the tests may be asked for."""

    word: str = Field(max_length=10)
    number: int = Field(default=1, ge=1, le=100)
    kinds: list[str] = Field(default=[], max_length=3)

    @field_validator("word")
    @classmethod
    def check(cls, value: str) -> str:
        if value == "no":
            raise ValueError("this word is not wanted")
        return value


class Place(BaseModel):
    """Where it stands."""

    number: int = Field(ge=1, le=10**9)


RAISED = {
    "malformed": Malformed("expected one of <x>", line=3, column=7),
    "refused": Refused("SERVICE is not allowed"),
    "time": LimitExceeded("the query took more than 10 s", limit="time"),
    "long": LimitExceeded("the query has more than 1 MB", limit="size of the query"),
    "busy": Busy("all workers are taken", retry_after_s=3),
    "bug": KeyError("/home/somebody/secret"),
}


@pytest.fixture
def client() -> FlaskClient:
    """A server with one operation of each kind."""
    app = make_application(__name__)
    area = APIBlueprint("odd", __name__, url_prefix="/api")

    @area.get("/things")
    def read(query: Wanted) -> Response:
        return jsonify(query.model_dump())

    @area.post("/things")
    def write(body: Wanted) -> Response:
        return jsonify(body.model_dump())

    @area.get("/things/<number>")
    def one(path: Place) -> Response:
        return jsonify(path.model_dump())

    @area.get("/raise")
    def fail(query: Wanted) -> Response:
        raise RAISED[query.word]

    app.register_api(area)
    handle_failures(app)
    return app.test_client()


def problem(response: TestResponse) -> dict[str, Any]:
    """The members of an answer that must be a problem document."""
    assert response.mimetype == PROBLEM_TYPE, response.get_data(as_text=True)
    members: dict[str, Any] = json.loads(response.get_data())
    assert members["status"] == response.status_code
    assert members["title"] and members["detail"] and members["type"]
    return members


@pytest.mark.parametrize(
    ("query", "name", "reason"),
    [
        ("", "word", "Field required"),
        ("word=" + "x" * 11, "word", "at most 10 characters"),
        ("word=x&number=0", "number", "greater than or equal to 1"),
        ("word=x&number=" + "9" * 5000, "number", "integer"),
        ("word=x&number=1e3", "number", "integer"),
        ("word=x&number=", "number", "integer"),
        ("word=x&number=%00", "number", "integer"),
        ("word=x&number=%ff%fe", "number", "integer"),
        ("word=x&number=\u0661", "number", "integer"),
        ("word=x&kinds=1&kinds=2&kinds=3&kinds=4", "kinds", "at most 3 items"),
        ("word=no", "word", "this word is not wanted"),
        ("word[]=x&word[a]=y", "word", "Field required"),
    ],
)
def test_a_parameter_is_named_with_what_is_wrong_with_it(
    client: FlaskClient, query: str, name: str, reason: str
) -> None:
    members = problem(client.get(f"/api/things?{query}"))
    assert members["status"] == 422
    [fault] = members["errors"]
    assert (fault["in"], fault["name"]) == ("query", name)
    assert reason in fault["reason"]
    assert name in members["detail"] and reason in members["detail"]


@pytest.mark.parametrize(
    "query", ["word=a%00b", "word=%ff%fe", "word=%ed%a0%80", "word=a&word=b", "word=x&else=1", "word=x&&;=&="]
)
def test_odd_bytes_in_a_text_are_no_failure(client: FlaskClient, query: str) -> None:
    assert client.get(f"/api/things?{query}").status_code == 200


def test_a_path_is_named_too(client: FlaskClient) -> None:
    for odd in ("x", "0", "-1", "9" * 400, "%00", "1%2f2"):
        response = client.get(f"/api/things/{odd}")
        if response.status_code != 404:
            assert problem(response)["errors"][0]["in"] == "path", odd


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        ("{", "application/json", 400),
        ("", "application/json", 400),
        ("{'word': 'x'}", "application/json", 400),
        ('{"word": "x", "number": NaN}', "application/json", 400),
        ('{"word": "\\ud800"}', "application/json", 400),
        ("\xff\xfe".encode("latin-1"), "application/json", 400),
        ("[" * 100_000, "application/json", 400),
        ('{"word": "x", "number": ' + "9" * 5000 + "}", "application/json", 400),
        ("null", "application/json", 422),
        ("[]", "application/json", 422),
        ("3", "application/json", 422),
        ('{"word": null}', "application/json", 422),
        ('{"word": ["x"]}', "application/json", 422),
        ('{"word": "x", "number": 1e400}', "application/json", 422),
        ('{"word": "x"}', "text/plain", 415),
        ('{"word": "x"}', "", 415),
        ("word=x", "application/x-www-form-urlencoded", 415),
        ('{"word": "x"}', "application/json; charset=nonsense", 200),
        ('{"word": "x\\u0000"}', "application/json", 200),
        ('{"word": "\\ud83d\\ude00"}', "application/json", 200),
        ('{"word": "x"}', "application/vnd.odd+json", 200),
    ],
)
def test_bodies(client: FlaskClient, body: str | bytes, kind: str, status: int) -> None:
    response = client.post("/api/things", data=body, content_type=kind)
    assert response.status_code == status, response.get_data(as_text=True)
    if status != 200:
        members = problem(response)
        assert len(members["detail"]) < 500


def test_a_problem_does_not_repeat_what_was_sent(client: FlaskClient) -> None:
    response = client.post("/api/things", json={"word": "<script>" * 1000, "number": ["<script>"] * 1000})
    assert problem(response)["status"] == 422
    assert b"script" not in response.get_data()


def test_errors_of_ours_have_their_status_and_members(client: FlaskClient) -> None:
    members = problem(client.get("/api/raise?word=malformed"))
    assert (members["status"], members["line"], members["column"]) == (400, 3, 7)
    assert members["type"].endswith("#malformed")
    assert members["detail"] == "Expected one of <x>."
    assert problem(client.get("/api/raise?word=refused"))["status"] == 403
    members = problem(client.get("/api/raise?word=time"))
    assert (members["status"], members["limit"]) == (503, "time")
    assert members["type"].endswith("#limit-exceeded")
    assert problem(client.get("/api/raise?word=long"))["status"] == 413
    busy = client.get("/api/raise?word=busy")
    assert (busy.status_code, busy.headers["Retry-After"]) == (503, "3")


def test_what_was_not_foreseen_is_logged_under_an_id(client: FlaskClient, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        response = client.get("/api/raise?word=bug")
    members = problem(response)
    assert members["status"] == 500
    assert "secret" not in response.get_data(as_text=True) and "Traceback" not in response.get_data(as_text=True)
    [record] = caplog.records
    assert members["id"] in record.getMessage()
    assert record.exc_info is not None
    other = problem(client.get("/api/raise?word=bug"))
    assert other["id"] != members["id"]


def test_what_is_not_there_or_not_for_that_method(client: FlaskClient) -> None:
    assert problem(client.get("/api/nothing"))["status"] == 404
    response = client.delete("/api/things")
    assert problem(response)["status"] == 405
    assert set(response.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS", "POST"}
