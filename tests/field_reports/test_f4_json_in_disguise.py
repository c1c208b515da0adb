"""F4: JSON in a fence, a bare list, other key names or talk around it broke the parser, though the answer was there."""

import pytest

from agents.chat import strip_thoughts
from agents.matching import Option
from agents.parsing import parse_choices, parse_verdict

OPTIONS = [Option(name, f"http://example.org/{name}") for name in ("Honey", "Salmon", "Berries")]


@pytest.mark.parametrize(
    "answer",
    [
        '{"choices": [1, 3]}',
        '```json\n{"choices": [1, 3]}\n```',
        'Sure, here you are:\n```\n{"choices": [1, 3]}\n```\nLet me know if you need more!',
        '{"choices": [1, 3]}\n\nExplanation: bears eat honey and berries.',
        "[1, 3]",
        "The answer is [1, 3].",
        '["Honey", "Berries"]',
        '{"neighbors": ["honey", "BERRIES"]}',
        '{"answer": "1, 3"}',
        '{"reasoning": "sweet things", "selected": [1, 3]}',
        '{"Relevant": ["1", "3"]}',
        '[{"number": 1, "name": "Honey"}, {"number": 3, "name": "Berries"}]',
        '{"choices": [{"id": 1}, {"id": 3}]}',
        '{"1": true, "2": false, "3": true}',
        '{"1": "Honey", "3": "Berries"}',
        "{'choices': [1, 3,]}",
        "{choices: [1, 3]}",
        "1. Honey\n3. Berries",
        "- Honey (it is sweet)\n- Berries: in autumn",
        "I would go with these.\nAnswer: 1 and 3",
        "**1**, **3**",
        "<think>2?</think>1, 3",
    ],
)
def test_the_answer_is_found(answer: str) -> None:
    assert parse_choices(strip_thoughts(answer), OPTIONS).value == (0, 2)
    assert parse_choices(strip_thoughts(answer), OPTIONS).problem == ""


@pytest.mark.parametrize(
    "answer",
    [
        "Honey, but not Salmon",
        "1-3",
        "1 or 3",
        "2. Honey",
        '{"choices": [1]} or perhaps {"choices": [2]}',
        '{"choices": {"first": 1, "second": 2}}',
        '{"choices": true}',
        "Honey\nThinking again:\nSalmon",
        "These are not relevant:\n- Honey",
        "It depends.",
        "",
    ],
)
def test_what_could_mean_anything_means_nothing(answer: str) -> None:
    parsed = parse_choices(answer, OPTIONS)
    assert parsed.value is None
    assert parsed.problem


@pytest.mark.parametrize(
    ("answer", "yes"),
    [
        ("Yes", True),
        ("no.", False),
        ("**Yes**", True),
        ("Yes; it rears up.", True),
        ("No, the tail is missing.", False),
        ('{"answer": "yes"}', True),
        ('```json\n{"sufficient": false}\n```', False),
        ('{"verdict": "Yes.", "why": "all is said"}', True),
        ("It says little.\n\nAnswer: No", False),
        ("Not sufficient", False),
        ("'Yes'", True),
    ],
)
def test_a_verdict_is_found(answer: str, yes: bool) -> None:
    parsed = parse_verdict(answer)
    assert parsed.value is not None
    assert parsed.value.yes is yes


@pytest.mark.parametrize(
    "answer", ["Yes and no", "Yes/No", "No doubt it is", "Answer: yes\nAnswer: no", '{"answer": 7}']
)
def test_a_verdict_that_is_none_is_none(answer: str) -> None:
    assert parse_verdict(answer).value is None
