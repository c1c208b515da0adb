"""Bodies that are larger than their limit and do not say so: refused, never cut off and carried out."""

import io
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import EnvironBuilder, run_wsgi_app
from werkzeug.wrappers import Response

from sparql.guard.limits import Limits
from tests.web.whole import BEARER, SETTINGS, guarded_client
from web.site import WebSettings

LIMIT = 10_000


def chunked(client: FlaskClient, path: str, body: bytes, content_type: str, *, method: str = "POST") -> Response:
    """The answer to a body without a length, as a server hands it over that undoes the chunks."""
    environ = EnvironBuilder(
        path=path, method=method, headers=list(BEARER.items()), content_type=content_type
    ).get_environ()
    environ.pop("CONTENT_LENGTH", None)
    environ |= {"wsgi.input": io.BytesIO(body), "wsgi.input_terminated": True}
    return Response(*run_wsgi_app(client.application, environ, buffered=True))


@pytest.mark.parametrize("more", [-1, 0, 1, LIMIT, 1_000_000])
def test_a_query_is_read_whole_or_refused(tmp_path: Path, more: int) -> None:
    settings = WebSettings(limits=Limits(query_bytes=LIMIT, workers=1))
    with guarded_client(tmp_path, settings) as client:
        body = b"ASK {} #".ljust(LIMIT + more, b"x")
        response = chunked(client, "/sparql", body, "application/sparql-query")
        assert response.status_code == (200 if more <= 0 else 413)
        assert more <= 0 or "10,000 bytes" in response.get_data(as_text=True)


def test_of_a_document_that_is_too_large_nothing_is_stored(tmp_path: Path) -> None:
    settings = WebSettings(token=SETTINGS.token, limits=Limits(upload_bytes=LIMIT, workers=1))
    with guarded_client(tmp_path, settings) as client:
        lines = [b"<urn:s> <urn:p> <urn:o%d> .\n" % number for number in range(1000)]
        response = chunked(client, "/store?graph=urn:g", b"".join(lines), "application/n-triples", method="PUT")
        assert response.status_code == 413
        assert client.get("/store?graph=urn:g").status_code == 404
        fits = chunked(client, "/store?graph=urn:g", b"".join(lines[:100]), "application/n-triples", method="PUT")
        assert fits.status_code == 201


@pytest.mark.parametrize("content_type", ["application/json", "application/x-www-form-urlencoded"])
def test_json_and_forms_are_too(tmp_path: Path, content_type: str) -> None:
    with guarded_client(tmp_path) as client:
        padding = b" " * 300_000 if content_type.endswith("json") else b"&x=" + b"y" * 300_000
        body = (b'{"question": "Why?"}' if content_type.endswith("json") else b"question=Why?") + padding
        path = "/api/ask" if content_type.endswith("json") else "/ask"
        assert chunked(client, path, body, content_type).status_code == 413
