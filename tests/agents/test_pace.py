"""The rate of requests, with a clock of the test's own."""

from agents.pace import Pace


class Clock:
    """Time that passes only by sleeping."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 6))
        self.now += seconds


def test_without_a_rate_nobody_waits() -> None:
    clock = Clock()
    pace = Pace(clock=lambda: clock.now, sleep=clock.sleep)
    for _ in range(5):
        pace.wait()
    assert clock.slept == []


def test_a_rate_spaces_requests_out() -> None:
    clock = Clock()
    pace = Pace(60, clock=lambda: clock.now, sleep=clock.sleep)
    for _ in range(3):
        pace.wait()
    assert clock.slept == [1.0, 1.0]
    clock.now += 10
    pace.wait()
    assert clock.slept == [1.0, 1.0], "after a pause the next goes at once"


def test_a_burst_is_let_through() -> None:
    clock = Clock()
    pace = Pace(60, burst=3, clock=lambda: clock.now, sleep=clock.sleep)
    clock.now += 60
    for _ in range(4):
        pace.wait()
    assert clock.slept == [1.0]


def test_a_hold_holds_everybody() -> None:
    clock = Clock()
    pace = Pace(clock=lambda: clock.now, sleep=clock.sleep)
    pace.hold(5.0)
    pace.hold(2.0)
    pace.wait()
    pace.wait()
    assert clock.slept == [5.0]
