"""Clients that send their bodies slowly, or not at all, keep nobody else waiting."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from flask import Flask, request
from werkzeug.test import Client, EnvironBuilder, run_wsgi_app

from web.patience import PatientBodies


class Slow:
    """A body that gives each of its pieces when it is let, and counts how it is read."""

    def __init__(self, *pieces: bytes) -> None:
        self._pieces, self._let = list(pieces), threading.Event()
        self.reads = 0

    def let(self) -> None:
        self._let.set()

    def read(self, size: int = -1) -> bytes:
        self.reads += 1
        if self._pieces:
            return self._pieces.pop(0)
        self._let.wait(10)
        return b""


def application(**options: object) -> tuple[PatientBodies, Flask]:
    app = Flask("patience")
    app.add_url_rule("/", "length", lambda: str(len(request.get_data())), methods=["GET", "POST"])
    app.add_url_rule("/unread", "unread", lambda: "unread", methods=["POST"])
    return PatientBodies(app.wsgi_app, **options), app  # type: ignore[arg-type]


def send(app: PatientBodies, body: Slow, path: str = "/") -> tuple[int, dict[str, str], str]:
    environ = EnvironBuilder(path, method="POST", headers=[("Transfer-Encoding", "chunked")]).get_environ()
    environ |= {"wsgi.input": body, "wsgi.input_terminated": True}
    text, status, sent = run_wsgi_app(app, environ, buffered=True)
    return int(status.split()[0]), dict(sent.items()), b"".join(text).decode()


@pytest.fixture
def slow() -> Iterator[Callable[..., Slow]]:
    made: list[Slow] = []

    def make(*pieces: bytes) -> Slow:
        made.append(Slow(*pieces))
        return made[-1]

    yield make
    for body in made:
        body.let()


def test_a_body_is_read_whole(slow: Callable[..., Slow]) -> None:
    app, _ = application()
    body = slow(b"a" * 10, b"b" * 70_000, b"c")
    body.let()
    assert send(app, body)[::2] == (200, "70011")
    client = Client(app)
    assert client.post("/", data=b"x" * 200_000).text == "200000"
    assert client.get("/").text == "0"


def test_a_body_that_does_not_come_is_given_up_and_the_connection_with_it(slow: Callable[..., Slow]) -> None:
    app, _ = application(grace_s=0.1)
    begun = time.monotonic()
    status, headers, text = send(app, slow(b"abc"))
    assert (status, headers.get("Connection")) == (408, "close")
    assert "too long" in text
    assert time.monotonic() - begun < 5


def test_who_comes_when_all_places_are_taken_is_told_and_what_has_no_body_is_answered(
    slow: Callable[..., Slow],
) -> None:
    app, _ = application(at_once=2, grace_s=0.05)
    stuck = [slow(), slow()]
    for body in stuck:
        assert send(app, body)[0] == 408
    status, headers, _ = send(app, slow(b"abc"))
    assert (status, headers.get("Retry-After")) == (503, "5")
    assert Client(app).get("/").text == "0"
    assert send(app, slow(b"abc"), "/unread")[::2] == (200, "unread")
    for body in stuck:
        body.let()
    deadline = time.monotonic() + 5
    while Client(app).post("/", data=b"abc").text != "3":
        assert time.monotonic() < deadline, "a place is not given back"
        time.sleep(0.02)


def test_each_piece_gives_time_for_the_next(slow: Callable[..., Slow], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.patience.LEAST_BYTES_PER_S", 1)
    app, _ = application(grace_s=0.2)
    body = slow(b"abcdefgh")
    threading.Timer(0.5, body.let).start()
    assert send(app, body)[::2] == (200, "8")
