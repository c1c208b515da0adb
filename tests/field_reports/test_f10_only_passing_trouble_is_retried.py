"""F10: what was wrong with a request, or with an answer, was sent again unchanged three times and never mended."""

import pytest

from agents.chat import Message
from agents.domain import Domain
from agents.errors import EndpointRefused
from agents.llm import build_llm_policy
from agents.roles import Path, Question
from tests.fakes import connect, edge, entity, fails, says

BEAR = entity("Bear")
OFFER = [edge(BEAR, "eats", entity("Honey")), edge(BEAR, "eats", entity("Salmon"))]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_a_request_that_is_wrong_is_sent_once(status: int) -> None:
    with connect(fails(status, "wrong")) as (chat, endpoint), pytest.raises(EndpointRefused):
        chat.complete([Message("user", "Which?")])
    assert len(endpoint.requests) == 1


def test_an_answer_that_is_wrong_is_told_what_is_wrong_with_it_once() -> None:
    with connect(says('{"choices": [7]}')) as (chat, endpoint):
        policy = build_llm_policy({"default": chat}, Domain())
        policy.expander.expand(Question("What does it eat?"), Path(BEAR), OFFER, {})
    first, second = endpoint.requests
    assert second["messages"][: len(first["messages"])] == first["messages"]
    assert 'not among the options: "7"' in second["messages"][-1]["content"]
