"""What a run says of itself while it is walked and after, also when its process was killed."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from agents.engine import Engine
from agents.errors import EndpointFailed, NoTopic, RunNotFound, WalkStopped
from agents.roles import Question
from agents.run_status import Occupation, RunStatus, is_occupied, read_status, request_stop, write_status
from agents.runs import RunFolder
from agents.started import Picture
from tests.fakes import FakeRoles, little_graph

ASKED = Question("Where to?", "root")


@pytest.fixture
def runs(tmp_path: Path) -> RunFolder:
    return RunFolder(tmp_path / "runs")


def engine(runs: RunFolder, roles: FakeRoles | None = None) -> Engine:
    return Engine(little_graph("root>a a>b b>c"), lambda _: (roles or FakeRoles()).policy, ("fake",), runs)


def test_a_run_is_running_until_it_is_finished(runs: RunFolder) -> None:
    states: list[str] = []
    run = engine(runs).begin(ASKED, policy="fake")
    assert runs.status(run.run_id) == RunStatus("running", "Where to?", "root", "fake", started=run.status.started)
    run.walk(observe=lambda _: states.append(runs.status(run.run_id).state))
    status = runs.status(run.run_id)
    assert set(states) == {"running"}
    assert (status.state, status.answer, status.routes, status.models) == ("finished", "root>a>b>c", 1, ("fake",))
    assert (status.calls, status.tokens) == (7, 35)
    assert status.seconds > 0
    assert sorted(path.name for path in runs.folder(run.run_id).iterdir()) == [
        "asked.json",
        "result.json",
        "status.json",
        "trace.jsonl",
    ]


def test_a_run_that_fails_says_why_and_keeps_its_trace(runs: RunFolder) -> None:
    def before(role: str, place: str) -> None:
        if place == "root>a":
            raise EndpointFailed("the endpoint failed\nfive times")

    with pytest.raises(EndpointFailed):
        engine(runs, FakeRoles(before=before)).ask(ASKED, policy="fake")
    (run_id,) = runs.all_ids()
    status = runs.status(run_id)
    assert (status.state, status.problem) == ("failed", "the endpoint failed five times")
    assert [event["kind"] for event in runs.trace(run_id)][:2] == ["topic", "round"]
    assert list(runs.ids()) == []
    assert not is_occupied(runs.folder(run_id))


def test_a_run_without_a_topic_has_failed(runs: RunFolder) -> None:
    with pytest.raises(NoTopic):
        engine(runs, FakeRoles(topic="none")).ask(Question("Where to?"), policy="fake")
    assert runs.status(runs.all_ids()[0]).state == "failed"


def test_a_run_is_stopped_through_its_folder(runs: RunFolder) -> None:
    def before(role: str, place: str) -> None:
        if (role, place) == ("validator", "root>a"):
            request_stop(runs.folder(runs.all_ids()[0]))

    run_id, result = engine(runs, FakeRoles(before=before)).ask(ASKED, policy="fake")
    assert (runs.status(run_id).state, result.stopped) == ("stopped", "stopped")
    assert runs.load(run_id)["stopped"] == "stopped"
    assert result.paths


def test_a_run_that_is_stopped_at_once_has_no_result(runs: RunFolder) -> None:
    run = engine(runs).begin(ASKED, policy="fake")
    request_stop(run.folder)
    with pytest.raises(WalkStopped):
        run.walk()
    assert runs.status(run.run_id).state == "stopped"
    with pytest.raises(RunNotFound):
        runs.load(run.run_id)


WALKER = """
import sys, time
from pathlib import Path
from agents.engine import Engine
from agents.roles import Question
from agents.runs import RunFolder
from tests.fakes import FakeRoles, little_graph

def before(role, place):
    if place == "root>a":
        print("there", flush=True)
        time.sleep(60)

runs = RunFolder(Path(sys.argv[1]))
engine = Engine(little_graph("root>a a>b"), lambda _: FakeRoles(before=before).policy, ("fake",), runs)
engine.ask(Question("Where to?", "root"), policy="fake")
"""


def test_a_run_whose_process_was_killed_is_unfinished(runs: RunFolder, tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", WALKER, str(tmp_path / "runs")]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        (run_id,) = runs.all_ids()
        assert runs.status(run_id).state == "running"
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert runs.status(run_id).state == "unfinished"
    assert runs.status(run_id).question == "Where to?"
    assert [event["kind"] for event in runs.trace(run_id)] == ["topic", "round", "expanded"]


def test_a_status_is_whole_whenever_it_is_read(tmp_path: Path) -> None:
    texts = ["x" * 200_000, "y"]
    write_status(tmp_path, RunStatus("finished", texts[0]))
    ends = time.monotonic() + 0.5
    wrong: list[RunStatus | None] = []

    def read() -> None:
        while time.monotonic() < ends:
            status = read_status(tmp_path)
            if status is None or status.question not in texts:
                wrong.append(status)

    reader = threading.Thread(target=read)
    reader.start()
    while time.monotonic() < ends:
        for text in texts:
            write_status(tmp_path, RunStatus("finished", text))
    reader.join()
    assert wrong == []


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"state": "dancing"}', '{"state": ["running"]}', "\x00"])
def test_a_damaged_status_is_that_of_an_unfinished_run(runs: RunFolder, damage: str) -> None:
    run_id, folder = runs.new()
    (folder / "status.json").write_text(damage, encoding="utf-8")
    assert runs.status(run_id).state == "unfinished"


def test_odd_values_in_a_status_do_no_harm(tmp_path: Path) -> None:
    odd = {"state": "failed", "question": 7, "calls": "many", "seconds": None, "models": "m", "problem": "half \ud83d"}
    (tmp_path / "status.json").write_text(json.dumps(odd), encoding="utf-8")
    status = read_status(tmp_path)
    assert status is not None
    assert (status.question, status.calls, status.seconds, status.models) == ("7", 0, 0.0, ())
    write_status(tmp_path, status)


def test_a_result_of_an_earlier_version_has_a_status(runs: RunFolder) -> None:
    run_id, folder = runs.new()
    old = {
        "question": {"text": "Why?"},
        "topic": {"label": "Rathian"},
        "answer": "Bite\nmore",
        "stopped": "",
        "paths": [1],
    }
    (folder / "result.json").write_text(json.dumps(old), encoding="utf-8")
    status = runs.status(run_id)
    assert (status.state, status.question, status.topic, status.answer, status.routes) == (
        *("finished", "Why?", "Rathian", "Bite"),
        1,
    )


def test_only_one_holds_a_folder(tmp_path: Path) -> None:
    assert not is_occupied(tmp_path)
    occupation = Occupation(tmp_path)
    assert is_occupied(tmp_path)
    occupation.close()
    occupation.close()
    assert not is_occupied(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_all_runs_are_listed_newest_first_whatever_became_of_them(runs: RunFolder, tmp_path: Path) -> None:
    for number, name in enumerate(["20260101T000000Z-00000000", "20260103T000000Z-00000000", "notes"]):
        (tmp_path / "runs" / name).mkdir(parents=True)
        os.utime(tmp_path / "runs" / name, (number, number))
    assert runs.all_ids() == ["20260103T000000Z-00000000", "20260101T000000Z-00000000"]
    with pytest.raises(RunNotFound, match="there is no run 20260102T000000Z-00000000"):
        runs.status("20260102T000000Z-00000000")


def test_pictures_are_kept_under_our_names_and_shown_to_the_policy(runs: RunFolder) -> None:
    roles = FakeRoles()
    pictures = [Picture(b"one", "png"), Picture(b"two", "jpg")]
    run = engine(runs, roles).begin(Question("Where to?", "root"), policy="fake", pictures=pictures)
    assert [image.read_bytes() for image in run.question.images] == [b"one", b"two"]
    result = run.walk()
    assert result.question.caption == "what is seen"
    question = runs.load(run.run_id)["question"]
    assert isinstance(question, dict)
    assert question["images"] == ["image-1.png", "image-2.jpg"]
