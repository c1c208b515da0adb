"""What is said beside names and edges: the beginnings of contexts, the texts of facts. One query for a whole page."""

from collections.abc import Iterable

import pyoxigraph as ox

from sparql.graph import describe
from sparql.template import bind
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


def edge_notes(view: View, relation: str, edges: Iterable[tuple[str, str]]) -> dict[tuple[str, str], tuple[str, ...]]:
    """What facts say in words of these edges, given as (head, tail), by edge. Raises kg.errors.StoreError."""
    nodes, heads = _nodes([relation]), _nodes(dict.fromkeys(head for head, _ in edges))
    if not nodes or not heads:
        return {}
    said: dict[tuple[str, str], set[str]] = {}
    for row in view.engine.store.select(bind("notes_on_edges", relation=nodes, heads=heads)):
        head, tail, text = row["head"], row["tail"], row["text"]
        if isinstance(head, ox.NamedNode) and isinstance(tail, ox.NamedNode) and isinstance(text, ox.Literal):
            said.setdefault((head.value, tail.value), set()).add(text.value)
    return {edge: tuple(sorted(texts)) for edge, texts in said.items()}


def _nodes(iris: Iterable[str]) -> list[ox.NamedNode]:
    """The nodes of these; a graph made elsewhere may hold IRIs that are none by the book, and cannot be asked for."""
    nodes = []
    for iri in iris:
        try:
            nodes.append(ox.NamedNode(iri))
        except ValueError:
            continue
    return nodes
