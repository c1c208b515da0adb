"""F9: one 429 ended a whole document; some providers send no 429 but an empty answer.

Waits are a hundredth of the usual here, by an argument of the client.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agents.cache import CachedChat
from agents.chat import Message
from agents.errors import EmptyAnswer, EndpointFailed
from agents.pace import Pace
from tests.fakes import Response, connect, fails, says

ASK = [Message("user", "Which?")]


def test_retry_after_is_honoured() -> None:
    with connect(fails(429, "slow down", Retry_After="30"), says("2")) as (chat, endpoint):
        assert chat.complete(ASK).text == "2"
    assert endpoint.times[1] - endpoint.times[0] >= 0.3, "30 s at a hundredth"


def test_without_retry_after_the_waits_grow() -> None:
    with connect(fails(429), fails(429), fails(429), says("2"), wait_scale=0.05) as (chat, endpoint):
        assert chat.complete(ASK).text == "2"
    waits = [later - earlier for earlier, later in zip(endpoint.times, endpoint.times[1:], strict=False)]
    assert waits[0] >= 0.025
    assert waits[2] >= 0.1


@pytest.mark.parametrize(
    "trouble",
    [
        fails(500, "crashed"),
        fails(503, "loading model"),
        says(""),
        says("  \n"),
        says("<think>all thought</think>"),
        Response('{"id": "c1", "choices": [{"index": 0, "mess'),
        Response("x" * 500, cut=400),
    ],
    ids=["500", "503", "empty", "blank", "thought only", "broken JSON", "body cut off"],
)
def test_passing_trouble_is_asked_again(trouble: Response) -> None:
    with connect(trouble, says("2")) as (chat, endpoint):
        assert chat.complete(ASK).text == "2"
    assert len(endpoint.requests) == 2


def test_attempts_are_capped_and_the_reason_is_given() -> None:
    with (
        connect(fails(429, "slow down"), attempts=3) as (chat, endpoint),
        pytest.raises(EndpointFailed, match=r"HTTP 429.*slow down") as raised,
    ):
        chat.complete(ASK)
    assert len(endpoint.requests) == 3
    assert "\n" not in str(raised.value)


def test_answers_that_stay_empty_are_an_error_with_their_whole_cost() -> None:
    with connect(says("", tokens=(20, 0)), attempts=3) as (chat, _), pytest.raises(EmptyAnswer) as raised:
        chat.complete(ASK)
    assert raised.value.reply is not None
    assert raised.value.reply.prompt_tokens == 60


def test_what_empty_answers_cost_is_added_to_the_answer() -> None:
    with connect(says("", tokens=(20, 1)), says("2", tokens=(20, 5))) as (chat, _):
        reply = chat.complete(ASK)
    assert (reply.prompt_tokens, reply.completion_tokens) == (40, 6)


def test_a_wait_beyond_all_patience_is_not_waited_for() -> None:
    with connect(fails(429, "daily limit", Retry_After="86400")) as (chat, endpoint):
        started = time.monotonic()
        with pytest.raises(EndpointFailed, match="come back in 86400 s"):
            chat.complete(ASK)
    assert len(endpoint.requests) == 1
    assert time.monotonic() - started < 1


def test_a_slow_endpoint_is_tried_twice_then_named() -> None:
    with (
        connect(Response("{}", delay_s=0.5), timeout_s=0.1) as (chat, endpoint),
        pytest.raises(EndpointFailed, match="did not answer in time"),
    ):
        chat.complete(ASK)
    assert len(endpoint.requests) == 2


def test_all_threads_keep_the_pause_that_one_was_told_to_make() -> None:
    with connect(fails(429, Retry_After="50"), says("2")) as (chat, endpoint), ThreadPoolExecutor(4) as pool:
        first = pool.submit(chat.complete, ASK)
        while not endpoint.times:
            time.sleep(0.005)
        time.sleep(0.1)  # the answer is in
        others = [pool.submit(chat.complete, ASK) for _ in range(3)]
        assert {future.result().text for future in (first, *others)} == {"2"}
    assert len(endpoint.times) == 5
    assert min(endpoint.times[1:]) - endpoint.times[0] >= 0.45


def test_a_rate_is_kept() -> None:
    with connect(says("2"), pace=Pace(per_minute=1200)) as (chat, endpoint), ThreadPoolExecutor(5) as pool:
        list(pool.map(lambda _: chat.complete(ASK), range(5)))
    assert endpoint.times[-1] - endpoint.times[0] >= 0.18, "five requests, 50 ms apart"


def test_finished_work_is_kept_when_the_endpoint_gives_up(tmp_path: Path) -> None:
    questions = [[Message("user", f"Question {number}?")] for number in range(3)]
    with connect(says("a"), says("b"), fails(500), attempts=2) as (chat, _):
        cached = CachedChat(chat, tmp_path)
        assert [cached.complete(question).text for question in questions[:2]] == ["a", "b"]
        with pytest.raises(EndpointFailed):
            cached.complete(questions[2])
        identity = chat.identity

    with connect(says("c")) as (chat, endpoint):
        chat._base_url = identity.removeprefix("some-model at ")  # the same endpoint, up again
        again = CachedChat(chat, tmp_path)
        assert [again.complete(question).text for question in questions] == ["a", "b", "c"]
        assert (again.hits, again.misses) == (2, 1)
    assert len(endpoint.requests) == 1
