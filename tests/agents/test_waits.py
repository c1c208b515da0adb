"""Waits between attempts, and what Retry-After says."""

import pytest

from agents.waits import Waits, read_retry_after


def test_waits_grow_up_to_a_bound_and_are_never_the_same() -> None:
    waits = Waits(first_s=1.0, longest_s=8.0)
    for attempt, bound in ((1, 1.0), (2, 2.0), (3, 4.0), (4, 8.0), (9, 8.0)):
        drawn = {waits.seconds(attempt) for _ in range(20)}
        assert all(bound / 2 <= seconds <= bound for seconds in drawn)
        assert len(drawn) > 1


def test_a_named_time_is_kept_to_and_a_little_added() -> None:
    assert all(7.0 <= Waits().seconds(1, retry_after_s=7.0) <= 7.25 for _ in range(20))
    assert Waits(scale=0.1).seconds(1, retry_after_s=10.0) == pytest.approx(1.0, abs=0.03)


def test_patience_ends() -> None:
    assert not Waits(patience_s=120).too_long(120)
    assert Waits(patience_s=120).too_long(121)
    assert not Waits().too_long(None)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}, 60.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:10 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert read_retry_after(headers, now=40.0) == seconds
