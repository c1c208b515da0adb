"""
Search in texts: the entities whose contexts or captions hold all words of a query.

Words are compared as names are (web.browse.words), whole, the last by its beginning. All texts are read once per graph,
up to the limit of the query ``texts``. What is found is in the order of the labels: it is not ranked.
"""

import bisect
from collections.abc import Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from kg.store import Row
from sparql.template import bind
from web.browse.table import graph_table
from web.browse.words import words
from web.site import View

_BEFORE, _AFTER = 60, 140
"""Characters of a text that are shown on either side of the first word found."""
_LONGEST = 20_000
"""Characters of a text that are looked at."""


@dataclass(frozen=True, slots=True)
class TextHit:
    """An entity, by its number in the table, and the part of its text around the words."""

    number: int
    excerpt: str


class TextIndex:
    """The words of all texts, and in which of them each stands."""

    def __init__(self, texts: Sequence[tuple[int, str]]) -> None:
        """``texts`` are (number of the entity, text)."""
        self._texts = texts
        holding: dict[str, set[int]] = {}
        for place, (_, text) in enumerate(texts):
            for word in set(words(text[:_LONGEST])):
                holding.setdefault(word, set()).add(place)
        self._holding = holding
        self._words = sorted(holding)

    def search(self, query: str, *, limit: int) -> tuple[list[TextHit], int]:
        """At most ``limit`` entities, and how many there are in all."""
        wanted = words(query)
        if not wanted:
            return [], 0
        found = self._beginning(wanted[-1])
        for word in wanted[:-1]:
            found = found & self._holding.get(word, set())
        places: dict[int, int] = {}
        for place in sorted(found):
            places.setdefault(self._texts[place][0], place)
        chosen = sorted(places)[:limit]  # numbers are in the order of labels
        return [TextHit(n, _excerpt(self._texts[places[n]][1], wanted)) for n in chosen], len(places)

    def _beginning(self, start: str) -> set[int]:
        first = bisect.bisect_left(self._words, start)
        found: set[int] = set()
        for word in self._words[first:]:
            if not word.startswith(start):
                break
            found |= self._holding[word]
        return found


def text_index(view: View) -> TextIndex:
    """The index of a view: ``view.once(text_index)``. Raises kg.errors.StoreError."""
    table = view.once(graph_table)
    read = (_numbered(row, table.number) for row in view.engine.store.select(bind("texts")))
    return TextIndex(sorted(each for each in read if each is not None))


def _numbered(row: Row, number: dict[str, int]) -> tuple[int, str] | None:
    entity, text = row["entity"], row["text"]
    known = isinstance(entity, ox.NamedNode) and entity.value in number and isinstance(text, ox.Literal)
    return (number[entity.value], text.value) if known else None  # type: ignore[union-attr]


def _excerpt(text: str, wanted: Sequence[str]) -> str:
    """The text from a little before the first place where a word stands."""
    plain = " ".join(text[:_LONGEST].split())
    folded = plain.casefold()
    at = min((place for word in wanted if (place := folded.find(word)) >= 0), default=0)
    start = 0 if at <= _BEFORE else plain.rfind(" ", 0, at - _BEFORE) + 1
    end = at + _AFTER
    return f"{'…' if start else ''}{plain[start:end].rstrip()}{'…' if end < len(plain) else ''}"
