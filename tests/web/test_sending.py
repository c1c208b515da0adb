"""Large answers: sent from a bounded number of places, so that readers who take nothing keep nobody else waiting."""

import errno
import http.client
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from flask import Flask, Response, send_file

from tests.web.stage import LARGE, running, said_port
from web.failures import handle_failures
from web.sending import SMALL, bound_sending


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file.bin"
    path.write_bytes(b"0123456789" * 100_000)
    return path


def application(file: Path, **options: int) -> Flask:
    app = Flask("sending", static_folder=str(file.parent), static_url_path="/static")
    handle_failures(app)
    app.add_url_rule("/whole", "whole", lambda: "x" * (SMALL + 1))
    app.add_url_rule("/small", "small", lambda: Response(["a", "b" * (SMALL - 1)]))
    app.add_url_rule("/file", "file", lambda: send_file(file))
    app.add_url_rule("/lines", "lines", lambda: Response(line for line in ("a\n", "b\n")))
    bound_sending(app, **options)
    return app


@pytest.mark.parametrize("held", ["/whole", "/file", "/lines"])
def test_where_no_place_is_free_the_next_one_is_told_when_to_come_back(file: Path, held: str) -> None:
    client = application(file, places=1, wait_s=0).test_client()
    first = client.get(held, buffered=False)
    assert first.status_code == 200
    for path in ("/whole", "/file"):
        refused = client.get(path, headers={"Accept": "application/json"})
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
        assert "being sent" in refused.get_json()["detail"]
        assert client.head(path, buffered=True).status_code == 200
    assert client.get("/small").text == "a" + "b" * (SMALL - 1)
    assert client.get(f"/static/{file.name}").data == file.read_bytes()
    first.close()
    for _ in range(3):
        assert len(client.get("/whole").data) == SMALL + 1
        assert client.get("/file").data == file.read_bytes()
        assert client.get("/lines").text == "a\nb\n"


def test_a_whole_answer_is_refused_where_too_many_bytes_are_held(file: Path) -> None:
    client = application(file, places=3, most_bytes=SMALL * 3 // 2, wait_s=0).test_client()
    first = client.get("/whole", buffered=False)
    assert first.content_length == SMALL + 1
    assert client.get("/whole", headers={"Accept": "text/plain"}).status_code == 503
    assert client.get("/file", buffered=True).status_code == 200
    first.close()
    assert client.get("/whole").status_code == 200


def test_one_answer_larger_than_all_that_may_be_held_is_sent_alone(file: Path) -> None:
    client = application(file, places=3, most_bytes=1, wait_s=0).test_client()
    assert client.get("/whole").status_code == 200


def test_ranges_of_files_are_sent_as_they_are_asked_for(file: Path) -> None:
    client = application(file).test_client()
    part = client.get("/file", headers={"Range": "bytes=10-14"})
    assert (part.status_code, part.data, part.content_length) == (206, b"01234", 5)
    most = client.get("/file", headers={"Range": "bytes=1-"})
    assert (most.status_code, most.data) == (206, file.read_bytes()[1:])


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    with running("0", str(tmp_path), "--large", "--impatient") as process:
        yield said_port(process)


@pytest.mark.server
@pytest.mark.parametrize("path", ["/file", "/large"])
def test_readers_who_take_nothing_keep_nobody_waiting_and_are_cut_off(port: int, path: str) -> None:
    with ExitStack() as readers:
        for _ in range(110):
            readers.enter_context(_reader(port, path))
        assert _seconds(port, "/healthz") < 3
        assert _status(port, path) == 503
        deadline = time.monotonic() + 15
        while _status(port, path) != 200:
            assert time.monotonic() < deadline, "whoever takes nothing keeps their place"
            time.sleep(0.5)


@pytest.mark.server
def test_a_reader_who_takes_a_few_bytes_now_and_then_is_cut_off(port: int) -> None:
    with _reader(port, "/large", buffer=1 << 16) as slow:
        deadline = time.monotonic() + 20
        while slow.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != errno.ECONNRESET:
            assert time.monotonic() < deadline, "whoever takes little is waited for"
            assert slow.recv(1 << 12)
            time.sleep(0.5)
    assert _seconds(port, "/healthz") < 3


@pytest.mark.server
def test_a_steady_reader_gets_all_of_it(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", "/large")
    answer = connection.getresponse()
    got = 0
    while more := answer.read(LARGE // 40):
        got += len(more)
        time.sleep(0.1)
    connection.close()
    assert got == LARGE


def _reader(port: int, path: str, *, buffer: int = 4096) -> socket.socket:
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    reader.connect(("127.0.0.1", port))
    reader.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 8)
    return reader


def _status(port: int, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


def _seconds(port: int, path: str) -> float:
    begun = time.monotonic()
    assert _status(port, path) == 200
    return time.monotonic() - begun
