"""Work in a process of its own: what it may use, and what is told when it ends badly."""

import os
import time
from pathlib import Path

import pytest

from web.errors import WorkFailed
from web.processes import Bounds, run_apart

ODD = """
import os, sys, time
from web.processes import work

def do(job, say):
    kind = job["kind"]
    if kind == "answer":
        say("on it")
        print("not an answer")
        return {"sum": job["a"] + job["b"], "token": os.environ.get("SCOUTFLY_TOKEN", "")}
    if kind == "sleep":
        open(job["file"], "w").write(str(os.getpid()))
        time.sleep(60)
    if kind == "memory":
        return {"length": len(bytearray(8 << 30))}
    if kind == "crash":
        os.abort()
    if kind == "raise":
        raise ValueError("odd")
    sys.exit(0)

if __name__ == "__main__":
    work(do)
"""


@pytest.fixture(autouse=True)
def odd_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odd_work.py").write_text(ODD)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("SCOUTFLY_TOKEN", "secret")


def test_an_answer_comes_back_with_news_and_without_our_secrets() -> None:
    told: list[str] = []
    answer = run_apart("odd_work", {"kind": "answer", "a": 1, "b": 2}, told=told.append)
    assert answer == {"sum": 3, "token": ""}
    assert told == ["on it"]


def test_too_long_is_ended_and_said(tmp_path: Path) -> None:
    job = {"kind": "sleep", "file": str(tmp_path / "pid")}
    started = time.monotonic()
    with pytest.raises(WorkFailed, match="longer than the 3 seconds"):
        run_apart("odd_work", job, bounds=Bounds(seconds=3))
    assert time.monotonic() - started < 20
    pid = int((tmp_path / "pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_too_much_memory_is_refused_and_said() -> None:
    with pytest.raises(WorkFailed, match="more than the 1024 MiB of memory"):
        run_apart("odd_work", {"kind": "memory"}, bounds=Bounds(memory_bytes=1 << 30))


@pytest.mark.parametrize(("kind", "said"), [("crash", "or broke"), ("raise", "broke off"), ("exit", "broke off")])
def test_an_end_without_an_answer_is_an_error(kind: str, said: str) -> None:
    with pytest.raises(WorkFailed, match=said):
        run_apart("odd_work", {"kind": kind})
