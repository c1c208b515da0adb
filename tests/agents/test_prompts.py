"""Prompts: files, variables, rules."""

import hashlib
from importlib import resources

import pytest

from agents.chat import Message
from agents.errors import PromptError
from agents.llm import ROLES
from agents.llm_roles import RULES
from agents.prompts import load_prompt, parse_prompt

TEXT = """# Beekeeper

Not sent.

## System

You are
$persona.

## User

$question

$rules

Answer.

## Rule: sweet

Prefer $taste.

## Rule: slow

Take your time.
"""


def test_sections_are_filled_in() -> None:
    messages = parse_prompt("bees", TEXT).render({"persona": "a bear", "question": "Honey?"})
    assert messages == [Message("system", "You are a bear."), Message("user", "Honey?\n\nAnswer.")]


def test_rules_are_put_in_where_asked_for() -> None:
    prompt = parse_prompt("bees", TEXT)
    variables = {"persona": "a bear", "question": "Honey?", "taste": "clover"}
    assert prompt.render(variables, rules=("sweet",))[1].text == "Honey?\n\nPrefer clover.\n\nAnswer."
    both = prompt.render(variables, rules=("slow", "sweet"))[1].text
    assert both.index("Take your time.") < both.index("Prefer clover.")


def test_lines_of_a_paragraph_are_joined_and_those_of_values_are_not() -> None:
    messages = parse_prompt("bees", TEXT).render({"persona": "a bear", "question": "Honey?\n- clover\n\n\n- heather"})
    assert messages[0].text == "You are a bear."
    assert messages[1].text == "Honey?\n- clover\n\n\n- heather\n\nAnswer."


def test_missing_and_extra_variables_are_errors() -> None:
    prompt = parse_prompt("bees", TEXT)
    with pytest.raises(PromptError, match=r"missing variables \['question'\]"):
        prompt.render({"persona": "a bear"})
    with pytest.raises(PromptError, match=r"does not have \['taste'\]"):
        prompt.render({"persona": "a bear", "question": "Honey?", "taste": "clover"})
    with pytest.raises(PromptError, match="no rule 'sour'"):
        prompt.render({"persona": "a bear", "question": "Honey?"}, rules=("sour",))


def test_values_mean_nothing_to_the_template() -> None:
    messages = parse_prompt("bees", TEXT).render({"persona": "$question", "question": "$5 for $rules and ${persona}?"})
    assert messages[0].text == "You are $question."
    assert messages[1].text.startswith("$5 for $rules and ${persona}?")


@pytest.mark.parametrize(
    "text", ["# x\n\n## User\n\ncosts $ 5", "# x\n\n## Sytem\n\ny\n\n## User\n\nz", "# x\n\nno sections"]
)
def test_a_file_that_is_not_well_formed_is_refused(text: str) -> None:
    with pytest.raises(PromptError):
        parse_prompt("bad", text)


def test_there_is_a_prompt_for_each_role_and_its_hash_is_that_of_the_file() -> None:
    for name in (*ROLES, "repair"):
        file = resources.files("agents").joinpath("prompts", f"{name}.md").read_bytes()
        assert load_prompt(name).sha256 == hashlib.sha256(file).hexdigest()
    with pytest.raises(PromptError, match="nobody"):
        load_prompt("nobody")


def test_the_rules_of_the_expander_are_those_that_can_be_switched() -> None:
    assert set(load_prompt("expander").rules) == set(RULES)


@pytest.mark.parametrize("name", [*ROLES, "repair"])
def test_no_prompt_knows_a_domain(name: str) -> None:
    text = resources.files("agents").joinpath("prompts", f"{name}.md").read_text(encoding="utf-8").casefold()
    assert not [word for word in ("monster", "hunter", "attack", "phase", "weapon", "mhw") if word in text]
