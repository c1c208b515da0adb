"""Headers that every answer has, how long it may be kept, and who may send what."""

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.stage import stage
from web.app import create_app
from web.protection import HEADERS
from web.site import Site, WebSettings

ELSEWHERE = "https://tool.example"
SETTINGS = WebSettings(hosts=("localhost",), token="sesame", origins=(ELSEWHERE,))


@pytest.fixture
def guarded(tmp_path: Path) -> FlaskClient:
    """A server with a token and one allowed site, and views that only say that they were reached."""
    app = create_app(Site(lambda: stage(tmp_path), settings=SETTINGS))
    for path in ("/api/odd", "/sparql-odd", "/store-odd", "/odd"):
        app.add_url_rule(path, f"odd{path}", lambda: "reached", methods=["GET", "POST", "PUT", "DELETE"])
    return app.test_client()


@pytest.mark.parametrize("path", ["/", "/healthz", "/nothing", "/api/nothing", "/static/icon.svg", "/openapi.json"])
def test_every_answer_has_them(client: FlaskClient, path: str) -> None:
    headers = client.get(path, buffered=True).headers
    for name, value in HEADERS.items():
        assert headers[name] == value, name
    assert "Strict-Transport-Security" not in headers
    policy = headers["Content-Security-Policy"]
    assert "unsafe" not in policy and "*" not in policy and "http" not in policy
    assert "Strict-Transport-Security" in client.get(path, base_url="https://localhost", buffered=True).headers


def test_the_files_of_the_site_are_kept_by_their_version(app: Flask) -> None:
    client = app.test_client()
    with app.test_request_context():
        from flask import url_for

        address = url_for("static", filename="scoutfly.css")
        missing = url_for("static", filename="nothing.css")
    assert "?v=" in address and "?v=" not in missing
    assert client.get(address, buffered=True).headers["Cache-Control"] == "public, max-age=31536000, immutable"
    for other in ("/static/scoutfly.css", "/static/scoutfly.css?v=older"):
        response = client.get(other, buffered=True)
        assert response.headers["Cache-Control"] == "no-cache"
        again = client.get(other, buffered=True, headers={"If-None-Match": response.headers["ETag"]})
        assert again.status_code == 304
    assert address in client.get("/").get_data(as_text=True).replace("&amp;", "&")


@pytest.mark.parametrize(
    "odd",
    ["../app.py", "..%2fapp.py", "%2e%2e/app.py", "/etc/passwd", "//etc/passwd", "a%00b", "vendor/../../app.py", "."],
)
def test_static_files_are_those_of_the_folder(client: FlaskClient, odd: str) -> None:
    response = client.get(f"/static/{odd}?v=1")
    assert response.status_code == 404
    assert "immutable" not in response.headers["Cache-Control"]


def test_what_needed_the_token_is_not_kept(guarded: FlaskClient) -> None:
    assert guarded.get("/odd").headers["Cache-Control"] == "no-cache"
    assert guarded.get("/odd", headers={"Authorization": "Bearer sesame"}).headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/api/odd", "/sparql-odd", "/store-odd", "/odd"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({}, True),  # a program
        ({"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}, True),
        ({"Origin": "http://localhost"}, True),
        ({"Origin": "http://localhost.evil.example"}, False),
        ({"Origin": "http://["}, False),
        ({"Origin": "null"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}, False),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example", "Authorization": "Bearer wrong"}, False),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example", "Authorization": "Bearer sesame"}, True),
    ],
)
def test_who_may_send_what(
    guarded: FlaskClient, path: str, method: str, *, headers: dict[str, str], allowed: bool
) -> None:
    response = guarded.open(path, method=method, headers=headers)
    assert response.status_code == (200 if allowed else 403)
    assert guarded.get(path, headers=headers).status_code == 200


def test_an_allowed_site_may_use_the_endpoint_and_the_api_and_no_form(guarded: FlaskClient) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Origin": ELSEWHERE}
    for path in ("/api/odd", "/sparql-odd", "/store-odd"):
        assert guarded.post(path, headers=headers).status_code == 200
    assert guarded.post("/odd", headers=headers).status_code == 403
    assert guarded.post("/ask", headers=headers, data={"question": "Why?"}).status_code == 403


@pytest.mark.parametrize("path", ["/", "/healthz", "/nothing", "/api/odd", "/static/icon.svg", "/openapi.json"])
def test_another_name_is_refused_everywhere(guarded: FlaskClient, path: str) -> None:
    assert guarded.get(path, headers={"Host": "evil.example"}).status_code == 421
    for odd in ("[", "a b", "a/b", "<script>", "a@b"):
        response = guarded.get(path, headers={"Host": odd})
        assert response.status_code == 400
        assert "<script>" not in response.get_data(as_text=True)
