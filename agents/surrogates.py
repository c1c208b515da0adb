"""Mends text that no encoding can hold: half a surrogate pair, as models cut one off and shells pass one on.

Such a text is a lawful Python string that cannot be hashed, sent, printed or written to a file.
"""

from dataclasses import replace

from agents.roles import Question


def mend(text: str) -> str:
    """The text with each lone surrogate replaced by U+FFFD, and each pair joined.

    >>> mend("cut \\ud83d off"), mend("joined: \\ud83d\\udc09")
    ('cut \ufffd off', 'joined: 🐉')
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if not text.isascii() else text


def mend_question(question: Question) -> Question:
    """The question with its texts mended."""
    return replace(
        question,
        text=mend(question.text),
        topic=mend(question.topic),
        extra=mend(question.extra),
        caption=mend(question.caption),
    )
