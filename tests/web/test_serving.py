"""A real server in a process of its own: asked over HTTP, stopped by signals; and addresses that will not do."""

import http.client
import re
import signal
import socket
import subprocess
import sys
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from agents.app import ModelOptions
from agents.domain import Domain
from agents.engine import Engine
from tests.conftest import free_port, wait_for_port
from tests.web.stage import stage
from web.commands import serve_command
from web.errors import AddressUnusable, PortTaken
from web.serving import check_port, hosts_for

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

    def __init__(self, home_dir: Path) -> None:
        self.home_dir = home_dir
        self.models: list[ModelOptions | None] = []

    def engine(self, models: ModelOptions | None = None) -> Engine:
        self.models.append(models)
        return stage(self.home_dir)


def test_the_port_is_looked_at_before_anything_is_built(tmp_path: Path) -> None:
    app = FakeApp(tmp_path)
    with listening() as port:
        result = CliRunner().invoke(serve_command, ["--port", str(port)], obj=app)
    assert isinstance(result.exception, PortTaken)
    assert app.models == []


def test_the_command_serves_the_engine_of_its_context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served = []
    monkeypatch.setattr("web.commands.serve", lambda app, host, port, say: served.append((app, host, port)))
    app = FakeApp(tmp_path)
    result = CliRunner().invoke(serve_command, ["--port", "0", "--model", "m"], obj=app)
    assert result.exit_code == 0, result.output
    [(pages, host, port)] = served
    assert (host, port) == ("127.0.0.1", 0)
    assert app.models[0] is not None
    assert dict(app.models[0].models) == {"default": "m"}
    assert pages.test_client().get("/healthz", headers={"Host": "evil.example"}).status_code == 421


@pytest.mark.server
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_real_server_answers_and_stops_when_told_to(tmp_path: Path, number: signal.Signals) -> None:
    port = free_port()
    command = [sys.executable, "-m", "tests.web.stage", str(port), str(tmp_path)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        wait_for_port(port, process)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        assert request(connection, "GET", "/healthz") == (200, "ok\n")
        status, home = request(connection, "GET", "/")
        assert status == 200 and "<form" in home
        typed = urllib.parse.urlencode({"question": "Why?", "paths": "2"})
        connection.request("POST", "/ask", typed, {"Content-Type": "application/x-www-form-urlencoded"})
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 303
        status, run = request(connection, "GET", str(answer.getheader("Location")))
        assert status == 200 and "Round 1" in run
        assert request(connection, "GET", "/runs/../../../../etc/passwd")[0] == 404
        connection.close()
        process.send_signal(number)
        output, _ = process.communicate(timeout=20)
    finally:
        process.kill()
        process.wait()
    said = output.decode()
    assert re.fullmatch(rf"Scoutfly is at http://127\.0\.0\.1:{port} \(Ctrl-C ends it\)\nScoutfly has stopped\n", said)
    assert process.returncode == 0


def request(connection: http.client.HTTPConnection, method: str, path: str) -> tuple[int, str]:
    connection.request(method, path)
    response = connection.getresponse()
    return response.status, response.read().decode()
