"""What every backend does to an answer."""

import pytest

from agents.chat import Message, Reply, check_reply, strip_thoughts, with_instruction
from agents.errors import AnswerCutOff, EmptyAnswer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("2", "2"),
        ("<think>1?</think>2", "2"),
        ("<THINKING>\n1?\n</THINKING>\n\n2\n", "2"),
        ("<think>a</think><think>b</think>2", "2"),
        ("opened by the template</think>2", "2"),
        ("<think>never closed", ""),
        ("a <think> in the middle stays", "a <think> in the middle stays"),
        ("", ""),
    ],
)
def test_thoughts_are_taken_out(text: str, answer: str) -> None:
    assert strip_thoughts(text) == answer


def test_a_reply_needs_text() -> None:
    assert check_reply(Reply("2", "length")).text == "2"
    with pytest.raises(EmptyAnswer, match="gave an empty answer"):
        check_reply(Reply("", "stop", model="m"))
    with pytest.raises(AnswerCutOff, match="allow more tokens an answer"):
        check_reply(Reply("", "length", model="m"))


def test_the_schema_goes_to_the_end_of_the_conversation() -> None:
    told = with_instruction([Message("system", "s"), Message("user", "u")], {"type": "object"})
    assert told[0] == Message("system", "s")
    assert told[1].text.startswith("u\n\n")
    assert told[1].text.endswith('{"type": "object"}')
