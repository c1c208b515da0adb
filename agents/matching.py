"""Matches what a model wrote against the options that it was offered: numbers, names, or both.

A name is matched as a whole, longest first, with case and punctuation aside, so it may hold semicolons, brackets and
quotes. Text counts as an answer only where nothing but names, numbers and a few words of course are in it; anything
else is unclear, and to be asked again rather than guessed at.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from agents.topic import normalise

_OF_COURSE = frozenset(
    re.findall(
        r"\w+",
        "a all also an and answer answers are both choice choices choose chosen entities entity final following i is "
        "it list my name names neighbor neighbors neighbour neighbours number numbers option options relevant response "
        "responses select selected the then these would",
    )
)
_NONE = re.compile(
    r"(the )?((final )?(answer|response|choices?)( is)? )?"
    r"(none|null|nothing|nil|n a|na|empty|0|no|none of (them|these|those|the above|the options)"
    r"|no (relevant )?(neighbou?rs?|entity|entities|options?|choices?|neighbou?r entit(y|ies))( (is|are) relevant)?)"
)
_NUMBER = re.compile(r"[^\w-]*(\d{1,9})\W*")
_NUMBERED = re.compile(
    r"\W*(?:no|nr|number|option|neighbou?r)?[^\w-]*(\d{1,9})\s*[.):\]\u2013\u2014-]+\s*(\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_RANGE_OR_FRACTION = re.compile(r"\d\s*[-\u2013\u2014]\s*\d|\d\.\d")
_GLOSSED = re.compile(r"([^\n]*?)[ \t]*(?:\([^()\n]*\)\W*|(?::|[ \t][-\u2013\u2014])[ \t][^;\n]*)")
_Item = TypeVar("_Item")


class Unclear(ValueError):
    """What a model wrote is not an answer; the text says why, for the model to read."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing on offer: how it is called, and ``key``, what it is (an IRI), whatever it is called."""

    label: str
    key: str
    aliases: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The label and the aliases."""
        return (self.label, *self.aliases)


@dataclass(frozen=True, slots=True)
class Matches:
    """Indices of the options that were named, each once, in order; and what was named that is not on offer."""

    indices: tuple[int, ...] = ()
    rejected: tuple[str, ...] = ()

    def __add__(self, other: "Matches") -> "Matches":
        return Matches(_once(self.indices + other.indices), _once(self.rejected + other.rejected))


class Offer:
    """The options, ready to be matched. Options are numbered from 1; number 0 stands for none."""

    def __init__(self, options: Sequence[Option]) -> None:
        self._options = options
        self._exact: dict[str, list[int]] = {}
        self._loose: dict[str, list[int]] = {}
        for index, option in enumerate(options):
            for name in option.names:
                _add(self._exact, name.strip(), index)
                _add(self._loose, normalise(name), index)
        self._exact.pop("", None)
        self._loose.pop("", None)
        self._longest = max((len(name.split()) for name in self._loose), default=0)

    def __len__(self) -> int:
        return len(self._options)

    def number(self, number: float) -> Matches:
        """The option of that number."""
        if float(number).is_integer() and 1 <= number <= len(self._options):
            return Matches((int(number) - 1,))
        return Matches() if number == 0 else Matches(rejected=(str(number),))

    def name(self, text: str) -> Matches | None:
        """The options called that, or None: several where one thing is offered by several edges.

        Raises Unclear where different things are called so.
        """
        indices = self._exact.get(text.strip()) or self._loose.get(normalise(text))
        if not indices:
            return None
        if len({self._options[index].key for index in indices}) > 1:
            numbers = " and ".join(str(index + 1) for index in indices)
            raise Unclear(
                f'more than one option is called "{text.strip()}" (numbers {numbers}): answer with the number'
            )
        return Matches(tuple(indices))

    def item(self, text: str) -> Matches:
        """What one text names: "2", "2. Bite", "Bite (when angry)", "Bite; Tail Spin", "None". Raises Unclear."""
        found = self.find(text)
        return found if found is not None else Matches(rejected=(text.strip() or "(blank)",))

    def find(self, text: str) -> Matches | None:
        """As :meth:`item`, or None where the text is not clearly an answer."""
        named = self.name(text)
        if _NUMBER.fullmatch(text.strip()):
            return self._bare_number(text.strip(), named)
        if is_none(text):
            if named:
                raise Unclear(f'"{text.strip()}" is the name of an option and may also mean none: answer with a number')
            return Matches()
        if named:
            return named
        if _RANGE_OR_FRACTION.search(text) and self.words(text) is not None:
            raise Unclear("write out every number on its own")
        return self._numbered(text) or self.words(text) or self._glossed(text)

    def _bare_number(self, text: str, named: Matches | None) -> Matches:
        match = _NUMBER.fullmatch(text)
        counted = self.number(int(match[1])) if match else Matches()
        if named and counted.indices and counted != named:
            raise Unclear(f'"{text}" is the number of one option and the name of another: answer with the number')
        return named or counted

    def _numbered(self, text: str) -> Matches | None:
        """``2. Bite``: a number and what follows it; a name that follows must be that option's own."""
        match = _NUMBERED.fullmatch(text.strip())
        if not match:
            return None
        counted, rest = self.number(int(match[1])), match[2]
        named = self.name(rest) or (None if self.words(rest) else self._glossed(rest))
        if named:
            return self.agreed(counted, named)
        return None if self.words(rest) or re.search(r"\d|\n", rest) else counted

    def _glossed(self, text: str) -> Matches | None:
        """``Bite (when angry)``, ``Bite: the jaw snaps``: a name and a remark on it."""
        match = _GLOSSED.fullmatch(text.strip())
        return self.name(match[1]) if match else None

    def agreed(self, counted: Matches, named: Matches) -> Matches:
        """The option that a number and a name both mean. Raises Unclear where they do not."""
        both = tuple(index for index in counted.indices if index in named.indices)
        if not both:
            raise Unclear("a number and the name beside it mean different options: answer with numbers alone")
        return Matches(both)

    def words(self, text: str) -> Matches | None:
        """The options named in ``text`` where it holds nothing else of note, or None."""
        tokens = normalise(text).split()
        found, counted, place = Matches(), Matches(), 0
        while place < len(tokens):
            length = self._name_at(tokens, place)
            if length:
                named = self.name(" ".join(tokens[place : place + length])) or Matches()
                found += self.agreed(counted, named) if counted.indices else named
                counted = Matches()
            elif re.fullmatch(r"\d{1,9}", tokens[place]):
                found += counted
                counted = self.number(int(tokens[place]))
                found += Matches(rejected=counted.rejected)
            elif tokens[place] not in _OF_COURSE:
                return None
            place += length or 1
        found += counted
        return found if found.indices or found.rejected else None

    def _name_at(self, tokens: Sequence[str], place: int) -> int:
        """The length in tokens of the longest name that begins at ``place``; 0 where none does."""
        for length in range(min(self._longest, len(tokens) - place), 0, -1):
            if " ".join(tokens[place : place + length]) in self._loose:
                return length
        return 0


def is_none(text: str) -> bool:
    """Whether the text says that nothing was chosen.

    >>> is_none("None."), is_none("N/A"), is_none("No relevant neighbors"), is_none("None of these, or 2")
    (True, True, True, False)
    """
    return _NONE.fullmatch(normalise(text)) is not None


def is_heading(text: str) -> bool:
    """Whether the text says nothing by itself, as ``The relevant neighbours are:`` does."""
    return all(token in _OF_COURSE for token in normalise(text).split())


def _add(index: dict[str, list[int]], name: str, position: int) -> None:
    positions = index.setdefault(name, [])
    if position not in positions:
        positions.append(position)


def _once(items: tuple[_Item, ...]) -> tuple[_Item, ...]:
    return tuple(dict.fromkeys(items))
