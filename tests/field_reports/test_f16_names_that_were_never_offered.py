"""F16: blank names and things of the model's own making got into the store.

Only what was offered can be chosen; what else the model names is listed, and the model is told once.
"""

from agents.domain import Domain
from agents.llm import build_llm_policy
from agents.roles import Path, Question
from tests.fakes import ScriptedChat, edge, entity

BEAR = entity("Bear")
OFFER = [edge(BEAR, "eats", entity("Honey")), edge(BEAR, "eats", entity("Salmon"))]


def test_rejected_items_are_listed_to_the_model_and_in_the_call() -> None:
    model = ScriptedChat(['{"choices": ["Honey", "", "Porridge", 9]}', '{"choices": [1]}'])
    policy = build_llm_policy({"default": model}, Domain())
    expansion = policy.expander.expand(Question("What does it eat?"), Path(BEAR), OFFER, {})
    assert expansion.chosen == (0,)
    for rejected in ('"(blank)"', '"Porridge"', '"9"'):
        assert rejected in expansion.calls[0].problem
        assert rejected in model.asked[1].prompt


def test_what_is_right_is_used_where_the_model_insists_and_a_note_says_what_was_left_out() -> None:
    policy = build_llm_policy({"default": ScriptedChat(['{"choices": ["Salmon", "Porridge"]}'])}, Domain())
    expansion = policy.expander.expand(Question("What does it eat?"), Path(BEAR), OFFER, {})
    assert expansion.chosen == (1,)
    assert expansion.calls[-1].problem == ""
    assert '"Porridge"' in expansion.calls[-1].note


def test_nothing_right_is_a_problem() -> None:
    policy = build_llm_policy({"default": ScriptedChat(['{"choices": ["Porridge"]}'])}, Domain())
    expansion = policy.expander.expand(Question("What does it eat?"), Path(BEAR), OFFER, {})
    assert expansion.chosen == ()
    assert '"Porridge"' in expansion.calls[-1].problem
