"""Answers of no sense at all. The usual disguises of an answer that makes sense are in the field reports F2 and F4."""

import random

import pytest

from agents.extraction import find_json
from agents.matching import Option
from agents.parsing import (
    Parsed,
    choice_schema,
    choices_schema,
    parse_choice,
    parse_choices,
    parse_verdict,
    verdict_schema,
)

NAMES = ["Bite", "Tail Spin", "360 Tail Spin", "X; Y", "Fire [Angry]", "None", "3", "???", ""]
OPTIONS = [Option(name, f"k:{number}") for number, name in enumerate(NAMES)]
SCRAPS = [
    *"{}[]\"':,;()*",
    *("1", "2", "99", "-1", "1.5", "0", "1e999", "NaN", "Bite", "tail spin", "None", "null", "true"),
    *(
        "choices",
        "answer",
        "yes",
        "no",
        "not",
        "and",
        "```",
        "```json",
        "\n",
        " ",
        "<think>",
        "Answer:",
        "- ",
        "\\",
        "\x00",
    ),
]


def test_nonsense_never_raises_and_never_passes_for_an_answer_without_being_one() -> None:
    chance = random.Random(1)
    for _ in range(3000):
        text = "".join(chance.choice(SCRAPS) for _ in range(chance.randint(0, 14)))
        for cut_off in (False, True):
            for parse in (parse_choices, parse_choice):
                parsed = parse(text, OPTIONS, cut_off=cut_off)
                assert parsed.value is not None or parsed.problem, text
                assert all(0 <= index < len(OPTIONS) for index in parsed.value or ()), text
            verdict = parse_verdict(text, cut_off=cut_off)
            assert (verdict.value is None) == bool(verdict.problem), text


@pytest.mark.parametrize("text", ["[" * 20_000, "{" * 2_000, "(" * 20_000, "Answer: " * 2_000, "1, " * 20_000])
def test_a_model_that_loops_does_no_harm(text: str) -> None:
    assert parse_choices(text, OPTIONS).problem
    assert parse_verdict(text).problem
    assert find_json(text) == []


def test_of_one_choice_parallel_edges_are_one_thing() -> None:
    twice = [Option("Bite", "k:bite"), Option("Bite", "k:bite")]
    assert parse_choice("Bite", twice) == Parsed((0,))
    assert parse_choice("Bite; Roar", [Option("Bite", "k:bite"), Option("Roar", "k:roar")]).value is None


def test_the_description_comes_back_with_the_verdict() -> None:
    for text in ('{"description": "It leaps.", "missing": "all", "answer": "no"}', "No; It leaps."):
        parsed = parse_verdict(text)
        assert parsed.value is not None
        assert (parsed.value.yes, parsed.value.description) == (False, "It leaps.")
    assert parse_verdict('{"description": ["It", "leaps"], "answer": "no"}').problem == "the description is not text"


def test_schemas_keep_to_what_strict_endpoints_accept() -> None:
    for schema in (choices_schema(2), choice_schema(2), verdict_schema(thought="missing", described=True)):
        properties = schema["properties"]
        assert isinstance(properties, dict)
        assert schema["required"] == list(properties)
        assert schema["additionalProperties"] is False
    assert list(verdict_schema(thought="adds", described=True)["properties"]) == ["description", "adds", "answer"]  # type: ignore[call-overload]
