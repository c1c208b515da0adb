"""
The graph as a table of numbers, read once by a handful of queries: who is of which class, which edges there are.

Things are numbered: entities first, by label, then the classes, relations and conditions that are no entities. All
that pages of lists count, sort and filter is arithmetic on these columns. Knows the vocabulary of ``ontology`` and
nothing of any domain. Every query has a limit; ``truncated`` says that one was met.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyoxigraph as ox
from numpy.typing import NDArray

from kg.stats import is_entity_class
from kg.store import Row, Store
from ontology import terms
from sparql.template import bind, read_template
from web.about import ROLES
from web.browse.names import Names, read_names
from web.browse.vocabulary import Vocabulary, read_vocabulary
from web.browse.words import fold
from web.site import View

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
_PICTURES = (terms.IMAGE.value, terms.KEYFRAME.value)


def distinct(numbers: Numbers) -> Numbers:
    """The different ones, in order; several times faster here than numpy.unique, which hashes."""
    ordered = np.sort(numbers)
    new: Flags = np.diff(ordered, prepend=ordered[:1] - 1) != 0
    return ordered[new]


@dataclass(frozen=True, slots=True)
class Pairs:
    """
    Which things have which values: ``things[i]`` has ``values[i]``, each pair once.

    Both are int64 [n]; values are below ``count``.
    """

    things: Numbers
    values: Numbers
    count: int

    @classmethod
    def made(cls, things: Sequence[int] | Numbers, values: Sequence[int] | Numbers, *, count: int) -> "Pairs":
        """The pairs, without repetitions."""
        both = np.asarray(things, np.int64) * max(count, 1) + np.asarray(values, np.int64)
        unique = distinct(both)
        return cls(unique // max(count, 1), unique % max(count, 1), count)

    def having(self, value: int, *, size: int) -> Flags:
        """Which of ``size`` things have the value: bool [size]."""
        flags = np.zeros(size, np.bool_)
        flags[self.things[self.values == value]] = True
        return flags

    def counts(self, among: Flags) -> Numbers:
        """How many of the things of ``among`` have each value: int64 [count]."""
        return np.bincount(self.values[among[self.things]], minlength=self.count)


@dataclass(frozen=True, slots=True)
class GraphTable:
    """
    ``iris`` are the things, of which the first ``entities`` are entities, sorted by label and then IRI.

    ``classes`` are the classes of entities, superclasses among them, ``types`` who is of which; ``own_types`` is the
    same without superclasses. ``heads``, ``relations`` and ``tails`` are the edges (int64 [n]), sorted by relation,
    head and tail; relations are numbers into ``vocabulary.relations``. ``media`` are (entity, item, classes of item).
    """

    iris: tuple[str, ...]
    number: dict[str, int]
    entities: int
    names: Names
    vocabulary: Vocabulary
    classes: tuple[str, ...]
    types: Pairs
    own_types: tuple[tuple[str, ...], ...]
    topics: Flags
    heads: Numbers
    relations: Numbers
    tails: Numbers
    degrees: Numbers
    media: dict[int, dict[str, tuple[str, ...]]]
    captioned: Flags
    truncated: bool

    def label(self, number: int) -> str:
        """What the thing of this number is called."""
        return self.names.label(self.iris[number])

    def kind(self, number: int) -> str:
        """What kind of thing it is, in words."""
        if number < self.entities:
            said = [self.names.label(iri) for iri in self.own_types[number] if iri not in ROLES]
            return ", ".join(said) or "Entity"
        return self.vocabulary.kind(self.iris[number])

    def picture(self, number: int) -> str | None:
        """The IRI of an image of the entity."""
        items = self.media.get(number, {})
        return next((item for item, kinds in items.items() if any(kind in _PICTURES for kind in kinds)), None)


def graph_table(view: View) -> GraphTable:
    """The table of a view: ``view.once(graph_table)`` makes it once. Raises kg.errors.StoreError."""
    return read_table(view.engine.store)


def read_table(store: Store) -> GraphTable:
    """The table of a graph. Raises kg.errors.StoreError."""
    reading = _Reading(store)
    names = read_names(reading.rows("names"))
    vocabulary = read_vocabulary(
        reading.rows("relation_terms"), reading.rows("class_parents"), reading.rows("vocabulary_comments"), names
    )
    types: dict[str, set[str]] = {}
    for row in reading.rows("types"):
        types.setdefault(_iri(row, "thing"), set()).add(_iri(row, "class"))
    edges = [(_iri(row, "head"), _iri(row, "relation"), _iri(row, "tail")) for row in reading.rows("edges")]
    vocabulary = vocabulary.with_declared(types)
    entities = {iri for iri, classes in types.items() if any(map(_is_of_entities, classes))}
    entities.update(end for head, _, tail in edges for end in (head, tail))
    listed = sorted(entities, key=lambda iri: (fold(names.label(iri)), iri))
    iris = (*listed, *(iri for iri in vocabulary.terms if iri not in entities))
    number = {iri: place for place, iri in enumerate(iris)}
    own = tuple(tuple(sorted(filter(_is_of_entities, types.get(iri, ())))) for iri in listed)
    classes, pairs = _closed(own, vocabulary)
    heads, relations, tails = _edges(edges, number, vocabulary)
    media = _media(reading.rows("media"), number)
    captioned = np.zeros(len(iris), np.bool_)
    captioned[[number[iri] for row in reading.rows("captioned") if (iri := _iri(row, "entity")) in number]] = True
    topics = np.zeros(len(iris), np.bool_)
    topics[[place for place, said in enumerate(own) if terms.TOPIC_ENTITY.value in said]] = True
    return GraphTable(
        iris=iris,
        number=number,
        entities=len(listed),
        names=names,
        vocabulary=vocabulary,
        classes=classes,
        types=pairs,
        own_types=own,
        topics=topics,
        heads=heads,
        relations=relations,
        tails=tails,
        degrees=np.bincount(np.concatenate([heads, tails[tails != heads]]), minlength=len(iris)),
        media=media,
        captioned=captioned,
        truncated=reading.truncated,
    )


class _Reading:
    """Asks the queries, and remembers whether one met its limit."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.truncated = False

    def rows(self, query: str) -> Sequence[Row]:
        rows = self._store.select(bind(query))
        limit = re.search(r"LIMIT (\d+)", read_template(query))
        self.truncated = self.truncated or (limit is not None and len(rows) >= int(limit[1]))
        return rows


def _is_of_entities(iri: str) -> bool:
    return is_entity_class(iri) or iri in ROLES


def _iri(row: Row, name: str) -> str:
    value = row[name]
    return value.value if isinstance(value, ox.NamedNode) else ""


def _closed(own: Sequence[Iterable[str]], vocabulary: Vocabulary) -> tuple[tuple[str, ...], Pairs]:
    """The classes of entities, and who is of which, superclasses too; everyone is an entity."""
    above: dict[str, frozenset[str]] = {}
    for said in own:
        for iri in said:
            if iri not in above:
                above[iri] = frozenset(filter(_is_of_entities, vocabulary.above(iri)))
    used = {terms.ENTITY.value}.union(*above.values()) if above else {terms.ENTITY.value}
    classes = tuple(sorted(used, key=lambda iri: (fold(vocabulary.label(iri)), iri)))
    place = {iri: number for number, iri in enumerate(classes)}
    things = [entity for entity, said in enumerate(own) for iri in said for _ in above[iri]] + list(range(len(own)))
    values = [place[up] for said in own for iri in said for up in above[iri]] + [place[terms.ENTITY.value]] * len(own)
    return classes, Pairs.made(things, values, count=len(classes))


def _edges(
    edges: Iterable[tuple[str, str, str]], number: dict[str, int], vocabulary: Vocabulary
) -> tuple[Numbers, Numbers, Numbers]:
    """Head, relation and tail of each edge, each edge once, sorted by relation, head and tail."""
    known = [
        (vocabulary.number[relation], number[head], number[tail])
        for head, relation, tail in edges
        if relation in vocabulary.number
    ]
    relations, heads, tails = np.array(known, np.int64).reshape(-1, 3).T
    order = np.lexsort((tails, heads, relations))
    heads, relations, tails = heads[order], relations[order], tails[order]
    new = np.ones(len(heads), np.bool_)
    new[1:] = (np.diff(relations) != 0) | (np.diff(heads) != 0) | (np.diff(tails) != 0)
    return heads[new], relations[new], tails[new]


def _media(rows: Iterable[Row], number: dict[str, int]) -> dict[int, dict[str, tuple[str, ...]]]:
    """The media items of each entity, sorted by IRI, and the classes of each."""
    found: dict[int, dict[str, set[str]]] = {}
    for row in rows:
        entity = number.get(_iri(row, "entity"))
        if entity is not None:
            kinds = found.setdefault(entity, {}).setdefault(_iri(row, "item"), set())
            kinds.update([_iri(row, "kind")] if "kind" in row else [])
    return {
        entity: {item: tuple(sorted(kinds)) for item, kinds in sorted(items.items())} for entity, items in found.items()
    }
