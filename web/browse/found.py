"""What a page and the API say of the things that a search found."""

from dataclasses import dataclass

from web.browse.addresses import address_of
from web.browse.contexts import contexts
from web.browse.search import Hit, search_index
from web.browse.table import graph_table
from web.browse.topics import notes
from web.browse.vocabulary import CLASS, CONDITION, RELATION
from web.site import View

_TERMS = {CLASS: "Class", RELATION: "Relation", CONDITION: "Condition"}


@dataclass(frozen=True, slots=True)
class Found:
    """
    One thing: what it is called, its kind in words, and the address of its page from the root of the site.

    ``note`` tells it from others of its name; it and ``context`` are empty where there are none, or none was asked for.
    """

    hit: Hit
    kind: str
    page: str
    note: str = ""
    context: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found; ``by_class`` are (class, what to call it, how many of those found)."""

    found: tuple[Found, ...]
    total: int
    by_class: tuple[tuple[str, str, int], ...]


def find(
    view: View,
    query: str,
    *,
    kind: str = "",
    language: str = "en",
    limit: int,
    offset: int = 0,
    explained: bool = False,
) -> Answer:
    """
    What fits a query, in words.

    With contexts for all that was ``explained``, else for what has a name that others bear too: one query of the graph,
    or none. Raises kg.errors.StoreError.
    """
    table, said = view.once(graph_table), view.once(notes)
    hits = view.once(search_index).search(query, kind=kind, language=language, limit=limit, offset=offset)
    said_of = contexts(view, [hit.iri for hit in hits.found if explained or hit.homonym])
    found = tuple(
        Found(
            hit,
            kind=table.kind(hit.number),
            page=address_of(view, table, hit.number),
            note=said[hit.number] if hit.homonym else "",
            context=said_of.get(hit.iri, ""),
        )
        for hit in hits.found
    )
    by_class = tuple((iri, _TERMS.get(iri) or table.names.label(iri), count) for iri, count in hits.by_class)
    return Answer(found, hits.total, by_class)
