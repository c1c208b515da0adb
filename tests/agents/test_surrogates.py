"""An answer that was cut through a surrogate pair neither ends the walk nor reaches the endpoint as it is."""

from agents.domain import Domain
from agents.llm import build_llm_policy
from agents.roles import Path, Question
from tests.fakes import ScriptedChat, edge, entity

BEAR = entity("Bear")
OFFER = [edge(BEAR, "eats", entity("Honey"))]


def test_an_answer_with_half_a_pair_is_read() -> None:
    model = ScriptedChat(["Honey \ud83d"])
    expansion = build_llm_policy({"default": model}, Domain()).expander.expand(Question("?"), Path(BEAR), OFFER, {})
    assert all(call.answer.encode() for call in expansion.calls)
    assert all(asked.prompt.encode() for asked in model.asked)


def test_a_caption_with_half_a_pair_can_be_told_to_a_model() -> None:
    model = ScriptedChat(['{"choices": [1]}'])
    overlay = {BEAR.iri: "a bear \ud83d"}
    expansion = build_llm_policy({"default": model}, Domain()).expander.expand(
        Question("?"), Path(BEAR), OFFER, overlay
    )
    assert expansion.chosen == (0,)
    assert "a bear \ufffd" in model.asked[0].prompt
