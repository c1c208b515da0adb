"""F3: a thinking model spent its whole token limit on the thought; the empty answer was processed as if it were one."""

import pytest

from agents.chat import Message
from agents.domain import Domain
from agents.errors import AnswerCutOff
from agents.llm import build_llm_policy
from agents.roles import Path, Question
from tests.fakes import connect, edge, entity, says

ASK = [Message("user", "Which?")]
BEAR = entity("Bear")
OFFER = [edge(BEAR, "eats", entity("Honey")), edge(BEAR, "eats", entity("Salmon"))]


@pytest.mark.parametrize("thought", ["<think>Honey or salmon? Let me see, the", "<think>Both?</think>", "", None])
def test_a_thought_cut_off_before_the_answer_is_an_error_that_says_what_to_do(thought: str | None) -> None:
    with (
        connect(says(thought, finish_reason="length", tokens=(50, 256))) as (chat, endpoint),
        pytest.raises(AnswerCutOff, match=r"token limit \(256 tokens\).*allow more tokens an answer") as raised,
    ):
        chat.complete(ASK, max_tokens=256)
    assert len(endpoint.requests) == 1, "asking again with the same limit is no use"
    assert raised.value.reply is not None
    assert raised.value.reply.completion_tokens == 256, "what it cost is known"


def test_in_a_walk_it_is_a_counted_problem_with_its_cost() -> None:
    with connect(says("<think>hm", finish_reason="length", tokens=(50, 256))) as (chat, _):
        policy = build_llm_policy({"default": chat}, Domain())
        expansion = policy.expander.expand(Question("What does it eat?"), Path(BEAR), OFFER, {})
    assert expansion.chosen == ()
    assert "token limit" in expansion.calls[-1].problem
    assert expansion.calls[-1].completion_tokens == 256


def test_a_thought_before_the_answer_is_taken_out() -> None:
    with connect(says('<think>Not {"choices": [1]}: it is salmon</think>\n{"choices": [2]}')) as (chat, _):
        policy = build_llm_policy({"default": chat}, Domain())
        expansion = policy.expander.expand(Question("What does it eat?"), Path(BEAR), OFFER, {})
    assert expansion.chosen == (1,)
    assert expansion.calls[0].answer == '{"choices": [2]}'


def test_half_a_list_is_no_list() -> None:
    script = says('{"choices": [1, 2', finish_reason="length"), says('{"choices": [2]}')
    with connect(*script) as (chat, _):
        policy = build_llm_policy({"default": chat}, Domain())
        expansion = policy.expander.expand(Question("What does it eat?"), Path(BEAR), OFFER, {})
    assert expansion.chosen == (1,)
    assert "cut off" in expansion.calls[0].problem
