"""Putting the policy together."""

import pytest

from agents.domain import Domain
from agents.errors import SettingsError
from agents.llm import ROLES, build_llm_policy
from tests.fakes import ScriptedChat

MODEL = ScriptedChat(["yes"], "one")


def test_each_role_may_have_its_own_model() -> None:
    models = {role: ScriptedChat(["yes"], f"model of {role}") for role in ROLES}
    settings = build_llm_policy(models, Domain()).settings
    assert {settings[f"model.{role}"] for role in ROLES} == {f"model of {role}" for role in ROLES}


def test_settings_say_what_the_policy_is_made_of() -> None:
    settings = build_llm_policy({"default": MODEL}, Domain(), rules=("prefer-class",), wording="necessary").settings
    assert (settings["rules"], settings["wording"], settings["captions"]) == (
        "prefer-class",
        "necessary",
        "from the graph",
    )
    online = build_llm_policy({"default": MODEL}, Domain(), media_files=lambda iri: []).settings
    assert online["captions"] == "online"


@pytest.mark.parametrize(
    ("models", "given", "reason"),
    [
        ({}, {}, "no model plays the perceiver"),
        ({"validator": MODEL}, {}, "no model plays the perceiver"),
        ({"default": MODEL, "judge": MODEL}, {}, "no role is called 'judge'"),
        ({"default": MODEL}, {"rules": ("single",)}, "no rule is called 'single'"),
        ({"default": MODEL}, {"wording": "enough"}, "no wording is called 'enough'"),
    ],
)
def test_what_does_not_fit_together_is_said(
    models: dict[str, ScriptedChat], given: dict[str, object], reason: str
) -> None:
    with pytest.raises(SettingsError, match=reason):
        build_llm_policy(models, Domain(), **given)  # type: ignore[arg-type]
