"""What a page and the API say of the things that a search found."""

from dataclasses import dataclass

import pyoxigraph as ox

from sparql.graph import describe
from web.browse.addresses import address_of
from web.browse.search import Hit, search_index
from web.browse.table import graph_table
from web.browse.topics import notes
from web.browse.vocabulary import CLASS, CONDITION, RELATION
from web.site import View

_CONTEXT = 140
"""Characters of a context that are shown beside a name that others bear too."""
_TERMS = {CLASS: "Class", RELATION: "Relation", CONDITION: "Condition"}


@dataclass(frozen=True, slots=True)
class Found:
    """
    One thing: what it is called, its kind in words, and the address of its page from the root of the site.

    ``note`` and ``context`` tell it from others of its name; both are empty where there are none.
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


def find(view: View, query: str, *, kind: str = "", language: str = "en", limit: int, offset: int = 0) -> Answer:
    """
    What fits a query, in words.

    The graph is asked one query where something found has a name that others bear too, none otherwise. Raises
    kg.errors.StoreError.
    """
    table, said = view.once(graph_table), view.once(notes)
    hits = view.once(search_index).search(query, kind=kind, language=language, limit=limit, offset=offset)
    contexts = _contexts(view, [hit.iri for hit in hits.found if hit.homonym])
    found = tuple(
        Found(
            hit,
            kind=table.kind(hit.number),
            page=address_of(view, table, hit.number),
            note=said[hit.number] if hit.homonym else "",
            context=contexts.get(hit.iri, ""),
        )
        for hit in hits.found
    )
    by_class = tuple((iri, _TERMS.get(iri) or table.names.label(iri), count) for iri, count in hits.by_class)
    return Answer(found, hits.total, by_class)


def _contexts(view: View, iris: list[str]) -> dict[str, str]:
    """The beginning of the context of each of these that has one."""
    if not iris:
        return {}
    described = describe(view.engine.store, _nodes(iris))
    texts = {iri.value: " ".join(" ".join(entity.contexts).split()) for iri, entity in described.items()}
    return {iri: f"{text[:_CONTEXT].rstrip()}…" if len(text) > _CONTEXT else text for iri, text in texts.items()}


def _nodes(iris: list[str]) -> list[ox.NamedNode]:
    """The nodes of these; a graph made elsewhere may hold IRIs that are none by the book, and cannot be asked for."""
    nodes = []
    for iri in iris:
        try:
            nodes.append(ox.NamedNode(iri))
        except ValueError:
            continue
    return nodes
