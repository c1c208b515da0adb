"""Who is taken for somebody who may change the graph."""

import pytest
from flask import Request
from werkzeug.exceptions import Forbidden, Unauthorized
from werkzeug.test import EnvironBuilder

from web.site import WebSettings
from web.tokens import authorised, is_token, require_token

SET = WebSettings(token="Sésame-1")


def asking(*values: str) -> Request:
    headers = [("Authorization", value.encode().decode("latin-1")) for value in values]
    return Request(EnvironBuilder(headers=headers).get_environ())


@pytest.mark.parametrize("value", ["Bearer Sésame-1", "bearer Sésame-1", "BEARER  Sésame-1 "])
def test_the_token_lets_in(value: str) -> None:
    assert authorised(asking(value), SET)
    require_token(asking(value), SET)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer sésame-1",
        "Bearer Sésame-1x",
        "Bearer Sésame",
        "Basic Sésame-1",
        "Sésame-1",
        "Bearer \x00",
    ],
)
def test_nothing_else_does(value: str) -> None:
    assert not authorised(asking(value), SET)
    with pytest.raises(Unauthorized) as caught:
        require_token(asking(value), SET)
    assert dict(caught.value.get_headers())["WWW-Authenticate"].startswith("Bearer realm=scoutfly")


def test_without_a_configured_token_nothing_lets_in() -> None:
    for value in ("Bearer ", "Bearer", "Bearer x"):
        assert not authorised(asking(value), WebSettings())
        with pytest.raises(Forbidden, match="SCOUTFLY_TOKEN"):
            require_token(asking(value), WebSettings())
    assert not authorised(asking(), SET)
    assert not is_token("", WebSettings())


def test_a_token_that_was_typed() -> None:
    assert is_token(" Sésame-1\n", SET)
    assert not is_token("Sésame", SET)
    assert not is_token("\ud800", SET)
