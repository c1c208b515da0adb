"""What a walk may spend."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from agents.budget import Budget, Meter
from agents.roles import Call

CALL = Call("expander", "m", prompt_tokens=7, completion_tokens=3)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, to be set by the test."""
    now = [100.0]
    monkeypatch.setattr("agents.budget.time.perf_counter", lambda: now[0])
    return now


def test_nothing_bounded_is_never_exhausted() -> None:
    meter = Meter(Budget(depth=None, calls=None))
    meter.spend([CALL] * 1000)
    assert meter.exhausted(10_000) == ""


def test_calls_are_counted_with_those_to_come() -> None:
    meter = Meter(Budget(calls=3))
    meter.spend([CALL])
    assert meter.exhausted(2) == ""
    assert meter.exhausted(3) == "limit of 3 calls reached"


def test_tokens_are_those_in_and_out() -> None:
    meter = Meter(Budget(tokens=20))
    meter.spend([CALL])
    assert (meter.tokens, meter.exhausted()) == (10, "")
    meter.spend([CALL])
    assert meter.exhausted() == "limit of 20 tokens reached"


def test_time_is_wall_time(clock: list[float]) -> None:
    meter = Meter(Budget(seconds=2.5), started=100.0)
    clock[0] = 102.4
    assert (meter.is_late, meter.exhausted()) == (False, "")
    clock[0] = 102.5
    assert (meter.is_late, meter.exhausted()) == (True, "time limit of 2.5 s reached")
    assert meter.seconds == 2.5


def test_the_first_bound_that_is_passed_is_named() -> None:
    meter = Meter(Budget(calls=0, tokens=0, seconds=0))
    assert meter.exhausted(1) == "time limit of 0 s reached"
    assert Meter(Budget(calls=0, tokens=0)).exhausted(1) == "limit of 0 calls reached"


def test_calls_from_several_threads_are_all_counted() -> None:
    meter = Meter(Budget())
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: meter.spend([CALL]), range(500)))
    assert (len(meter.calls), meter.tokens) == (500, 5000)
