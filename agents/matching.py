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
_NEGATIVE = re.compile(r"-\d+")
_RANGE_OR_FRACTION = re.compile(r"\d\s*[-\u2013\u2014]\s*\d|\d\.\d")
_GLOSSED = re.compile(r"([^\n]*?)[ \t]*(?:\([^()\n]*\)\W*|(?::|[ \t][-\u2013\u2014])[ \t][^;\n]*)")
_LONGEST = 4000
"""Characters beyond which text is no list of names, and is not searched for them."""
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
        indices = self._called(text)
        if len({self._options[index].key for index in indices}) > 1:
            numbers = " and ".join(str(index + 1) for index in indices)
            raise Unclear(f'different options are called "{text.strip()}" (numbers {numbers}): answer with the number')
        return Matches(indices) if indices else None

    def item(self, text: str) -> Matches:
        """What one text names: "2", "2. Bite", "Bite (when angry)", "Bite; Tail Spin", "None". Raises Unclear."""
        found = self.find(text)
        return found if found is not None else Matches(rejected=(text.strip() or "(blank)",))

    def find(self, text: str) -> Matches | None:
        """As :meth:`item`, or None where the text is not clearly an answer."""
        if len(text) > _LONGEST:
            return None
        stripped = text.strip()
        if _NUMBER.fullmatch(stripped):
            return self._bare_number(stripped)
        if is_none(text):
            if self._called(text):
                raise Unclear(f'"{stripped}" is the name of an option and may also mean none: answer with a number')
            return Matches()
        if _NEGATIVE.fullmatch(stripped):
            return Matches(rejected=(stripped,))
        named = self.name(text)
        if named:
            return named
        if _RANGE_OR_FRACTION.search(text) and self._pieces(text) is not None:
            raise Unclear("write out every number on its own")
        return self._numbered(text) or self.words(text) or self._glossed(text)

    def agreed(self, number: float, called: Matches) -> Matches:
        """The option that a number and a name both mean. Raises Unclear where they do not."""
        both = tuple(index for index in self.number(number).indices if index in called.indices)
        if not both:
            raise Unclear("a number and the name beside it mean different options: answer with numbers alone")
        return Matches(both)

    def words(self, text: str) -> Matches | None:
        """The options named in ``text`` where it holds nothing else of note, or None. Raises Unclear."""
        pieces = self._pieces(text)
        if not pieces:
            return None
        found, place = Matches(), 0
        while place < len(pieces):
            piece, after = pieces[place], pieces[place + 1] if place + 1 < len(pieces) else None
            if isinstance(piece, int) and isinstance(after, str):
                found += self.agreed(piece, Matches(self._called(after)))
                place += 2
                continue
            found += self.number(piece) if isinstance(piece, int) else self.name(piece) or Matches()
            place += 1
        return found

    def _called(self, text: str) -> tuple[int, ...]:
        return tuple(self._exact.get(text.strip()) or self._loose.get(normalise(text)) or ())

    def _bare_number(self, text: str) -> Matches:
        number = int(re.sub(r"\D", "", text))
        counted, named = self.number(number), self.name(text)
        if named and counted.indices and counted != named:
            raise Unclear(f'"{text}" is the number of one option and the name of another: answer with the number')
        return named or counted

    def _numbered(self, text: str) -> Matches | None:
        """``2. Bite``: a number and what follows it; a name that follows must be that option's own."""
        match = _NUMBERED.fullmatch(text.strip())
        if not match:
            return None
        number, rest = int(match[1]), match[2]
        called = self._called(rest)
        if not called and self._pieces(rest):
            return None
        gloss = _GLOSSED.fullmatch(rest.strip())
        called = called or (self._called(gloss[1]) if gloss else ())
        if called:
            return self.agreed(number, Matches(called))
        return None if re.search(r"\d|\n", rest) else self.number(number)

    def _glossed(self, text: str) -> Matches | None:
        """``Bite (when angry)``, ``Bite: the jaw snaps``: a name and a remark on it."""
        match = _GLOSSED.fullmatch(text.strip())
        return self.name(match[1]) if match else None

    def _pieces(self, text: str) -> list[int | str] | None:
        """The numbers and names in ``text``, in order; None where it holds words that are neither, nor of course."""
        tokens = normalise(text).split()
        pieces: list[int | str] = []
        place = 0
        while place < len(tokens):
            length = self._name_at(tokens, place)
            if length:
                pieces.append(" ".join(tokens[place : place + length]))
            elif re.fullmatch(r"\d{1,9}", tokens[place]):
                pieces.append(int(tokens[place]))
            elif tokens[place] not in _OF_COURSE:
                return None
            place += length or 1
        return pieces

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
