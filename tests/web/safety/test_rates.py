"""How often one address may ask, who counts as one, and what it is told."""

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.stage import stage
from web.app import create_app
from web.errors import BadRate
from web.rates import Rates, limited, parse_rate, spend
from web.site import Site, WebSettings

Make = Callable[[WebSettings], FlaskClient]
STRANGER = {"REMOTE_ADDR": "192.0.2.7"}


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def serve(settings: WebSettings) -> FlaskClient:
        app = create_app(Site(lambda: stage(tmp_path), settings=settings))
        _add_views(app)
        return app.test_client()

    return serve


def _add_views(app: Flask) -> None:
    @app.get("/limited")
    @limited("ask")
    def view() -> str:
        return "answered"

    @app.get("/api/limited")
    def other() -> str:
        spend("query")
        return "answered"


def test_who_asks_too_often_is_told_when_to_come_again(make: Make) -> None:
    client = make(WebSettings(ask_rate="3/minute"))
    for left in (2, 1, 0):
        response = client.get("/limited")
        assert response.get_data(as_text=True) == "answered"
        assert response.headers["RateLimit-Policy"] == '"ask";q=3;w=60'
        assert response.headers["RateLimit"].startswith(f'"ask";r={left};t=')
    refused = client.get("/limited")
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 120
    assert refused.headers["RateLimit"].startswith('"ask";r=0;')
    assert "3 questions in 60 seconds are the most" in refused.get_data(as_text=True)
    assert client.get("/api/limited").status_code == 200  # the other kind has its own allowance
    assert client.get("/runs").status_code == 200


def test_a_program_gets_a_problem(make: Make) -> None:
    client = make(WebSettings(query_rate="1/hour"))
    client.get("/api/limited")
    refused = client.get("/api/limited")
    assert (refused.status_code, refused.mimetype) == (429, "application/problem+json")
    assert "Retry-After" in refused.headers


def test_one_address_does_not_use_up_what_is_another_s(make: Make) -> None:
    client = make(WebSettings(ask_rate="1/minute"))
    for address in ("192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:0:1::1", "::ffff:192.0.2.3", "127.0.0.1"):
        assert client.get("/limited", environ_overrides={"REMOTE_ADDR": address}).status_code == 200, address
    for address in ("192.0.2.1", "2001:db8::2", "192.0.2.3", "::1"):
        assert client.get("/limited", environ_overrides={"REMOTE_ADDR": address}).status_code == 429, address


def test_this_machine_is_not_limited_unless_a_rate_was_set(make: Make) -> None:
    client = make(WebSettings())
    for _ in range(100):
        response = client.get("/limited")
        assert response.status_code == 200 and "RateLimit" not in response.headers
    statuses = [client.get("/limited", environ_overrides=STRANGER).status_code for _ in range(31)]
    assert statuses == [200] * 30 + [429]


def test_what_comes_through_a_proxy_on_this_machine_is_not_of_this_machine(make: Make) -> None:
    client = make(WebSettings())
    headers = {"X-Forwarded-For": "192.0.2.7"}
    statuses = [client.get("/limited", headers=headers).status_code for _ in range(31)]
    assert statuses == [200] * 30 + [429]


def test_a_proxy_is_believed_only_if_it_was_named(make: Make) -> None:
    plain = make(WebSettings(ask_rate="1/minute"))
    assert plain.get("/limited", headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 200
    assert plain.get("/limited", headers={"X-Forwarded-For": "192.0.2.2"}).status_code == 429
    behind = make(WebSettings(ask_rate="1/minute", trusted_proxies=1))
    # the last address is the proxy's own word; those before it are anybody's
    assert behind.get("/limited", headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 200
    assert behind.get("/limited", headers={"X-Forwarded-For": "192.0.2.2"}).status_code == 200
    assert behind.get("/limited", headers={"X-Forwarded-For": "192.0.2.9, 192.0.2.1"}).status_code == 429


def test_the_token_is_not_to_be_guessed(make: Make) -> None:
    client = make(WebSettings(token="sesame"))
    wrong = {"Authorization": "Bearer open"}
    statuses = [client.get("/runs", headers=wrong, environ_overrides=STRANGER).status_code for _ in range(21)]
    assert statuses == [200] * 20 + [429]
    right = {"Authorization": "Bearer sesame"}
    refused = client.get("/runs", headers=right, environ_overrides=STRANGER)
    assert refused.status_code == 429 and int(refused.headers["Retry-After"]) >= 1
    assert client.get("/runs", environ_overrides=STRANGER).status_code == 200
    for typed in ("guess", "sesame"):
        form = client.post("/import/sign-in", data={"token": typed}, environ_overrides=STRANGER)
        assert form.status_code == 429
        assert "Set-Cookie" not in form.headers
    other = {"REMOTE_ADDR": "192.0.2.8"}
    assert client.get("/runs", headers=right, environ_overrides=other).status_code == 200
    assert client.post("/import/sign-in", data={"token": "sesame"}, environ_overrides=other).status_code == 303


def test_the_right_token_uses_nothing_up(make: Make) -> None:
    client = make(WebSettings(token="sesame"))
    right = {"Authorization": "Bearer sesame"}
    assert {client.get("/runs", headers=right, environ_overrides=STRANGER).status_code for _ in range(30)} == {200}
    for _ in range(30):
        assert client.post("/import/sign-in", data={"token": "sesame"}, environ_overrides=STRANGER).status_code == 303


def test_none_is_no_limit(make: Make) -> None:
    client = make(WebSettings(ask_rate="none"))
    assert {client.get("/limited", environ_overrides=STRANGER).status_code for _ in range(50)} == {200}


@pytest.mark.parametrize("text", ["", "many", "60", "60/fortnight", "0/minute", "-1/minute", "1e3/minute"])
def test_a_rate_that_is_none(text: str) -> None:
    with pytest.raises(BadRate) as caught:
        parse_rate(text)
    assert "60/minute" in str(caught.value)


def test_a_bad_rate_is_said_when_the_server_starts() -> None:
    with pytest.raises(BadRate, match="often"):
        Rates(ask="often")
