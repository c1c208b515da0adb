"""The same by bearer token, for programs."""

import io
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from kg.home import Home
from kg.sources import recorded
from tests.web.importing.conftest import BEARER, GRAPH, zipped
from tests.web.stage import site_of, stage
from web.app import create_app
from web.importing.api import importing_api
from web.importing.limits import ImportLimits
from web.site import Site


@pytest.fixture
def program(app: Flask) -> FlaskClient:
    """Has no cookie."""
    return app.test_client()


def sources(home: Home) -> list[str]:
    with home.snapshot() as snapshot:
        return [source.slug for source in recorded(snapshot)]


def test_a_dry_run_and_an_import(program: FlaskClient, home: Home) -> None:
    trial = program.post(
        "/api/import?dry_run=true&name=m&wait=60", data=GRAPH, content_type="text/turtle", headers=BEARER
    )
    assert (trial.status_code, trial.json["phase"], trial.json["report"]["triples"]) == (200, "checked", 2)  # type: ignore[index]
    assert sources(home) == ["first"]
    done = program.post("/api/import?name=m&wait=60", data=GRAPH, content_type="text/turtle", headers=BEARER)
    assert (done.status_code, done.json["phase"]) == (200, "done")  # type: ignore[index]
    assert sources(home) == ["first", "m"]
    again = program.get(done.headers["Location"], headers=BEARER)
    assert again.json["report"] == done.json["report"]  # type: ignore[index]


def test_files_of_a_form_and_a_body_with_a_name(program: FlaskClient, home: Home) -> None:
    data = {"files": [(io.BytesIO(zipped({"x/g.ttl": GRAPH})), "set.zip")]}
    assert program.post("/api/import?wait=60", data=data, headers=BEARER).status_code == 200
    body = program.post(
        "/api/import?file=../more.nt&wait=60",
        data=b"<urn:a> <urn:b> <urn:c> .\n",
        content_type="application/octet-stream",
        headers=BEARER,
    )
    assert body.status_code == 200
    assert sources(home) == ["first", "more", "set"]


def test_what_goes_wrong_is_a_problem(program: FlaskClient, home: Home) -> None:
    html = program.post("/api/import?wait=60", data=b"<html>", content_type="text/turtle", headers=BEARER)
    assert html.status_code == 422
    assert html.mimetype == "application/problem+json"
    assert "HTML page" in html.json["detail"]  # type: ignore[index]
    untyped = program.post("/api/import", data=b"x", headers=BEARER)
    assert untyped.status_code == 422
    assert "Content-Type" in untyped.json["detail"]  # type: ignore[index]
    for query in ("name=bundled-mhw", "base=x", "name=" + "x" * 200, "wait=100000", "dry_run=perhaps"):
        bad = program.post(f"/api/import?{query}", data=GRAPH, content_type="text/turtle", headers=BEARER)
        assert bad.status_code == 422, query
    assert sources(home) == ["first"]


def test_nothing_without_the_token(program: FlaskClient, home: Home) -> None:
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic b3Blbg=="}):
        post = program.post("/api/import", data=GRAPH, content_type="text/turtle", headers=headers)
        assert (post.status_code, post.mimetype) == (401, "application/problem+json")
        assert program.delete("/api/sources/first", headers=headers).status_code == 401
        assert program.get(f"/api/import/{'0' * 32}", headers=headers).status_code == 401
    assert program.get("/api/sources").status_code == 200
    assert sources(home) == ["first"]


def test_withdrawing(program: FlaskClient, home: Home) -> None:
    listed = program.get("/api/sources").json["sources"]  # type: ignore[index]
    assert [(one["slug"], one["triples"]) for one in listed] == [("first", 1)]
    assert program.delete("/api/sources/first", headers=BEARER).status_code == 204
    assert program.get("/api/sources").json == {"sources": []}
    assert program.delete("/api/sources/first", headers=BEARER).status_code == 404
    assert program.get("/download/source/first.ttl").status_code == 404


def test_a_graph_elsewhere_takes_nothing(tmp_path: Path) -> None:
    client = create_app(site_of(stage(tmp_path))).test_client()
    assert client.get("/api/sources").status_code == 404
    assert client.post("/api/import", data=GRAPH, content_type="text/turtle").status_code == 403


def test_bodies_are_bounded_before_they_are_read(site: Site, tmp_path: Path, home: Home) -> None:
    from flask_openapi3.openapi import OpenAPI

    app = OpenAPI(__name__)
    app.config["MAX_CONTENT_LENGTH"] = 100
    app.register_api(importing_api(site, ImportLimits(upload_bytes=1000)))
    client = app.test_client()
    small = client.post("/api/import?wait=60", data=GRAPH + b"#" * 500, content_type="text/turtle", headers=BEARER)
    assert small.status_code == 200
    for data in (b"#" * 1001, b"#" * 100_000):
        large = client.post("/api/import?name=x", data=data, content_type="text/turtle", headers=BEARER)
        assert large.status_code == 413
        form = client.post("/api/import?name=x", data={"files": (io.BytesIO(data), "x.ttl")}, headers=BEARER)
        assert form.status_code == 413
    claim = client.post(
        "/api/import?name=x",
        content_type="text/turtle",
        headers=BEARER,
        environ_overrides={"CONTENT_LENGTH": str(1 << 30)},
    )
    assert claim.status_code == 413
    assert len(list((home.path / "uploads").glob("*/state.json"))) == 1


def test_it_is_described(program: FlaskClient) -> None:
    paths = program.get("/openapi.json").json["paths"]  # type: ignore[index]
    assert paths["/api/import"]["post"]["security"] == [{"token": []}]
    assert "delete" in paths["/api/sources/{slug}"]


def test_hidden_entity_bombs_are_refused(program: FlaskClient, home: Home) -> None:
    levels = '<!ENTITY l0 "ha">' + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 8))
    root = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:p="urn:p:">'
    text = '<rdf:Description rdf:about="urn:x"><p:p>&l7;</p:p></rdf:Description></rdf:RDF>'
    for document in (f"<!DOCTYPE r [ %x; {levels}]>{root}{text}", f"{root}<!DOCTYPE r [{levels}]>{text}"):
        sent = program.post(
            "/api/import?wait=60", data=document.encode(), content_type="application/rdf+xml", headers=BEARER
        )
        assert sent.status_code == 422
    assert sources(home) == ["first"]
