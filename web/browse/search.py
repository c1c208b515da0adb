"""
Finds things by what they are called: an index over every name in every language, made once per graph.

A name fits a query exactly, by its beginning, where every word of the query begins a word of it, or so but for typing
errors (optimal string alignment distance, by rapidfuzz), in this order; within each, topic entities come first, then
other entities, then the vocabulary, labels before alternative labels before the last parts of IRIs, short names before
long ones. Letter case and accents do not count (web.browse.words).
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA

from ontology import terms
from web.browse.names import DEFAULT_LANGUAGE, Name, local_name
from web.browse.table import Flags, GraphTable, Numbers, distinct, graph_table
from web.browse.words import fold, words
from web.site import View

MAX_QUERY = 200
"""Characters of a query that are read."""
_MAX_WORDS = 8
_FEW = 5
"""Typing errors are looked for where fewer things than this fit otherwise."""
_MAX_GUESSES = 40
"""Words of the graph that a mistyped word is taken for, at most."""
_END = "\U0010ffff"
_EXACT, _BEGINS, _WORDS, _GUESSED = range(4)
_KINDS = {"label": 0, "alternative label": 1, "local name": 2}


@dataclass(frozen=True, slots=True)
class Hit:
    """A thing found: what is shown of it, and the name by which it was found where that is another."""

    number: int
    iri: str
    shown: Name
    matched: Name | None
    homonym: bool
    """Whether other things are called the same."""


@dataclass(frozen=True, slots=True)
class Hits:
    """``found`` are those asked for, best first; ``total`` is how many things fit; ``by_class`` how many of each."""

    found: tuple[Hit, ...] = ()
    total: int = 0
    by_class: tuple[tuple[str, int], ...] = ()


class SearchIndex:
    """The index of one graph; nothing in it changes, so any thread may ask it."""

    def __init__(self, table: GraphTable) -> None:
        self._table = table
        names = [(number, name) for number, iri in enumerate(table.iris) for name in _names(table, iri)]
        folded = [words(name.text) for _, name in names]
        joined = [" ".join(said) for said in folded]
        self._names = [name for _, name in names]
        self._owners: Numbers = np.array([number for number, _ in names], np.int64)
        order = sorted(range(len(names)), key=lambda place: self._precedence(names[place], joined[place]))
        self._order: Numbers = np.empty(len(names), np.int64)
        self._order[order] = np.arange(len(names))
        self._by_text: Numbers = np.array(sorted(range(len(names)), key=joined.__getitem__), np.int64)
        self._texts = [joined[place] for place in self._by_text]
        self._words, self._postings, self._starts = _posted(folded)
        self._by_length: dict[int, list[str]] = {}
        for word in filter(str.isalpha, self._words):  # a number with another digit is another number
            self._by_length.setdefault(len(word), []).append(word)
        self._bearers = Counter(fold(table.names.label(iri)) for iri in table.iris)

    def search(
        self, query: str, *, kind: str = "", language: str = DEFAULT_LANGUAGE, limit: int = 10, offset: int = 0
    ) -> Hits:
        """
        The things that fit a query, best first.

        ``kind`` is the IRI of a class: only its instances, those of its subclasses too, or terms of the vocabulary
        (owl:Class, owl:ObjectProperty, sf:Condition). ``language`` is that of the labels shown. A query that is the IRI
        of a thing finds it.
        """
        query = query.strip()[:MAX_QUERY]
        ranks = self._fitting(query)
        wanted = self._of(kind)
        places = np.flatnonzero(ranks <= _GUESSED)
        places = places[wanted[self._owners[places]]]
        found = np.zeros(len(self._table.iris), np.bool_)
        found[self._owners[places]] = True
        keys = ranks[places] * len(self._names) + self._order[places]
        best = self._best(places, keys, wanted=offset + limit)
        named = self._table.number.get(query)
        if named is not None and wanted[named]:
            found[named] = True
            place = int(np.flatnonzero(self._owners == named)[0])
            best = [place, *(other for other in best if self._owners[other] != named)]
        hits = tuple(self._hit(place, language) for place in best[offset : offset + limit])
        return Hits(hits, int(found.sum()), self._by_class(found))

    def _fitting(self, query: str) -> Numbers:
        """How well each name fits: int64 [names], lower is better, above _GUESSED does not."""
        ranks = np.full(len(self._names), _GUESSED + 1, np.int64)
        said = words(query)[:_MAX_WORDS]
        if not said:
            return ranks
        by_word = [self._beginning(word) for word in said]
        ranks[_common(by_word, size=len(ranks))] = _WORDS
        text = " ".join(said)
        first, last = bisect_left(self._texts, text), bisect_left(self._texts, text + _END)
        ranks[self._by_text[first:last]] = _BEGINS
        ranks[self._by_text[first : bisect_right(self._texts, text)]] = _EXACT
        if len(distinct(self._owners[ranks <= _WORDS][: _FEW * 50])) < _FEW:
            guessed = [self._guessed(word, known) for word, known in zip(said, by_word, strict=True)]
            guesses = _common(guessed, size=len(ranks))
            ranks[guesses] = np.minimum(ranks[guesses], _GUESSED)
        return ranks

    def _beginning(self, word: str) -> Numbers:
        """The names that have a word beginning with this one; some more than once."""
        first, last = bisect_left(self._words, word), bisect_left(self._words, word + _END)
        return self._postings[self._starts[first] : self._starts[last]]

    def _guessed(self, word: str, known: Numbers) -> Numbers:
        """The names that have a word beginning with this one (``known``), or one that it may be with typing errors."""
        return np.concatenate([known, *map(self._named, self._similar(word))])

    def _named(self, word: str) -> Numbers:
        """The names that have this very word."""
        place = bisect_left(self._words, word)
        return self._postings[self._starts[place] : self._starts[place + 1]]

    def _similar(self, word: str) -> list[str]:
        """The words that this one may be with typing errors: one from four letters on, two from eight on."""
        allowed = 0 if len(word) < 4 else 1 if len(word) < 8 else 2
        if not allowed:
            return []
        near = [
            other
            for length in range(len(word) - allowed, len(word) + allowed + 1)
            for other in self._by_length.get(length, ())
        ]
        found = process.extract(word, near, scorer=OSA.distance, score_cutoff=allowed, limit=_MAX_GUESSES)
        return [other for other, _, _ in found]

    def _of(self, kind: str) -> Flags:
        """Which things are of a class; all where none is named."""
        table, size = self._table, len(self._table.iris)
        if not kind:
            return np.ones(size, np.bool_)
        if kind in table.classes:
            return table.types.having(table.classes.index(kind), size=size)
        terms_of_it = [iri for iri in table.iris[table.entities :] if table.vocabulary.kind_iri(iri) == kind]
        flags = np.zeros(size, np.bool_)
        flags[[table.number[iri] for iri in terms_of_it]] = True
        return flags

    def _best(self, places: Numbers, keys: Numbers, *, wanted: int) -> list[int]:
        """The best place of each thing, best first, at least ``wanted`` where there are so many."""
        size = max(64, wanted * 8)
        while True:
            few = np.argpartition(keys, size)[:size] if len(keys) > size else np.arange(len(keys))
            chosen: dict[int, int] = {}
            for place in places[few[np.argsort(keys[few])]].tolist():
                chosen.setdefault(int(self._owners[place]), place)
            if len(chosen) >= wanted or len(few) == len(keys):
                return list(chosen.values())
            size *= 8

    def _hit(self, place: int, language: str) -> Hit:
        table, name = self._table, self._names[place]
        number = int(self._owners[place])
        iri = table.iris[number]
        shown = table.names.shown(iri, language=language)
        others = self._bearers[fold(shown.text)] - (shown.text == table.names.label(iri))
        return Hit(number, iri, shown, None if name.text == shown.text else name, others > 0)

    def _by_class(self, found: Flags) -> tuple[tuple[str, int], ...]:
        """How many of the things found are of each class, most first."""
        table = self._table
        counts = Counter(dict(zip(table.classes, table.types.counts(found).tolist(), strict=True)))
        for number in np.flatnonzero(found[table.entities :]).tolist():
            counts[table.vocabulary.kind_iri(table.iris[table.entities + number])] += 1
        return tuple((iri, count) for iri, count in counts.most_common() if count)

    def _precedence(self, named: tuple[int, Name], folded: str) -> tuple[bool, bool, int, int, str, int]:
        number, name = named
        strange = number >= self._table.entities
        return not self._table.topics[number], strange, _KINDS[name.kind], len(folded), folded, number


def search_index(view: View) -> SearchIndex:
    """The index of a view: ``view.once(search_index)`` makes it once. Raises kg.errors.StoreError."""
    return SearchIndex(view.once(graph_table))


def _names(table: GraphTable, iri: str) -> Iterable[Name]:
    """The names of a thing, and the last part of its IRI where that says anything else."""
    names = table.names.of.get(iri, ())
    local = local_name(iri)
    said = fold(local.text)
    return names if any(fold(name.text) == said for name in names) else (*names, local)


def _posted(names: Sequence[Sequence[str]]) -> tuple[list[str], Numbers, list[int]]:
    """
    All words, sorted; the names that have them, one word after another; and where those of each word start.

    What begins alike stands side by side in both lists, so that all names of a prefix are one slice.
    """
    having: dict[str, list[int]] = {}
    for place, said in enumerate(names):
        for word in said:
            having.setdefault(word, []).append(place)
    every = sorted(having)
    postings = [place for word in every for place in having[word]]
    starts = np.concatenate([[0], np.cumsum([len(having[word]) for word in every], dtype=np.int64)])
    return every, np.array(postings, np.int64), [int(start) for start in starts]


def _common(sets: Sequence[Numbers], *, size: int) -> Flags:
    """Which of ``size`` names are in each of the sets: bool [size]."""
    common = np.ones(size, np.bool_)
    for places in sets:
        held = np.zeros(size, np.bool_)
        held[places] = True
        common &= held
    return common


ANY_ENTITY = terms.ENTITY.value
"""The ``kind`` of all entities, and of nothing of the vocabulary."""
