"""What can be said of SPARQL text without parsing it: its words, and how deep its brackets nest.

The words are those of the grammar's own lexer, https://www.w3.org/TR/sparql11-query/#sparqlGrammar: what stands inside
strings, comments, IRIs, variables and prefixed names is none. So a word SERVICE is the keyword and nothing else.
"""

import re
from collections.abc import Collection, Iterator
from itertools import accumulate
from typing import NamedTuple

_OPAQUE = (
    r"""<[^<>"{}|^`\\\x00-\x20]*>"""
    r"""|\"{3}(?:"{0,2}(?:[^"\\]|\\.))*\"{3}|'{3}(?:'{0,2}(?:[^'\\]|\\.))*'{3}"""
    r"""|"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*'|#[^\n\r]*"""
)
_NO_KEYWORDS = re.compile(_OPAQUE, re.DOTALL)
_PREFIXED_NAME = (
    r"(?:[^\W\d_](?:[\w.·-]*[\w·-])?)?:(?:(?:[\w:·]|%[0-9A-Fa-f]{2}|\\.)(?:[\w:.·-]|%[0-9A-Fa-f]{2}|\\.)*)?"
)
_PREFIXED = re.compile(_PREFIXED_NAME, re.DOTALL)
_NAMES = rf"[?$]\w+|@[A-Za-z]+(?:-[A-Za-z0-9]+)*|_:\w(?:[\w.·-]*[\w·-])?|{_PREFIXED_NAME}"
_VALUES = r"[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?|(?i:true|false)"
_TOKEN = re.compile(rf"(?:{_OPAQUE}|{_NAMES}|{_VALUES})|(?P<word>[A-Za-z_]\w*)|(?P<mark>[{{}}()\[\];])|\S", re.DOTALL)


class Token(NamedTuple):
    """A keyword in capitals, or one of ``{ } ( ) [ ] ;``, with where it starts and ends in the text."""

    text: str
    start: int
    end: int


def tokens(text: str) -> Iterator[Token]:
    """The keywords, brackets and semicolons of a query or an update, in order.

    >>> [token.text for token in tokens('ASK { ?service ex:service "SERVICE" } # SERVICE')]
    ['ASK', '{', '}']
    """
    for match in _TOKEN.finditer(text):
        if match.lastgroup is not None:
            yield Token(match[0].upper(), match.start(), match.end())


def says(text: str, *keywords: str) -> str | None:
    """The first of the keywords that the text uses as such, None if it uses none.

    Oxigraph's parser needs no space around them: ``trueSERVICE SILENT`` and ``SERVICESILENT`` are two words each.
    """
    there = text.upper()
    if not any(keyword in there for keyword in keywords):
        return None
    one = rf"(?P<keyword>{'|'.join(keywords)})(?=SILENT|NAMED|\W|$)"
    if not re.search(rf"(?:(?<![A-Z_])|(?<=TRUE)|(?<=FALSE)){one}", there):  # "download" has no LOAD; data can be long
        return None
    found = (re.match(one, token.text) for token in tokens(text))
    return next((match["keyword"] for match in found if match), None)


def undeclared(text: str, *, known: Collection[str] = ()) -> Token | None:
    """The first prefix that is used and not declared before, without its colon, with where it stands.

    >>> undeclared("PREFIX a: <urn:a:> ASK { ?s a a:B ; rdf:type b:C }", known=["rdf"])
    Token(text='b', start=45, end=46)
    """
    declared, last = set(known), ""
    for match in _TOKEN.finditer(text):
        found = match[0]
        prefix, colon, _ = found.partition(":")
        if last == "PREFIX":
            declared.add(prefix)
        elif found.upper() == "PREFIX:":  # the empty one, which needs no space before it
            declared.add("")
        elif colon and prefix not in declared and _PREFIXED.fullmatch(found):
            return Token(prefix, match.start(), match.start() + len(prefix))
        if not found.startswith("#"):
            last = found.upper()
    return None


def bare(text: str) -> str:
    """The text with IRIs emptied, and without strings and comments."""
    return _NO_KEYWORDS.sub(lambda match: "<>" if match[0].startswith("<") else " ", text)


def depth(text: str) -> int:
    """How many brackets stand open at once, at most."""
    steps = {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}
    opened = (steps[character] for character in bare(text) if character in steps)
    return max(accumulate(opened, lambda depth, step: max(0, depth + step), initial=0))


def nests_deeper(text: str, most: int) -> bool:
    """Whether more than ``most`` brackets stand open at once."""
    opened = text.count("(") + text.count("{") + text.count("[")
    return opened > most and depth(text) > most
