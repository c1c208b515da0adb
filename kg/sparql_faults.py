"""What the store says of a query or an update that it cannot read, in words that help whoever wrote it.

Oxigraph's parser lists all that it would have taken at the place where it stopped, the characters of names one range
at a time, and its own sentences among them. Of a prefix that is not declared it often says nothing at all, so those are
looked for in the text. Knows nothing of who asked.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from kg.sparql_text import undeclared

_POSITION = re.compile(r"^error at (\d+):(\d+): ")
_WOULD_DO = re.compile(r"expected (?:one of )?")
_NEXT = re.compile(r", (?=[\"'A-Za-z\[<])")
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and where: ``line`` and ``column`` count from 1, None where the parser names no place."""

    reason: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return self.reason if self.line is None else f"line {self.line}, column {self.column}: {self.reason}"


def fault_of(error: Exception, text: str, *, prefixes: Collection[str] = ()) -> Fault:
    """What ``error`` says of ``text``, which may use the given ``prefixes`` without declaring them.

    >>> str(fault_of(SyntaxError("error at 1:18: expected one of OPTIONAL, ['%']"), "ASK { ?s foaf:name ?o }"))
    'line 1, column 10: the prefix foaf: is not declared'
    """
    message = " ".join(str(error).split())
    where = _POSITION.match(message)
    if where is None:
        return Fault(_cut(message))
    line, column = int(where[1]), int(where[2])
    stopped = sum(len(each) + 1 for each in text.split("\n")[: line - 1]) + column - 1
    unknown = undeclared(text, known=prefixes)
    if unknown is not None and unknown.start < stopped:
        before = text[: unknown.start]
        start = unknown.start - (before.rfind("\n") + 1) + 1
        return Fault(_cut(f"the prefix {unknown.text}: is not declared"), before.count("\n") + 1, start)
    return Fault(_cut(_readable(message[where.end() :])), line, column)


def _readable(said: str) -> str:
    """The parser's own sentence where there is one, else what it would take, without the characters of names."""
    would_do = _WOULD_DO.match(said)
    if would_do is None:
        return said
    parts = [part for part in _NEXT.split(said[would_do.end() :]) if not part.startswith(("[", "<"))]
    sentences = [part for part in parts if " " in part and part[0].isalpha()]
    if sentences:
        return sentences[0][0].lower() + sentences[0][1:] if sentences[0][1].islower() else sentences[0]
    if not parts:
        return "what stands here does not fit"
    return f"expected {'one of ' if len(parts) > 1 else ''}{', '.join(parts)}"


def _cut(message: str) -> str:
    return message if len(message) <= _LONGEST else f"{message[:_LONGEST]} ..."
