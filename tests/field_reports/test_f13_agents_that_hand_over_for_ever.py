"""F13: two agents handed over to one another for ever, and at the limit all work was lost.

A validator that always says No and an expander that always chooses everything still end: an entity is opened once, so
the same state never comes back; every budget ends the walk with its reason, and what was found by then comes back.
"""

import pytest

from agents.budget import Budget
from agents.roles import Question
from agents.walk import Strategy, WalkResult, WalkSettings, walk
from tests.fakes import FakeRoles, little_graph, route

RING = " ".join(f"n{n}>n{(n + 1) % 6} n{(n + 1) % 6}>n{n}" for n in range(6)) + " root>n0 n3>root n0>n0"
ENDLESS = " ".join(f"n{n}>n{n + 1}" for n in range(60)) + " root>n0"


def go(edges: str, strategy: Strategy, budget: Budget) -> WalkResult:
    settings = WalkSettings(strategy=strategy, budget=budget)
    return walk(little_graph(edges), FakeRoles().policy, Question("Where to?", "root"), settings=settings)


@pytest.mark.parametrize("strategy", ["bfs", "dfs"])
def test_a_ring_is_walked_once_round_without_any_budget(strategy: Strategy) -> None:
    result = go(RING, strategy, Budget(depth=None, calls=None))
    assert result.stopped == ""
    assert result.rounds <= 7
    asked = [call.answer for call in result.calls if call.role == "expander"]
    assert len({place.rpartition(">")[2] for place in asked}) == len(asked)


@pytest.mark.parametrize("strategy", ["bfs", "dfs"])
@pytest.mark.parametrize(
    ("budget", "reason"),
    [
        (Budget(depth=3), "depth limit of 3 edges reached"),
        (Budget(depth=None, calls=9), "limit of 9 calls reached"),
        (Budget(depth=None, tokens=40), "limit of 40 tokens reached"),
        (Budget(depth=None, seconds=0), "time limit of 0 s reached"),
    ],
)
def test_at_a_limit_the_work_so_far_comes_back_with_the_reason(strategy: Strategy, budget: Budget, reason: str) -> None:
    result = go(ENDLESS, strategy, budget)
    assert result.stopped == reason
    (path,) = (scored.path for scored in result.paths)
    assert route(path).startswith("root")
    assert result.answer == route(path)
    assert len(path.edges) == (0 if budget.seconds == 0 else result.rounds)


def test_the_limits_that_are_set_by_default_end_a_walk_of_agents_that_never_have_enough() -> None:
    edges = " ".join(f"root>a{a} a{a}>b{a}-{b}" for a in range(20) for b in range(20)).replace("-", "x")
    result = go(edges, "bfs", Budget())
    assert len(result.calls) <= 200
    assert result.stopped == "limit of 200 calls reached"
    assert len(result.paths) == 5
