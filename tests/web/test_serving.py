"""A real server in a process of its own: asked over HTTP, stopped by signals; and addresses that will not do."""

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask

from agents.app import ModelOptions
from agents.domain import Domain
from agents.engine import Engine
from kg.home import Home
from sparql.guard.limits import Limits
from tests.conftest import free_port, wait_for_port
from tests.web.stage import running, said_port, stage
from web.commands import serve_command
from web.errors import AddressUnusable, PortTaken
from web.serving import check_port, hosts_for
from web.site import WebSettings

ROOT = Path(__file__).parents[2]


@contextmanager
def listening(host: str = "127.0.0.1") -> Iterator[int]:
    """A port at which something else listens."""
    with socket.socket() as other:
        other.bind((host, 0))
        other.listen()
        yield other.getsockname()[1]


def test_a_taken_port_is_said_in_a_line_that_names_another() -> None:
    with listening() as port:
        with pytest.raises(PortTaken) as caught:
            check_port("127.0.0.1", port)
        assert str(caught.value) == (
            f"port {port} of 127.0.0.1 is taken: end what listens there, or choose another with --port {port + 1}"
        )
        with pytest.raises(PortTaken):
            check_port("0.0.0.0", port)
    check_port("127.0.0.1", port)
    check_port("127.0.0.1", 0)


@pytest.mark.parametrize("host", ["no-such-host.invalid", "192.0.2.1", "a" * 300])
def test_an_address_that_is_not_of_this_machine(host: str) -> None:
    with pytest.raises(AddressUnusable, match=r"127\.0\.0\.1") as caught:
        check_port(host, 8000)
    assert "\n" not in str(caught.value)


def test_a_server_for_this_machine_is_called_by_its_own_names_only() -> None:
    assert "localhost" in hosts_for("127.0.0.1")
    assert hosts_for("0.0.0.0") == hosts_for("192.168.1.7") == ()


class FakeApp:
    """A composition root that remembers what was asked of it."""

    domain = Domain()
    endpoint = "http://elsewhere.example/query"
    token = "sesame"

    def __init__(self, home_dir: Path) -> None:
        self.home_dir = home_dir
        self.models: list[ModelOptions | None] = []

    @property
    def home(self) -> Home:
        raise AssertionError("the graph is elsewhere")

    def engine(self, models: ModelOptions | None = None, *, with_sample: bool = True) -> Engine:
        self.models.append(models)
        return stage(self.home_dir)


def test_the_port_is_looked_at_before_anything_is_built(tmp_path: Path) -> None:
    app = FakeApp(tmp_path)
    with listening() as port:
        result = CliRunner().invoke(serve_command, ["--port", str(port)], obj=app)
    assert isinstance(result.exception, PortTaken)
    assert app.models == []


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[Flask]:
    """What the command would have served."""
    served: list[Flask] = []
    monkeypatch.setattr("web.commands.serve", lambda build, host, port, say: served.append(build(ExitStack())))
    return served


def test_the_command_serves_the_engine_of_its_context(tmp_path: Path, built: list[Flask]) -> None:
    app = FakeApp(tmp_path)
    result = CliRunner().invoke(serve_command, ["--port", "0", "--model", "m"], obj=app)
    assert result.exit_code == 0, result.output
    client = built[0].test_client()
    assert app.models[0] is not None
    assert dict(app.models[0].models) == {"default": "m"}
    assert client.get("/healthz", headers={"Host": "evil.example"}).status_code == 421
    assert "http://elsewhere.example/query" in client.get("/sparql?query=ASK%7B%7D").text


def test_the_options_become_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[WebSettings] = []
    monkeypatch.setattr("web.commands._build", lambda app, settings, models, closing: made.append(settings))
    monkeypatch.setattr("web.commands.serve", lambda build, host, port, say: build(ExitStack()))
    words = "--host 0.0.0.0 --port 0 --query-seconds 2.5 --query-memory 64 --answer-size 3 --workers 5"
    words += " --cors-origin https://a.example/ --cors-origin https://b.example --no-union-default-graph"
    words += " --query-rate 5/second --ask-rate none"
    result = CliRunner().invoke(serve_command, [*words.split(), "--trusted-proxies", "1"], obj=FakeApp(tmp_path))
    assert result.exit_code == 0, result.output
    limits = Limits(seconds=2.5, memory_bytes=64 << 20, answer_bytes=3 << 20, workers=5)
    assert made == [
        WebSettings(
            hosts=(),
            token="sesame",
            origins=("https://a.example", "https://b.example"),
            limits=limits,
            union_default_graph=False,
            endpoint="http://elsewhere.example/query",
            ask_rate="none",
            query_rate="5/second",
            trusted_proxies=1,
        )
    ]
    assert CliRunner().invoke(serve_command, ["--query-seconds", "0"], obj=FakeApp(tmp_path)).exit_code == 2


@pytest.mark.server
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_real_server_answers_and_stops_when_told_to(tmp_path: Path, number: signal.Signals) -> None:
    port = free_port()
    with running(str(port), str(tmp_path)) as process:
        wait_for_port(port, process)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        status, health = request(connection, "GET", "/healthz")
        assert status == 200 and json.loads(health)["status"] == "ok"
        status, home = request(connection, "GET", "/")
        assert status == 200 and "<form" in home
        assert request(connection, "GET", "/runs/../../../../etc/passwd")[0] == 404
        connection.close()
        process.send_signal(number)
        output, _ = process.communicate(timeout=20)
    said = output.decode()
    assert re.fullmatch(rf"Scoutfly is at http://127\.0\.0\.1:{port} \(Ctrl-C ends it\)\nScoutfly has stopped\n", said)
    assert process.returncode == 0


@pytest.mark.server
def test_any_free_port_is_said_and_is_the_one(tmp_path: Path) -> None:
    with running("0", str(tmp_path)) as process:
        port = said_port(process)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        assert request(connection, "GET", "/healthz")[0] == 200
        connection.close()
        with pytest.raises(PortTaken):
            check_port("127.0.0.1", port)


@pytest.mark.server
def test_nothing_survives_a_server_that_is_killed(tmp_path: Path) -> None:
    with running("0", str(tmp_path)) as process:
        port = said_port(process)
        process.send_signal(signal.SIGKILL)
        process.wait()
        deadline = time.monotonic() + 10
        while is_open(port):
            assert time.monotonic() < deadline, "the process that answers lives on"
            time.sleep(0.05)


@pytest.mark.server
def test_a_stream_is_sent_as_it_is_made_and_ends_with_its_reader(tmp_path: Path) -> None:
    with running("0", str(tmp_path), "--stream") as process:
        port = said_port(process)
        streams = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in range(40)]
        for stream in streams:
            stream.sendall(b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b"first" in read_until(stream, b"first"), "an event is kept back"
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        begun = time.monotonic()
        assert request(connection, "GET", "/healthz")[0] == 200
        assert time.monotonic() - begun < 2, "streams keep others waiting"
        assert request(connection, "GET", "/streams")[1] == "40"
        for stream in streams:
            stream.close()
        deadline = time.monotonic() + 10
        while request(connection, "GET", "/streams")[1] != "0":
            assert time.monotonic() < deadline, "a stream outlives its reader"
            time.sleep(0.05)
        kept = socket.create_connection(("127.0.0.1", port), timeout=20)
        kept.sendall(b"GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        read_until(kept, b"first")
        process.send_signal(signal.SIGTERM)
        begun = time.monotonic()
        assert process.wait(timeout=15) == 0
        assert time.monotonic() - begun < 2.5, "a stream that was told to end is waited for"
        kept.close()
        connection.close()


@pytest.mark.server
def test_what_fails_at_the_start_is_raised_where_the_command_waits(tmp_path: Path) -> None:
    with running("0", str(tmp_path), "--broken") as process:
        output, _ = process.communicate(timeout=20)
    assert (process.returncode, output.decode()) == (1, "the graph cannot be read\n")


@pytest.mark.server
def test_a_damaged_home_is_one_line_and_status_1(tmp_path: Path) -> None:
    (tmp_path / "CURRENT").write_text("rubbish")
    command = [sys.executable, "-m", "scoutfly", "--home", str(tmp_path), "serve", "--port", "0"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"Error: .*CURRENT cannot be read.*\n", done.stderr)


def is_open(port: int) -> bool:
    """Whether somebody listens at a port of the loopback."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def read_until(stream: socket.socket, words: bytes) -> bytes:
    got = b""
    while words not in got:
        more = stream.recv(4096)
        if not more:
            break
        got += more
    return got


def request(connection: http.client.HTTPConnection, method: str, path: str) -> tuple[int, str]:
    connection.request(method, path)
    response = connection.getresponse()
    return response.status, response.read().decode()
