"""F20: the bill was a surprise.

What a walk has cost so far is told as it goes, it ends at the bound that was set, and it can be stopped before.
"""

import json
from pathlib import Path

import pytest

from agents.engine import Engine
from agents.runs import RunFolder
from tests.fakes import FakeRoles, little_graph
from tests.web.stage import site_of
from web.app import create_app

CHAIN = " ".join(f"{head}>{tail}" for head, tail in zip(["root", *"abcdefgh"], "abcdefghi", strict=True))


@pytest.mark.parametrize(
    ("bound", "reason"),
    [
        ({"calls": 7}, "limit of 7 calls reached"),
        ({"tokens": 30}, "limit of 30 tokens reached"),
        ({"depth": 3}, "depth limit of 3 edges reached"),
    ],
)
def test_calls_and_tokens_are_told_as_they_are_spent_and_end_the_walk(
    tmp_path: Path, bound: dict[str, int], reason: str
) -> None:
    policy = FakeRoles().policy
    engine = Engine(little_graph(CHAIN), lambda _: policy, ("fake",), RunFolder(tmp_path / "runs"))
    client = create_app(site_of(engine)).test_client()
    asked = {"question": "Where to?", "topic": "http://example.org/root", "wait": 20, **bound}
    run = client.post("/api/ask", json=asked).get_json()
    assert run["result"]["stopped"] == reason
    assert run["result"]["paths"]
    assert run["calls"] <= bound.get("calls", run["calls"])
    stream = client.get(run["links"]["events"]).get_data(as_text=True)
    events = [json.loads(line.removeprefix("data: ")) for line in stream.splitlines() if line.startswith("data: ")]
    told = [call for event in events for call in event.get("calls", [])]
    assert (len(told), sum(call["prompt_tokens"] + call["completion_tokens"] for call in told)) == (
        run["calls"],
        run["tokens"],
    )
    assert f"The walk ended early: {reason}." in client.get(run["links"]["page"]).get_data(as_text=True)
