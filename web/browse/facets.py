"""
By what lists of entities can be narrowed down, derived from the graph alone.

A facet is one of: the topics from which an entity is reached along the edges, without passing through another topic;
the entities next to it, by their class (so that the phases of a game or the genres of a film become facets without
being known here); the conditions and the base relations of its edges, whichever end it stands at; whether it has media,
of which kind, and captions; and the sources that give it a class.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from web.about import ROLES
from web.browse.sources import Sources
from web.browse.table import Flags, GraphTable, Numbers, Pairs, distinct
from web.browse.topics import labels

Key = Literal["topic", "near", "condition", "relation", "media", "kind", "caption", "source"]
YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Facet:
    """
    ``values`` are what the parameter ``key`` may be, in the order of the numbers in ``pairs``; ``labels`` say them.

    ``groups`` divide the values under headings of their own, "" where there is one heading only.
    """

    key: Key
    heading: str
    values: tuple[str, ...]
    labels: tuple[str, ...]
    pairs: Pairs
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FacetValue:
    """One value on offer: how many of those listed have it, and whether it is among the filters already."""

    value: str
    label: str
    count: int
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class FacetCounts:
    """A heading with its values, most first; ``more`` is how many are not shown, ``total`` how many there are."""

    key: Key
    heading: str
    values: tuple[FacetValue, ...]
    more: int = 0
    total: int = 0


def make_facets(table: GraphTable, sources: Sources, *, topics: Pairs, said: Sequence[str]) -> tuple[Facet, ...]:
    """
    Every facet that has values in this graph.

    ``topics`` are the things that belong to each topic, ``said`` is what tells things of one name apart.
    """
    flags = {name: _flagged(table, name) for name in ("media", "caption")}
    facets = (
        _topic(table, topics, said),
        _condition(table),
        _near(table, said),
        _relation(table),
        Facet("media", "Media", (YES, NO), ("with media", "without media"), flags["media"]),
        _kind(table),
        Facet("caption", "Captions", (YES, NO), ("with a caption", "without a caption"), flags["caption"]),
        _source(table, sources),
    )
    return tuple(facet for facet in facets if len(facet.pairs.things))


def count_facet(facet: Facet, among: Flags, *, chosen: Iterable[str], shown: int) -> list[FacetCounts]:
    """
    The values of a facet that some of ``among`` have, ``shown`` of each heading at most, and those chosen.

    Headings with few values come first.
    """
    counts, chosen = facet.pairs.counts(among), set(chosen)
    there = np.flatnonzero(counts)
    there = there[np.argsort(-counts[there], kind="stable")]  # values are in the order of their labels
    by_group: dict[str, list[int]] = {}
    for value in there.tolist():
        by_group.setdefault(facet.groups[value] if facet.groups else facet.heading, []).append(value)
    return [
        FacetCounts(
            facet.key,
            heading,
            tuple(
                FacetValue(facet.values[value], facet.labels[value], int(counts[value]), facet.values[value] in chosen)
                for place, value in enumerate(values)
                if place < shown or facet.values[value] in chosen
            ),
            max(0, len(values) - shown),
            len(values),
        )
        for heading, values in sorted(by_group.items(), key=lambda group: (len(group[1]), group[0]))
    ]


def _topic(table: GraphTable, topics: Pairs, said: Sequence[str]) -> Facet:
    every = np.flatnonzero(table.topics)
    place = np.zeros(len(table.iris), np.int64)
    place[every] = np.arange(len(every))
    pairs = Pairs.made(topics.things, place[topics.values], count=len(every))
    return Facet("topic", "Topic", *_called(table, every, said), pairs)


def _near(table: GraphTable, said: Sequence[str]) -> Facet:
    near = distinct(np.concatenate([table.heads, table.tails]))
    place = np.full(len(table.iris), -1, np.int64)
    place[near] = np.arange(len(near))
    things, others = np.concatenate([table.heads, table.tails]), np.concatenate([table.tails, table.heads])
    groups = tuple(f"Next to: {_first_class(table, number)}" for number in near.tolist())
    pairs = Pairs.made(things, place[others], count=len(near))
    return Facet("near", "Next to", *_called(table, near, said), pairs, groups)


def _first_class(table: GraphTable, number: int) -> str:
    said = [table.names.label(iri) for iri in table.own_types[number] if iri not in ROLES]
    return min(said, default="Entity")


def _condition(table: GraphTable) -> Facet:
    conditions = table.vocabulary.conditions
    place = {iri: number for number, iri in enumerate(conditions)}
    of = np.array([place.get(each.condition, -1) for each in table.vocabulary.relations] or [-1], np.int64)
    return _of_edges(table, "condition", "Condition", conditions, of)


def _relation(table: GraphTable) -> Facet:
    relations = table.vocabulary.relations
    bases = tuple(dict.fromkeys(each.base for each in relations))
    place = {iri: number for number, iri in enumerate(bases)}
    return _of_edges(
        table, "relation", "Relation", bases, np.array([place[each.base] for each in relations] or [-1], np.int64)
    )


def _of_edges(table: GraphTable, key: Key, heading: str, values: tuple[str, ...], of: Numbers) -> Facet:
    """A facet of edges, from what value each relation stands for, -1 for none: int64 [relations]."""
    meant = of[table.relations] if len(table.relations) else np.zeros(0, np.int64)
    known = meant >= 0
    things = np.concatenate([table.heads[known], table.tails[known]])
    pairs = Pairs.made(things, np.concatenate([meant[known], meant[known]]), count=len(values))
    return Facet(key, heading, values, tuple(map(table.vocabulary.label, values)), pairs)


def _flagged(table: GraphTable, name: str) -> Pairs:
    """Value 0 for the entities that have media or a caption, 1 for those that have not."""
    having = np.zeros(len(table.iris), np.bool_)
    having[list(table.media) if name == "media" else np.flatnonzero(table.captioned)] = True
    return Pairs.made(np.arange(table.entities), (~having[: table.entities]).astype(np.int64), count=2)


def _kind(table: GraphTable) -> Facet:
    found = [(entity, kind) for entity, items in table.media.items() for kinds in items.values() for kind in kinds]
    kinds = tuple(sorted({kind for _, kind in found}, key=lambda kind: (table.names.label(kind), kind)))
    place = {kind: number for number, kind in enumerate(kinds)}
    pairs = Pairs.made([entity for entity, _ in found], [place[kind] for _, kind in found], count=len(kinds))
    return Facet("kind", "Kind of media", kinds, tuple(map(table.names.label, kinds)), pairs)


def _source(table: GraphTable, sources: Sources) -> Facet:
    found = [
        (number, place)
        for place, record in enumerate(sources.records)
        for iri in sources.speaking_of.get(record.iri, ())
        if (number := table.number.get(iri, table.entities)) < table.entities
    ]
    pairs = Pairs.made([number for number, _ in found], [place for _, place in found], count=len(sources.records))
    values = tuple(record.iri for record in sources.records)
    return Facet("source", "Source", values, tuple(record.name for record in sources.records), pairs)


def _called(table: GraphTable, numbers: Numbers, said: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The IRIs of things, and what to call them."""
    return tuple(table.iris[number] for number in numbers.tolist()), labels(table, said, numbers.tolist())
