"""Who is told how: people by a page, programs by a problem document, whoever likes it by plain text."""

import logging

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kg.errors import StoreLocked
from sparql.errors import Malformed
from web.problems import STATUS, problem_of, status_of

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
RESULTS = "application/sparql-results+json, application/sparql-results+xml;q=0.9"


@pytest.mark.parametrize(
    ("path", "accept", "kind"),
    [
        ("/nothing", None, "text/html"),
        ("/nothing", "*/*", "text/html"),
        ("/nothing", BROWSER, "text/html"),
        ("/nothing", "application/json", "application/problem+json"),
        ("/nothing", "application/problem+json", "application/problem+json"),
        ("/nothing", "application/json, text/plain, */*", "application/problem+json"),
        ("/nothing", "text/plain", "text/plain"),
        ("/nothing", "text/html;q=0.5, application/json", "application/problem+json"),
        ("/nothing", "image/png", "text/plain"),
        ("/nothing", "text/turtle", "text/plain"),
        ("/nothing", "application/trig, application/rdf+xml;q=0.5", "text/plain"),
        ("/nothing", "application/ld+json", "application/problem+json"),
        ("/nothing", "text/turtle, */*;q=0.1", "text/html"),
        ("/nothing", "text/html;q=nan, ,,;;q=", "text/plain"),
        ("/nothing", "*/*;q=0", "text/plain"),
        ("/nothing.ttl", None, "text/plain"),
        ("/nothing.ttl", "*/*", "text/plain"),
        ("/nothing.trig.gz", "*/*", "text/plain"),
        ("/nothing.jsonld", "*/*", "application/problem+json"),
        ("/nothing.ttl", BROWSER, "text/html"),
        ("/nothing.html", "*/*", "text/html"),
        ("/nothing.json", "image/png", "application/problem+json"),
        ("/nothing.json", None, "application/problem+json"),
        ("/api/nothing", None, "application/problem+json"),
        ("/api/nothing", BROWSER, "application/problem+json"),
        ("/api/nothing", "text/plain", "text/plain"),
        ("/sparql/nothing", None, "text/plain"),
        ("/sparql/nothing", RESULTS, "application/problem+json"),
        ("/sparql/nothing", "text/plain, */*;q=0.1", "text/plain"),
        ("/sparql/nothing", BROWSER, "text/html"),
        ("/store-nothing", "text/turtle", "text/plain"),
    ],
)
def test_the_form_suits_the_asker(client: FlaskClient, path: str, accept: str | None, kind: str) -> None:
    response = client.get(path, headers={} if accept is None else {"Accept": accept})
    assert response.status_code == 404
    assert response.mimetype == kind
    assert "Accept" in response.headers["Vary"]
    assert response.headers["Cache-Control"] == "no-store"
    assert "There is nothing at this address." in response.get_data(as_text=True)


def test_a_place_in_a_query_is_told_in_every_form(app: Flask) -> None:
    @app.get("/sparql/odd")
    def odd() -> str:
        raise Malformed("expected a <b>name</b>", line=2, column=5)

    client = app.test_client()
    for accept, said in (
        ("application/json", '"line": 2, "column": 5'),
        ("text/plain", "line 2 column 5"),
        ("text/html", "line 2 column 5"),
    ):
        response = client.get("/sparql/odd", headers={"Accept": accept})
        assert response.status_code == 400
        assert said in response.get_data(as_text=True)
    assert "<b>" not in client.get("/sparql/odd", headers={"Accept": "text/html"}).get_data(as_text=True)


@pytest.mark.parametrize("reason", ["line 2, column 5: no prefix a:", "parser error at line 2"])
def test_a_place_that_the_reason_names_is_told_once(app: Flask, reason: str) -> None:
    @app.get("/sparql/odd")
    def odd() -> str:
        raise Malformed(reason, line=2, column=5)

    for accept in ("text/plain", "text/html"):
        told = app.test_client().get("/sparql/odd", headers={"Accept": accept}).get_data(as_text=True)
        assert told.lower().count("line 2") == 1, told


def test_a_page_tells_the_id_under_which_the_log_says_more(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    @app.get("/odd\nname")
    def odd() -> str:
        raise ZeroDivisionError("<script>secret</script>")

    with caplog.at_level(logging.ERROR):
        response = app.test_client().get("/odd%0aname")
    page = response.get_data(as_text=True)
    assert response.status_code == 500
    assert "secret" not in page and "ZeroDivision" not in page
    [record] = caplog.records
    number = record.getMessage().split()[1].rstrip(":")
    assert len(number) == 8 and number in page
    assert "\n" not in record.getMessage()  # nobody writes lines of their own into the log


def test_a_text_that_cannot_be_encoded_is_told_all_the_same(app: Flask) -> None:
    @app.get("/odd")
    def odd() -> str:
        raise Malformed("half \ud800 of a pair")

    for accept in ("text/html", "text/plain", "application/json"):
        assert app.test_client().get("/odd", headers={"Accept": accept}).status_code == 400


def test_each_error_has_the_status_of_its_class_or_of_the_one_above() -> None:
    class Odd(StoreLocked):
        pass

    assert status_of(Odd("locked")) == 503
    assert dict(problem_of(Odd("locked")).headers) == {"Retry-After": "5"}
    assert status_of(RuntimeError()) == 500
    assert all(400 <= status < 600 for status in STATUS.values())
    assert problem_of(OSError("/home/somebody")).detail == "Something went wrong in Scoutfly."
