"""A kept run of a real language model is read, counted and shown as any other."""

import json
import shutil
from pathlib import Path

import pytest

from agents.runs import RunFolder

KEPT = Path(__file__).parents[1] / "data" / "llm_run"


@pytest.fixture
def run_id(tmp_path: Path) -> str:
    run_id = str(json.loads((KEPT / "result.json").read_text("utf-8"))["run"])
    shutil.copytree(KEPT, tmp_path / run_id)
    return run_id


def test_the_trace_tells_the_walk_from_the_topic_to_the_answer(tmp_path: Path, run_id: str) -> None:
    events = RunFolder(tmp_path).trace(run_id)
    kinds = [event["kind"] for event in events]
    assert (kinds[0], kinds[-2:]) == ("topic", ["selected", "answered"])
    assert set(kinds) == {"topic", "round", "expanded", "selected", "answered"} | ({"validated"} & set(kinds))


def test_the_calls_of_the_trace_are_those_that_the_result_counts(tmp_path: Path, run_id: str) -> None:
    folder = RunFolder(tmp_path)
    calls = [call for event in folder.trace(run_id) for call in event.get("calls", [])]  # type: ignore[attr-defined]
    cost = folder.load(run_id)["cost"]
    assert isinstance(cost, dict)
    assert len(calls) == cost["calls"]
    assert sum(call["prompt_tokens"] for call in calls) == cost["prompt_tokens"] > 0
    assert {call["role"] for call in calls} == set(cost["calls_by_role"])
    assert all(len(call["prompt_sha256"]) == 64 for call in calls)


def test_the_model_answered_by_the_schema(tmp_path: Path, run_id: str) -> None:
    (expanded, *_) = [event for event in RunFolder(tmp_path).trace(run_id) if event["kind"] == "expanded"]
    calls = expanded["calls"]
    assert isinstance(calls, list)
    assert [call["problem"] for call in calls] == [""]
    assert isinstance(json.loads(calls[0]["answer"]), dict)
    assert expanded["chosen"]
