"""
Lists of entities: filters, sorting, pages. What a list is stands in its address, so that it can be kept and sent on.

    /browse?type=<class>&topic=<IRI>&near=<IRI>&condition=<IRI>&relation=<IRI>&media=yes&sort=relations&page=2

A filter may be given more than once; an entity is listed where all of them hold.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

import numpy as np
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import BadRequest, NotFound

from web.browse.facets import Facet, FacetCounts, Key, count_facet, make_facets
from web.browse.sources import ReadSources
from web.browse.table import Flags, GraphTable, Numbers, graph_table
from web.browse.topics import notes, topic_pairs
from web.site import View

PER_PAGE = 50
SORTS = {"label": "Name", "relations": "Most relations", "type": "Class"}
MAX_FILTERS = 12
MAX_IRI = 2000
"""Characters of a value in an address."""
_SHOWN = 10
"""Values of a facet that are shown."""
_KEYS: tuple[Key, ...] = ("topic", "near", "condition", "relation", "media", "kind", "caption", "source")


@dataclass(frozen=True, slots=True)
class Filter:
    """One thing that must hold, and what to call it; ``known`` says whether the graph has such a value at all."""

    key: Key
    value: str
    label: str
    known: bool


@dataclass(frozen=True, slots=True)
class Wish:
    """What was asked for in the address of a list."""

    type: str = ""
    filters: tuple[tuple[Key, str], ...] = ()
    sort: str = "label"
    page: int = 1

    @classmethod
    def read(cls, asked: "MultiDict[str, str]") -> "Wish":
        """The wish in the parameters of an address. Raises werkzeug's BadRequest, NotFound."""
        filters = tuple(dict.fromkeys((key, value) for key in _KEYS for value in asked.getlist(key) if value))
        values = [asked.get("type", ""), *(value for _, value in filters)]
        if len(filters) > MAX_FILTERS or any(len(value) > MAX_IRI for value in values):
            raise BadRequest(f"A list takes {MAX_FILTERS} filters of {MAX_IRI} characters at most.")
        sort = asked.get("sort", "label")
        return cls(asked.get("type", ""), filters, sort if sort in SORTS else "label", read_page(asked))

    def address(self, **changed: object) -> str:
        """The parameters of the address of this list, or of one that differs in what is named; pages start again."""
        wish = replace(self, **{"page": 1, **changed})  # type: ignore[arg-type]
        return urlencode(wish.parameters() + ([("page", str(wish.page))] if wish.page > 1 else []))

    def parameters(self) -> list[tuple[str, str]]:
        """The parameters of the address, without the page."""
        said: list[tuple[str, str]] = [("type", self.type)] if self.type else []
        return [*said, *self.filters, *([("sort", self.sort)] if self.sort != "label" else [])]

    def values_of(self, heading: str) -> str:
        """The parameters of the page with all that the list can be narrowed down by under one heading."""
        return urlencode([*self.parameters(), ("of", heading)])

    def with_filter(self, key: Key, value: str) -> str:
        """The address of the list that is also narrowed by this."""
        return self.address(filters=(*self.filters, (key, value)))

    def without_filter(self, key: Key, value: str) -> str:
        """The address of the list that is not narrowed by this."""
        return self.address(filters=tuple(each for each in self.filters if each != (key, value)))


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of a list: ``entities`` are numbers into the table; ``total`` is how many there are on all pages."""

    wish: Wish
    entities: tuple[int, ...]
    total: int
    pages: int
    filters: tuple[Filter, ...]
    facets: tuple[FacetCounts, ...]


class Lists:
    """All lists over one graph."""

    def __init__(self, table: GraphTable, facets: Sequence[Facet]) -> None:
        self._table = table
        self._facets: Mapping[Key, Facet] = {facet.key: facet for facet in facets}
        self._place = {facet.key: {value: number for number, value in enumerate(facet.values)} for facet in facets}
        self._entities: Flags = np.zeros(len(table.iris), np.bool_)
        self._entities[: table.entities] = True
        self._kinds = _ranked([table.kind(number).casefold() for number in range(table.entities)])

    def listing(self, wish: Wish) -> Listing:
        """One page of what was asked for. Raises werkzeug's NotFound where there is no such page."""
        among = self._among(wish)
        ordered = self._sorted(np.flatnonzero(among), wish.sort)
        pages = count_pages(len(ordered), wish.page)
        shown = ordered[(wish.page - 1) * PER_PAGE : wish.page * PER_PAGE]
        chosen: dict[Key, list[str]] = {}
        for key, value in wish.filters:
            chosen.setdefault(key, []).append(value)
        facets = [
            counts
            for key, facet in self._facets.items()
            for counts in count_facet(facet, among, chosen=chosen.get(key, ()), shown=_SHOWN)
        ]
        filters = tuple(self._filter(key, value) for key, value in wish.filters)
        return Listing(wish, tuple(shown.tolist()), len(ordered), pages, filters, tuple(facets))

    def values(self, wish: Wish, heading: str) -> FacetCounts | None:
        """All values under one heading by which the list can be narrowed down; None where there is none such."""
        among = self._among(wish)
        every = len(self._table.iris) + len(self._table.vocabulary.relations) + 2
        for key, facet in self._facets.items():
            chosen = [value for of, value in wish.filters if of == key]
            for counts in count_facet(facet, among, chosen=chosen, shown=every):
                if counts.heading == heading:
                    return counts
        return None

    def _among(self, wish: Wish) -> Flags:
        """Which things are listed: bool [things]."""
        table, size = self._table, len(self._table.iris)
        among = self._entities.copy()
        if wish.type:
            known = wish.type in table.classes
            among &= table.types.having(table.classes.index(wish.type) if known else -1, size=size)
        for key, value in wish.filters:
            place = self._place.get(key, {}).get(value)
            among &= False if place is None else self._facets[key].pairs.having(place, size=size)
        return among

    def _sorted(self, entities: Numbers, sort: str) -> Numbers:
        """By label, which is the order of the table, or by something else and then by label."""
        if sort == "relations":
            return entities[np.argsort(-self._table.degrees[entities], kind="stable")]
        if sort == "type":
            return entities[np.argsort(self._kinds[entities], kind="stable")]
        return entities

    def _filter(self, key: Key, value: str) -> Filter:
        place = self._place.get(key, {}).get(value)
        label = self._table.names.label(value) if place is None else self._facets[key].labels[place]
        return Filter(key, value, label, place is not None)


@dataclass(frozen=True, slots=True)
class MakeLists:
    """Makes the lists of a view: ``view.once(MakeLists(ReadSources(site.home)))``."""

    sources: ReadSources

    def __call__(self, view: View) -> Lists:
        """The lists. Raises kg.errors.StoreError."""
        table = view.once(graph_table)
        topics, said = view.once(topic_pairs), view.once(notes)
        return Lists(table, make_facets(table, view.once(self.sources), topics=topics, said=said))


def read_page(asked: "MultiDict[str, str]") -> int:
    """The number of the page asked for. Raises werkzeug's NotFound."""
    text = asked.get("page", "1")
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) >= 1):
        raise NotFound("There is no such page of this list.")
    return int(text)


def count_pages(total: int, page: int, *, per_page: int = PER_PAGE) -> int:
    """How many pages there are, one at least. Raises werkzeug's NotFound where ``page`` is beyond."""
    pages = max(1, -(-total // per_page))
    if page > pages:
        raise NotFound(f"There is no page {page} of this list: it has {pages}.")
    return pages


def _ranked(texts: Sequence[str]) -> Numbers:
    """The place of each text among all of them: int64 [n]."""
    place = {text: number for number, text in enumerate(sorted(set(texts)))}
    return np.array([place[text] for text in texts], np.int64)
