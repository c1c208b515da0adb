"""The relations of a graph as pages show them: each base with what is conditioned under it, edges, examples."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import quote

import numpy as np
import pyoxigraph as ox

from sparql.errors import TemplateError
from sparql.template import bind
from web.browse.table import GraphTable, Numbers, graph_table
from web.browse.vocabulary import RelationTerm
from web.browse.words import fold
from web.site import View

_SHOWN = 15
"""Heads and tails by which the edges of a relation can be narrowed down, each."""


@dataclass(frozen=True, slots=True)
class RelationInfo:
    """A relation with its number of edges and, where there is one, the first of them: (head, tail)."""

    term: RelationTerm
    edges: int
    example: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """A base relation and those conditioned under it; ``edges`` are those of all of them."""

    base: RelationInfo
    conditioned: tuple[RelationInfo, ...] = ()

    @property
    def edges(self) -> int:
        """How many edges there are, under a condition or none."""
        return self.base.edges + sum(each.edges for each in self.conditioned)


@dataclass(frozen=True, slots=True)
class ConditionInfo:
    """A condition and the relations that stand under it."""

    iri: str
    relations: tuple[RelationInfo, ...] = ()

    @property
    def edges(self) -> int:
        """How many edges stand under it."""
        return sum(each.edges for each in self.relations)


@dataclass(frozen=True, slots=True)
class End:
    """An entity at one end of some of a relation's edges, and of how many."""

    number: int
    edges: int


@dataclass(frozen=True, slots=True)
class EdgePage:
    """Edges as (head, tail), how many there are in all, and the ends by which they can be narrowed down."""

    edges: tuple[tuple[int, int], ...]
    total: int
    heads: tuple[End, ...]
    tails: tuple[End, ...]
    more_heads: int = 0
    more_tails: int = 0


class Relations:
    """All relations of one graph; the edges of each lie together in the table."""

    def __init__(self, table: GraphTable) -> None:
        self._table = table
        count = len(table.vocabulary.relations)
        starts = np.searchsorted(table.relations, np.arange(count + 1)).tolist()
        self._span = list(pairwise(starts))
        every = [self._info(place) for place in range(count)]
        self.info = {each.term.iri: each for each in every}
        by_base: dict[str, list[RelationInfo]] = {}
        for each in every:
            by_base.setdefault(each.term.base, []).append(each)
        self.groups = tuple(self._group(base, infos) for base, infos in by_base.items())
        by_condition: dict[str, list[RelationInfo]] = {iri: [] for iri in table.vocabulary.conditions}
        for each in every:
            if each.term.condition:
                by_condition.setdefault(each.term.condition, []).append(each)
        self.conditions = tuple(ConditionInfo(iri, tuple(infos)) for iri, infos in by_condition.items())

    def group(self, iri: str) -> Group | None:
        """The group that a relation stands in."""
        info = self.info.get(iri)
        return next((group for group in self.groups if info and group.base.term.iri == info.term.base), None)

    def edges(self, iri: str, *, head: str = "", tail: str = "", offset: int, limit: int) -> EdgePage:
        """Edges of a relation, by the labels of head and tail; only from ``head`` and to ``tail`` where given."""
        heads, tails = self._chosen(iri, head, tail)
        shown = zip(heads[offset : offset + limit].tolist(), tails[offset : offset + limit].tolist(), strict=True)
        starts, ends = _ends(heads.tolist()), _ends(tails.tolist())
        more = (max(0, len(all_of) - _SHOWN) for all_of in (starts, ends))
        return EdgePage(tuple(shown), len(heads), starts[:_SHOWN], ends[:_SHOWN], *more)

    def ends(self, iri: str, *, head: str = "", tail: str = "", at_head: bool) -> tuple[End, ...]:
        """All that stands at one end of these edges, what stands at most of them first."""
        heads, tails = self._chosen(iri, head, tail)
        return _ends((heads if at_head else tails).tolist())

    def _chosen(self, iri: str, head: str, tail: str) -> tuple[Numbers, Numbers]:
        first, last = self._span[self._table.vocabulary.number[iri]]
        heads, tails = self._table.heads[first:last], self._table.tails[first:last]
        chosen = np.ones(len(heads), np.bool_)
        for end, column in ((head, heads), (tail, tails)):
            if end:
                chosen &= column == self._table.number.get(end, -1)
        return heads[chosen], tails[chosen]

    def _info(self, place: int) -> RelationInfo:
        first, last = self._span[place]
        table = self._table
        example = (int(table.heads[first]), int(table.tails[first])) if last > first else None
        return RelationInfo(table.vocabulary.relations[place], last - first, example)

    def _group(self, base: str, infos: list[RelationInfo]) -> Group:
        own = next((each for each in infos if each.term.iri == base), RelationInfo(RelationTerm(base, base), 0))
        return Group(own, tuple(each for each in infos if each.term.iri != base))


def relations_of(view: View) -> Relations:
    """The relations of a view: ``view.once(relations_of)``. Raises kg.errors.StoreError."""
    return Relations(view.once(graph_table))


def matching(groups: Iterable[Group], text: str, table: GraphTable, *, used: bool = False) -> tuple[Group, ...]:
    """
    The groups of which something is called or explained by words that hold ``text``.

    Where the base itself is, all of its group stay; else those conditioned relations that are. ``used``: only what has
    edges.
    """
    wanted = fold(text)

    def fits(term: RelationTerm) -> bool:
        names = [name.text for iri in (term.iri, term.condition) for name in table.names.of.get(iri, ())]
        return any(wanted in fold(said) for said in (*names, table.vocabulary.comments.get(term.iri, "")))

    kept = []
    for group in groups:
        whole = not wanted or fits(group.base.term)
        below = tuple(each for each in group.conditioned if (whole or fits(each.term)) and (each.edges or not used))
        if (whole or below) and (group.base.edges or below or not used):
            kept.append(Group(group.base, below))
    return tuple(kept)


def query_address(query: str, **bound: str) -> str:
    """
    The address of the editor with a query of ours in it, terms bound; "" where an IRI is none by the book.

    The address is from the root of the site.
    """
    try:
        text = bind(query, **{name: [ox.NamedNode(iri)] for name, iri in bound.items()})
    except (ValueError, TemplateError):
        return ""
    return f"/query?query={quote(text, safe='')}"


def _ends(numbers: list[int]) -> tuple[End, ...]:
    return tuple(End(number, edges) for number, edges in Counter(numbers).most_common())
