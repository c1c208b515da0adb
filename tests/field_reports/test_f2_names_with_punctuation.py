"""F2: a delimiter that the model varied, or that stood in a name, cut names in two.

There is no delimiter to keep to: what is offered has numbers, and names are matched as wholes whatever is in them.
"""

import pytest

from agents.matching import Option
from agents.parsing import parse_choices

NAMES = ["X (Y)", "Salt; Pepper", 'Say "Hello"', "Attack [2]", "Fire, Ice & Thunder", "Salt", "<||>", "O'Brien"]
OPTIONS = [Option(name, f"http://example.org/{number}") for number, name in enumerate(NAMES)]


@pytest.mark.parametrize("index", range(len(NAMES)))
def test_a_name_is_found_whatever_stands_in_it(index: int) -> None:
    assert parse_choices(NAMES[index], OPTIONS).value == (index,)
    assert parse_choices(f"{index + 1}. {NAMES[index]}", OPTIONS).value == (index,)


@pytest.mark.parametrize(
    "answer",
    [
        "X (Y); Attack [2]",
        "X (Y)<||>Attack [2]",
        "X (Y) < | | > Attack [2]",
        "X (Y), Attack [2]",
        "X (Y) | Attack [2].",
        "x y and attack 2",
        "- X (Y)\n- Attack [2]",
        '["X (Y)", "Attack [2]"]',
        '{"choices": ["X (Y)"; "Attack [2]"]}',
    ],
)
def test_any_delimiter_will_do(answer: str) -> None:
    assert parse_choices(answer, OPTIONS).value == (0, 3)


def test_the_longest_name_wins() -> None:
    assert parse_choices("Salt; Pepper; Attack [2]", OPTIONS).value == (1, 3)
    assert parse_choices("Salt", OPTIONS).value == (5,)
