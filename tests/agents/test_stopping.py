"""A walk that somebody stops: no call begins any more, and the best paths so far come back."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agents.budget import STOPPED, Budget, Meter
from agents.errors import WalkStopped
from agents.roles import Question
from agents.trace import Event
from agents.walk import WalkResult, walk
from tests.fakes import FakeRoles, little_graph, route

ASKED = Question("Where to?", topic="root")


class Stop:
    """A signal that is given when a role is asked at a place."""

    def __init__(self, role: str, place: str = "") -> None:
        self.role, self.place, self.event = role, place, threading.Event()

    def before(self, role: str, place: str) -> None:
        if role == self.role and self.place in {"", place}:
            self.event.set()

    @property
    def roles(self) -> FakeRoles:
        return FakeRoles(topic="root", before=self.before)


def go(stop: Stop, roles: FakeRoles, *, question: Question = ASKED) -> tuple[WalkResult, list[Event]]:
    events: list[Event] = []
    store = little_graph("root>a root>b a>c b>d c>e")
    return walk(store, roles.policy, question, observe=events.append, stop=stop.event.is_set), events


def test_what_was_found_until_then_comes_back_without_an_answer() -> None:
    stop = Stop("expander", "root>a")
    roles = stop.roles
    result, events = go(stop, roles)
    assert (result.stopped, result.answer) == (STOPPED, "")
    # the calls of the round that ended at once are counted, and what they chose is kept
    assert route(result.paths[0].path).startswith("root>")
    assert "root>a" in roles.places("expander")
    assert roles.places("summarizer") == []
    assert not any("c" in place for place in roles.places("validator"))
    assert events[-1].kind == "answered"
    assert events[-1].data["stopped"] == STOPPED


@pytest.mark.parametrize("role", ["perceiver", "topic_selector"])
def test_a_walk_that_has_no_topic_yet_has_nothing_to_give(role: str) -> None:
    stop = Stop(role)
    question = Question("Where to?", images=(Path("a.png"),))
    if role == "perceiver":
        with pytest.raises(WalkStopped, match="before it had a topic"):
            go(stop, stop.roles, question=question)
    else:
        result, _ = go(stop, stop.roles, question=question)
        assert (result.stopped, result.rounds) == (STOPPED, 0)


def test_a_walk_that_is_stopped_before_it_begins_asks_nobody() -> None:
    stop = Stop("")
    stop.event.set()
    roles = stop.roles
    with pytest.raises(WalkStopped):
        go(stop, roles, question=Question("Where to?"))
    assert roles.asked == []


def test_a_stop_while_the_answer_is_written_comes_too_late() -> None:
    stop = Stop("summarizer")
    result, _ = go(stop, stop.roles)
    assert (result.stopped, bool(result.answer)) == ("", True)


@pytest.mark.parametrize(
    ("signal", "budget", "reason"),
    [
        (lambda: True, Budget(calls=0), STOPPED),
        (lambda: False, Budget(calls=0), "limit of 0 calls reached"),
        (lambda: False, Budget(), ""),
    ],
)
def test_the_meter_names_the_stop_before_any_bound(signal: Callable[[], bool], budget: Budget, reason: str) -> None:
    meter = Meter(budget, signal)
    assert meter.exhausted(1) == reason
    assert meter.is_over == (reason == STOPPED)


def test_answers_of_a_round_are_told_one_by_one_and_captions_stay_unseen_within_it() -> None:
    told = threading.Event()
    seen: list[str] = []

    def before(role: str, place: str) -> None:
        if (role, place) == ("validator", "root>b"):
            assert told.wait(5), "the first verdict was kept back until the last was there"
        seen.append(f"{role} {place}")

    def observe(event: Event) -> None:
        if event.kind == "validated":
            told.set()

    roles = FakeRoles(before=before, captions={"a": "a red door"})
    result = walk(little_graph("root>a root>b"), roles.policy, ASKED, observe=observe)
    assert {iri.value.rsplit("/", 1)[-1]: text for iri, text in result.overlay.items()} == {"a": "a red door"}
    overlays = {place: overlay for role, place, overlay in roles.overlays if role == "validator"}
    assert overlays == {"root>a": {}, "root>b": {}}


@pytest.mark.parametrize("role", ["expander", "validator", "summarizer"])
def test_a_call_under_way_is_abandoned(role: str) -> None:
    stop, release = threading.Event(), threading.Event()

    def before(asked: str, place: str) -> None:
        if asked == role:
            stop.set()
            assert release.wait(20)

    roles = FakeRoles(before=before)
    with ThreadPoolExecutor(4) as pool:
        began = time.monotonic()
        result = walk(little_graph("root>a a>b"), roles.policy, ASKED, stop=stop.is_set, pool=pool)
        assert time.monotonic() - began < 5
        release.set()
    assert (result.stopped, result.answer) == (STOPPED, "")
    assert role not in {call.role for call in result.calls}


@pytest.mark.parametrize("role", ["perceiver", "topic_selector"])
def test_so_is_one_before_there_is_a_topic(role: str) -> None:
    stop, release = threading.Event(), threading.Event()

    def before(asked: str, place: str) -> None:
        stop.set()
        assert release.wait(20)

    question = Question("Where to?", images=(Path("a.png"),) if role == "perceiver" else ())
    with ThreadPoolExecutor(4) as pool:
        with pytest.raises(WalkStopped):
            walk(little_graph("root>a"), FakeRoles(before=before).policy, question, stop=stop.is_set, pool=pool)
        release.set()
