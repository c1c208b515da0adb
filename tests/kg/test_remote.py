"""What a remote store says when its endpoint is missing, slow, broken or something else."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import pytest

from kg.errors import EndpointError
from kg.remote import RemoteStore

EMPTY = json.dumps({"head": {"vars": ["s"]}, "results": {"bindings": []}}).encode()


@contextmanager
def endpoint(
    *, status: int = 200, body: bytes = EMPTY, media_type: str = "application/sparql-results+json", delay_s: float = 0
) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """A server that answers everything alike, and the requests that it got."""
    seen: list[dict[str, str]] = []
    closing = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            sent = self.rfile.read(length).decode()
            seen.append({"method": self.command, "path": self.path, "body": sent, **dict(self.headers.items())})
            closing.wait(delay_s)
            self.send_response(status)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = answer  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:
            pass

        def handle(self) -> None:
            with suppress(ConnectionError):  # the client has given up, which is what some tests are about
                super().handle()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/sparql", seen
    finally:
        closing.set()
        server.shutdown()
        thread.join()
        server.server_close()


def failure(ask: Callable[[RemoteStore], object], **answer: object) -> str:
    with endpoint(**answer) as (url, _):  # type: ignore[arg-type]
        with pytest.raises(EndpointError) as error:
            ask(RemoteStore(url, timeout_s=1))
        message = str(error.value)
        assert message.startswith(url)
        assert "\n" not in message
        return message


def select(store: RemoteStore) -> object:
    return store.select("SELECT ?s WHERE { ?s ?p ?o }")


def construct(store: RemoteStore) -> object:
    return store.construct("CONSTRUCT WHERE { ?s ?p ?o }")


def test_a_query_is_posted_in_the_body_with_no_extra_parameters() -> None:
    with endpoint() as (url, seen):
        select(RemoteStore(url))
    assert seen[0]["method"] == "POST"
    assert seen[0]["path"] == "/sparql"
    assert list(parse_qs(seen[0]["body"])) == ["query"]
    assert "application/sparql-results+json" in seen[0]["Accept"]


def test_a_construct_asks_for_turtle_and_reads_relative_iris_against_the_endpoint() -> None:
    with endpoint(body=b"<#a> <#p> 1 .", media_type="text/turtle; charset=utf-8") as (url, seen):
        triples = RemoteStore(url).construct("CONSTRUCT WHERE { ?s ?p ?o }")
    assert "text/turtle" in seen[0]["Accept"]
    assert str(triples[0].subject) == f"<{url}#a>"


def test_nobody_listens() -> None:
    with endpoint() as (url, _):
        pass
    with pytest.raises(EndpointError, match=rf"{url} is unreachable: .*refused"):
        select(RemoteStore(url))


def test_no_such_host() -> None:
    with pytest.raises(EndpointError, match=r"http://no\.invalid/sparql is unreachable"):
        select(RemoteStore("http://no.invalid/sparql", timeout_s=5))


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 414, 500, 503])
def test_an_error_status_comes_with_the_servers_words(status: int) -> None:
    message = failure(select, status=status, body=b"line 3:\n  'WHER' is no keyword", media_type="text/plain")
    assert f"answered {status}: line 3: 'WHER' is no keyword" in message


def test_a_status_without_words() -> None:
    assert failure(select, status=500, body=b"").endswith("answered 500: no message")


def test_long_words_are_cut() -> None:
    assert len(failure(select, status=400, body=b"x" * 10_000)) < 400


def test_an_answer_that_takes_too_long() -> None:
    assert "did not answer within 1 s" in failure(select, delay_s=20)


def test_a_web_page_in_the_place_of_results() -> None:
    message = failure(select, body=b"<html>Log in</html>", media_type="text/html")
    assert "answered with text/html, not with SPARQL results in JSON: <html>Log in</html>" in message
    assert "answered with text/html, not with RDF" in failure(construct, body=b"<html>", media_type="text/html")


def test_results_that_break_off_are_an_error_and_not_a_short_answer() -> None:
    one = b'{"head":{"vars":["s"]},"results":{"bindings":[{"s":{"type":"uri","value":"http://example.org/"}},'
    assert "cannot be read" in failure(select, body=one)
    assert "cannot be read" in failure(construct, body=b"<a> <b> <c", media_type="text/turtle")


def test_entities_that_grow_are_refused() -> None:
    entities = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(9))
    bomb = f'<!DOCTYPE r [<!ENTITY e0 "ha">{entities}]><r>&e9;</r>'.encode()
    assert "declares" in failure(construct, body=bomb, media_type="application/rdf+xml")


@pytest.mark.parametrize("url", ["file:///etc/passwd", "localhost:7878", ""])
def test_only_http_is_an_endpoint(url: str) -> None:
    with pytest.raises(EndpointError, match="must start with http"):
        RemoteStore(url)
