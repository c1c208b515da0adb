"""Runs on disk: whole or not there, found again newest first, and whatever text is in them."""

import json
import os
from pathlib import Path

import pytest

from agents.errors import RunNotFound
from agents.roles import Call
from agents.runs import RunFolder
from agents.surrogates import mend
from agents.trace import Event, TraceFile

ODD_TEXTS = ["a\nb\r\nc", "\u2028 and \u2029 and \u0085", "茶 🐉", "half a pair: \ud83d", '"\\', "\x00\x1f", ""]


@pytest.fixture
def runs(tmp_path: Path) -> RunFolder:
    return RunFolder(tmp_path / "runs")


def finished(runs: RunFolder, root: Path, name: str, *, at: int = 0) -> str:
    (root / "runs" / name).mkdir(parents=True)
    runs.save(name, {"run": name})
    os.utime(root / "runs" / name / "result.json", ns=(at, at))
    return name


def test_a_folder_that_is_not_there_holds_no_runs(runs: RunFolder) -> None:
    assert list(runs.ids()) == []


def test_what_was_saved_is_loaded(runs: RunFolder) -> None:
    run_id, folder = runs.new()
    assert list(runs.ids()) == []
    runs.save(run_id, {"answer": "Slow Drip", "n": 0, "none": None})
    assert runs.load(run_id) == {"answer": "Slow Drip", "n": 0, "none": None}
    assert list(runs.ids()) == [run_id]
    assert sorted(path.name for path in folder.iterdir()) == ["result.json"]


def test_every_run_has_an_id_of_its_own(runs: RunFolder) -> None:
    assert len({runs.new()[0] for _ in range(50)}) == 50


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_any_text_comes_back_as_far_as_it_can_be_shown(runs: RunFolder, text: str) -> None:
    run_id, folder = runs.new()
    with TraceFile(folder / "trace.jsonl") as trace:
        trace(Event("validated", 0.5, {"caption": text}, (Call("validator", "m", answer=text),)))
        trace(Event("answered", 0.75, {"answer": text}))
    runs.save(run_id, {"answer": text})
    shown = mend(text)
    first, second = runs.trace(run_id)
    assert first["caption"] == shown
    assert first["calls"][0]["answer"] == shown  # type: ignore[index]
    assert second == {"kind": "answered", "seconds": 0.75, "answer": shown}
    assert runs.load(run_id) == {"answer": shown}


def test_events_are_on_disk_as_they_happen(runs: RunFolder) -> None:
    run_id, folder = runs.new()
    with TraceFile(folder / "trace.jsonl") as trace:
        for number in range(3):
            trace(Event("round", 0.0, {"number": number}))
            assert [event["number"] for event in runs.trace(run_id)] == list(range(number + 1))


def test_a_line_that_a_killed_process_left_half_written_is_left_out(runs: RunFolder) -> None:
    run_id, folder = runs.new()
    (folder / "trace.jsonl").write_text('{"kind": "topic"}\n{"kind": "rou', encoding="utf-8")
    assert runs.trace(run_id) == [{"kind": "topic"}]
    (folder / "trace.jsonl").write_text('{"kind"', encoding="utf-8")
    assert runs.trace(run_id) == []


@pytest.mark.parametrize("text", ["{", "[]", "7", "", "\x00"])
def test_a_damaged_result_is_said(runs: RunFolder, text: str) -> None:
    run_id, folder = runs.new()
    (folder / "result.json").write_text(text, encoding="utf-8")
    with pytest.raises(RunNotFound, match=f"run {run_id} is damaged: delete its folder"):
        runs.load(run_id)


def test_damaged_bytes_are_said(runs: RunFolder) -> None:
    run_id, folder = runs.new()
    for name in ("result.json", "trace.jsonl"):
        (folder / name).write_bytes(b'{"a": "\xff"}\n')
    with pytest.raises(RunNotFound, match="is damaged"):
        runs.load(run_id)
    with pytest.raises(RunNotFound, match="is damaged"):
        runs.trace(run_id)
    (folder / "trace.jsonl").write_text("{]\n", encoding="utf-8")
    with pytest.raises(RunNotFound, match="is damaged"):
        runs.trace(run_id)


@pytest.mark.parametrize(
    "run_id",
    [
        "../../etc/passwd",
        "..",
        "",
        "20260101T000000Z-0123456/",
        "20260101T000000Z-01234567\n",
        "2026010\u0661T000000Z-01234567",
    ],
)
def test_what_is_no_id_is_no_path(runs: RunFolder, run_id: str) -> None:
    for ask in (runs.load, runs.trace):
        with pytest.raises(RunNotFound, match="is no run id"):
            ask(run_id)
    with pytest.raises(RunNotFound, match="is no run id"):
        runs.save(run_id, {})


def test_an_unknown_or_unfinished_run_is_said(runs: RunFolder) -> None:
    with pytest.raises(RunNotFound, match="there is no finished run 20260101T000000Z-01234567"):
        runs.load("20260101T000000Z-01234567")
    run_id, _ = runs.new()
    with pytest.raises(RunNotFound, match="there is no finished run"):
        runs.load(run_id)
    with pytest.raises(RunNotFound, match="there is no run"):
        runs.trace(run_id)


def test_the_newest_comes_first_also_within_a_second(runs: RunFolder, tmp_path: Path) -> None:
    late = finished(runs, tmp_path, "20260102T000000Z-00000000", at=1)
    first = finished(runs, tmp_path, "20260101T000000Z-ffffffff", at=100)
    second = finished(runs, tmp_path, "20260101T000000Z-00000000", at=200)
    assert list(runs.ids()) == [late, second, first]


def test_other_folders_are_no_runs(runs: RunFolder, tmp_path: Path) -> None:
    run_id = finished(runs, tmp_path, "20260101T000000Z-01234567")
    for name in (".DS_Store", "notes", "20260101T000000Z-01234567 copy"):
        (tmp_path / "runs" / name).mkdir()
        (tmp_path / "runs" / name / "result.json").write_text("{}", encoding="utf-8")
    (tmp_path / "runs" / "README.txt").write_text("x", encoding="utf-8")
    assert list(runs.ids()) == [run_id]


def test_a_result_that_cannot_be_written_leaves_the_old_one(runs: RunFolder) -> None:
    run_id, _ = runs.new()
    runs.save(run_id, {"answer": "first"})
    with pytest.raises(TypeError):
        runs.save(run_id, {"answer": object()})
    assert runs.load(run_id) == {"answer": "first"}


# -- the trace file


def test_a_trace_file_writes_inside_its_block_only(tmp_path: Path) -> None:
    trace = TraceFile(tmp_path / "deep" / "trace.jsonl")
    with pytest.raises(ValueError, match="inside its with block only"):
        trace(Event("topic", 0.0))
    with trace:
        trace(Event("topic", 0.0))
    assert json.loads((tmp_path / "deep" / "trace.jsonl").read_text("utf-8")) == {"kind": "topic", "seconds": 0.0}


def test_what_was_told_before_a_failure_is_kept(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="the model is gone"), TraceFile(tmp_path / "t.jsonl") as trace:
        trace(Event("topic", 0.0))
        raise RuntimeError("the model is gone")
    assert (tmp_path / "t.jsonl").read_text("utf-8").count("\n") == 1


def test_an_event_is_one_line_with_its_calls() -> None:
    call = Call(
        "expander", "m", prompt_sha256="0" * 64, answer="1\n2", problem="p", prompt_tokens=3, seconds=0.5, cached=True
    )
    line = Event("expanded", 1.23456789, {"entity": "x"}, (call,)).to_json()
    assert "\n" not in line
    assert json.loads(line) == {
        "kind": "expanded",
        "seconds": 1.234568,
        "entity": "x",
        "calls": [
            {
                "role": "expander",
                "model": "m",
                "prompt_sha256": "0" * 64,
                "answer": "1\n2",
                "problem": "p",
                "prompt_tokens": 3,
                "completion_tokens": 0,
                "seconds": 0.5,
                "cached": True,
                "note": "",
            }
        ],
    }
