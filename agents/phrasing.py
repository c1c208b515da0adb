"""How questions and lists are put into a prompt, and how plain text is read out of an answer."""

import re
from collections.abc import Iterable

from agents.chat import Reply
from agents.extraction import unfence
from agents.parsing import Parsed
from agents.roles import Question
from agents.topic import is_named
from sparql.graph import Entity

_LABEL = re.compile(r"^[\s*#_]*(?:description|answer|response|caption)[\s*_]*:[\s*_]*", re.IGNORECASE)


def describe_question(question: Question) -> str:
    """The question with all that is known beside it, a line each."""
    lines = [
        ("Question", question.text),
        ("It is about", question.topic),
        ("What else is known", question.extra),
        ("What the pictures show", question.caption),
    ]
    return "\n".join(f"{name}: {' '.join(text.split())}" for name, text in lines if text.strip())


def nothing_fits(question: Question, topic: Entity) -> str:
    """The answer where nothing that was found has anything to do with the question."""
    if is_named(topic, question):
        return f"Nothing that the graph says of {topic.label} fits the question."
    return f"Nothing in the graph fits the question. The nearest topic is {topic.label}."


def shorten(text: str, words: int) -> str:
    """The first ``words`` words of the text.

    >>> shorten("one two three", 2)
    'one two …'
    """
    said = text.split()
    return " ".join(said) if len(said) <= words else " ".join([*said[:words], "…"])


def read_prose(reply: Reply) -> Parsed[str]:
    """An answer in plain text, without the label or the quotes that some models put around it.

    >>> read_prose(Reply('Description: "It leaps."')).value
    'It leaps.'
    """
    text = _LABEL.sub("", unfence(reply.text)).strip()
    if len(text) > 1 and text[0] == text[-1] == '"' and '"' not in text[1:-1]:
        text = text[1:-1].strip()
    return Parsed(text) if text else Parsed(None, "the answer is empty")


def numbered(lines: Iterable[str]) -> str:
    """The lines with numbers from 1."""
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


def bulleted(lines: Iterable[str]) -> str:
    """The lines as a list."""
    return "\n".join(f"- {line}" for line in lines)
