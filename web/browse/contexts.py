"""The beginnings of contexts, to be shown beside names: one query for as many things as a page has."""

from collections.abc import Iterable

import pyoxigraph as ox

from sparql.graph import describe
from web.site import View

_SHOWN = 140
"""Characters of a context that are shown."""


def contexts(view: View, iris: Iterable[str]) -> dict[str, str]:
    """The beginning of the context of each of these that has one. Raises kg.errors.StoreError."""
    nodes = _nodes(iris)
    if not nodes:
        return {}
    described = describe(view.engine.store, nodes)
    texts = {iri.value: " ".join(" ".join(entity.contexts).split()) for iri, entity in described.items()}
    return {iri: f"{text[:_SHOWN].rstrip()}…" if len(text) > _SHOWN else text for iri, text in texts.items()}


def _nodes(iris: Iterable[str]) -> list[ox.NamedNode]:
    """The nodes of these; a graph made elsewhere may hold IRIs that are none by the book, and cannot be asked for."""
    nodes = []
    for iri in iris:
        try:
            nodes.append(ox.NamedNode(iri))
        except ValueError:
            continue
    return nodes
