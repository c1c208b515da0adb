"""F1: a small model that never keeps to the format made runs that "succeeded" with nothing in them.

An answer that cannot be read is told back once; what cannot be read then is a problem that is counted, never a success.
"""

from agents.domain import Domain
from agents.llm import build_llm_policy
from agents.roles import Path, Question
from tests.fakes import connect, edge, entity, says

BEAR = entity("Bear")
OFFER = [edge(BEAR, "eats", entity("Honey")), edge(BEAR, "eats", entity("Salmon"))]


def test_an_unreadable_answer_is_asked_again_once_then_counted() -> None:
    with connect(says("Well, bears are fascinating animals.")) as (chat, endpoint):
        policy = build_llm_policy({"default": chat}, Domain())
        expansion = policy.expander.expand(Question("What does it eat?"), Path(BEAR), OFFER, {})
    assert expansion.chosen == ()
    assert len(endpoint.requests) == 2
    assert len(expansion.calls) == 2
    assert all("no option can be made out" in call.problem for call in expansion.calls)
    told = endpoint.requests[1]["messages"]
    assert told[-2] == {"role": "assistant", "content": "Well, bears are fascinating animals."}
    assert "no option can be made out" in told[-1]["content"]


def test_an_answer_mended_when_told_is_used_and_the_first_is_still_counted() -> None:
    with connect(says("the second one, I suppose"), says('{"choices": [2]}')) as (chat, _):
        policy = build_llm_policy({"default": chat}, Domain())
        expansion = policy.expander.expand(Question("What does it eat?"), Path(BEAR), OFFER, {})
    assert expansion.chosen == (1,)
    assert [bool(call.problem) for call in expansion.calls] == [True, False]


def test_an_unreadable_verdict_is_not_a_yes() -> None:
    with connect(says("Perhaps.")) as (chat, _):
        policy = build_llm_policy({"default": chat}, Domain())
        verdict = policy.validator.validate(Question("What does it eat?"), Path(BEAR, (OFFER[0],)), {})
    assert not verdict.sufficient
    assert verdict.calls[-1].problem


def test_choosing_nothing_is_an_answer_and_no_problem() -> None:
    with connect(says('{"choices": []}')) as (chat, endpoint):
        policy = build_llm_policy({"default": chat}, Domain())
        expansion = policy.expander.expand(Question("How old is it?"), Path(BEAR), OFFER, {})
    assert expansion.chosen == ()
    assert [call.problem for call in expansion.calls] == [""]
    assert len(endpoint.requests) == 1
