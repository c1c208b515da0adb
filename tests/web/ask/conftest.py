"""A site whose policy waits for the test at every call, so that a walk can be watched while it goes on."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from flask import Flask

from agents.engine import Engine
from agents.runs import RunFolder
from tests.fakes import FakeRoles, little_graph
from tests.web.stage import site_of
from web.app import create_app
from web.ask.stream import Streams, streams_of
from web.ask.walks import Walks, walks_of


@dataclass
class Gate:
    """Lets calls through one by one, or all of them; a call that waits too long fails its walk, not the whole run."""

    waiting: list[str] = field(default_factory=list)
    fault: Exception | None = None
    _calls: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    _arrived: threading.Condition = field(default_factory=threading.Condition)
    _is_open: bool = False

    def before(self, role: str, place: str) -> None:
        """The hook of FakeRoles."""
        with self._arrived:
            self.waiting.append(f"{role} {place}")
            self._arrived.notify_all()
        if not self._is_open and not self._calls.acquire(timeout=20):
            raise RuntimeError("the test let nobody through")
        if self.fault:
            raise self.fault

    def let(self, calls: int = 1) -> None:
        """So many calls go on."""
        self._calls.release(calls)

    def open(self) -> None:
        """All calls go on, now and later."""
        self._is_open = True
        self._calls.release(1000)

    def await_call(self, said: str) -> None:
        """Wait until a role is asked at a place."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: said in self.waiting, 10), self.waiting


@pytest.fixture
def gate() -> Iterator[Gate]:
    """Opened at the end, so that no walk is left waiting."""
    held = Gate()
    yield held
    held.open()


@pytest.fixture
def gated_engine(gate: Gate, tmp_path: Path) -> Engine:
    """Root leads to a and b, a to c; every call waits at the gate."""
    store = little_graph("root>a root>b a>c")
    return Engine(store, lambda _: FakeRoles(before=gate.before).policy, ("fake",), RunFolder(tmp_path / "runs"))


@pytest.fixture
def gated(gate: Gate, gated_engine: Engine) -> Iterator[Flask]:
    """Its pages; two walks at once, two streams at once."""
    app = create_app(site_of(gated_engine))
    app.extensions["scoutfly.walks"] = Walks(2)
    app.extensions["scoutfly.streams"] = Streams(2, look_s=0.01)
    yield app
    gate.open()
    assert walks_of(app).close()
    streams_of(app).close()
