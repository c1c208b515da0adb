"""The engine: a question in, a kept run out."""

import json
from pathlib import Path

import pytest

from agents.engine import Engine
from agents.errors import NoQuestion, NoTopic, SettingsError
from agents.report import result_to_json
from agents.roles import Policy, Question
from agents.runs import RunFolder
from agents.trace import Event
from agents.walk import WalkSettings
from tests.fakes import FakeRoles, little_graph

ASKED = Question("Where to?", "root")


@pytest.fixture
def runs(tmp_path: Path) -> RunFolder:
    return RunFolder(tmp_path / "runs")


def engine(runs: RunFolder, roles: FakeRoles | None = None) -> Engine:
    def policy(name: str) -> Policy:
        if name != "fake":
            raise SettingsError(f"there is no policy {name}")
        return (roles or FakeRoles()).policy

    return Engine(little_graph("root>a a>b"), policy, ("fake",), runs)


def test_a_run_is_kept_with_its_result_and_its_trace(runs: RunFolder) -> None:
    events: list[Event] = []
    run_id, result = engine(runs).ask(ASKED, policy="fake", observe=events.append)
    kept = runs.load(run_id)
    assert list(runs.ids()) == [run_id]
    assert {key: kept[key] for key in result_to_json(result)} == json.loads(json.dumps(result_to_json(result)))
    assert (kept["run"], kept["policy"]) == (run_id, {"name": "fake", "kind": "fake"})
    assert runs.trace(run_id) == [json.loads(event.to_json()) for event in events]


def test_a_run_says_how_it_was_walked(runs: RunFolder) -> None:
    run_id, _ = engine(runs).ask(ASKED, policy="fake", settings=WalkSettings(strategy="dfs", paths=3))
    settings = runs.load(run_id)["settings"]
    assert isinstance(settings, dict)
    assert (settings["strategy"], settings["paths"]) == ("dfs", 3)


def test_a_run_that_is_not_kept_leaves_nothing_behind(runs: RunFolder, tmp_path: Path) -> None:
    events: list[Event] = []
    run_id, result = engine(runs).ask(ASKED, policy="fake", keep=False, observe=events.append)
    assert (run_id, result.answer) == ("", "root>a>b")
    assert events[-1].kind == "answered"
    assert list(tmp_path.iterdir()) == []


def test_each_question_is_a_run_of_its_own(runs: RunFolder) -> None:
    asked = engine(runs)
    ids = {asked.ask(ASKED, policy="fake")[0] for _ in range(3)}
    assert ids == set(runs.ids())
    assert len(ids) == 3


def test_a_policy_that_cannot_be_had_leaves_no_run(runs: RunFolder, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="there is no policy other"):
        engine(runs).ask(ASKED, policy="other")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["", "  \n\t", "\u200b"])
def test_a_blank_question_is_refused_and_leaves_no_run(runs: RunFolder, tmp_path: Path, text: str) -> None:
    with pytest.raises(NoQuestion, match="the question is empty: write what you want to know"):
        engine(runs).ask(Question(text, "root"), policy="fake")
    assert list(tmp_path.iterdir()) == []


def test_a_walk_that_fails_keeps_its_trace_and_is_no_finished_run(runs: RunFolder, tmp_path: Path) -> None:
    with pytest.raises(NoTopic):
        engine(runs, FakeRoles(topic="none")).ask(Question("Where to?"), policy="fake")
    (folder,) = (tmp_path / "runs").iterdir()
    assert list(runs.ids()) == []
    assert [event["kind"] for event in runs.trace(folder.name)] == ["topic"]
