"""F22: nobody could see what had been asked and answered on the way to an answer.

Every answer of a role carries its calls; the policy says which models and which prompts it is made of.
"""

import hashlib
from importlib import resources

from agents.domain import Domain
from agents.llm import ROLES, build_llm_policy
from agents.roles import Path, Question
from tests.fakes import ScriptedChat, edge, entity

BEAR = entity("Bear")
OFFER = [edge(BEAR, "eats", entity("Honey")), edge(BEAR, "eats", entity("Salmon"))]


def test_a_call_says_who_was_asked_what_it_said_and_what_it_cost() -> None:
    policy = build_llm_policy({"default": ScriptedChat(['{"choices": [2]}'])}, Domain())
    (call,) = policy.expander.expand(Question("What does it eat?"), Path(BEAR), OFFER, {}).calls
    assert (call.role, call.model, call.answer) == ("expander", "scripted", '{"choices": [2]}')
    assert (call.prompt_tokens, call.completion_tokens) == (100, 10)
    assert len(call.prompt_sha256) == 64


def test_another_question_is_another_prompt() -> None:
    policy = build_llm_policy({"default": ScriptedChat(['{"choices": [2]}'])}, Domain())
    hashes = {
        policy.expander.expand(Question(text), Path(BEAR), OFFER, {}).calls[0].prompt_sha256
        for text in ("What does it eat?", "What does it eat?", "When?")
    }
    assert len(hashes) == 2


def test_the_policy_names_each_role_s_model_and_prompt() -> None:
    strong, weak = ScriptedChat(["yes"], "strong"), ScriptedChat(["yes"], "weak")
    settings = build_llm_policy({"default": weak, "validator": strong}, Domain()).settings
    assert settings["model.validator"] == "strong"
    assert settings["model.expander"] == "weak"
    for role in ROLES:
        file = resources.files("agents").joinpath("prompts", f"{role}.md").read_bytes()
        assert settings[f"prompt.{role}"] == hashlib.sha256(file).hexdigest()
