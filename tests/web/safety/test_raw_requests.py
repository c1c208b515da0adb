"""What is hardly HTTP, sent to a real server: turned down or dropped, and the next request is answered as ever."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import free_port, wait_for_port

pytestmark = pytest.mark.server
ROOT = Path(__file__).parents[3]
HOST = b"Host: localhost\r\n"
FINE = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
ODD = {
    "garbage": b"GARBAGE\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
    "the address of another server": b"GET http://evil.example/ HTTP/1.1\r\n" + HOST + b"\r\n",
    "a long header": b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"a" * 1_000_000 + b"\r\n\r\n",
    "many headers": b"GET / HTTP/1.1\r\n" + HOST + b"".join(b"X-%d: a\r\n" % n for n in range(2000)) + b"\r\n",
    "a long path": b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    "a zero byte in the path": b"GET /\x00 HTTP/1.1\r\n" + HOST + b"\r\n",
    "bytes in the path": b"GET /\xff\xfe HTTP/1.1\r\n" + HOST + b"\r\n",
    "bytes in a header": b"GET / HTTP/1.1\r\n" + HOST + b"Accept: \xff\xfe\r\n\r\n",
    "a length below zero": b"POST /ask HTTP/1.1\r\n" + HOST + b"Content-Length: -5\r\n\r\n",
    "a length that is none": b"POST /ask HTTP/1.1\r\n" + HOST + b"Content-Length: five\r\n\r\n",
    "two lengths": b"POST /ask HTTP/1.1\r\n" + HOST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "a length and chunks": b"POST /ask HTTP/1.1\r\n"
    + HOST
    + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a chunk that is none": b"POST /ask HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    "a chunk without end": b"POST /ask HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\nx",
    "another method": b"BREW /ask HTTP/1.1\r\n" + HOST + b"\r\n",
    "no address": b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n",
    "a tunnel": b"CONNECT evil.example:80 HTTP/1.1\r\n" + HOST + b"\r\n",
    "half a body": b"POST /ask HTTP/1.1\r\n" + HOST + b"Content-Length: 50\r\n\r\nquestion=",
    "half a header": b"GET / HTTP/1.1\r\nHost: loc",
    "the other protocol": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    number = free_port()
    command = [sys.executable, "-m", "tests.web.stage", str(number), str(tmp_path_factory.mktemp("runs"))]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for_port(number, process)
        yield number
        assert process.poll() is None
    finally:
        process.terminate()
        process.wait(timeout=20)


@pytest.mark.parametrize("name", ODD)
def test_it_is_turned_down_and_the_next_is_answered(port: int, name: str) -> None:
    answer = send(port, ODD[name])
    assert answer == b"" or answer.split(b" ")[1][:1] in {b"2", b"3", b"4"}, answer[:200]
    assert b"evil.example" not in answer.partition(b"\r\n\r\n")[0]
    assert b"Traceback" not in answer and b"granian" not in answer.lower()
    fine = send(port, FINE)
    assert fine.startswith(b"HTTP/1.1 200") and b'"status": "ok"' in fine


def send(port: int, request: bytes) -> bytes:
    """The beginning of the answer; nothing where the server hangs up or goes on waiting."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
        connection.settimeout(2)
        try:
            connection.sendall(request)
            answer = connection.recv(65536)
            while request is FINE and (more := connection.recv(65536)):
                answer += more
        except OSError:
            return b""
    return answer
