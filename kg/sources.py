"""What a home remembers of its sources: which graphs are theirs, what they brought, and how to take it back.

A record holds nothing that differs between two imports of the same bytes: no time, no path.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import pyoxigraph as ox

from kg.draft import Draft
from kg.home import Snapshot
from kg.literals import text_literal
from ontology import terms

_DATASET = terms.term("void:Dataset")
_TITLE = terms.term("dcterms:title")
_IDENTIFIER = terms.term("dcterms:identifier")
_FORMAT = terms.term("dcterms:format")
_URI_SPACE = terms.term("void:uriSpace")
_TRIPLES = terms.term("void:triples")
_SUBSET = terms.term("void:subset")


@dataclass(frozen=True, slots=True)
class Source:
    """One imported source. ``sha256`` is the hash of its content, ``triples`` counts both of its graphs."""

    slug: str
    title: str
    kind: str
    sha256: str
    base_iri: str
    triples: int

    @property
    def graph(self) -> ox.NamedNode:
        """The graph of its plain triples, which stands for the source."""
        return terms.source_graph(self.slug)

    def quads(self) -> Iterator[ox.Quad]:
        """The record."""
        said: list[tuple[ox.NamedNode, ox.NamedNode | ox.Literal]] = [
            (terms.RDF_TYPE, _DATASET),
            (_TITLE, text_literal(self.title)),
            (_IDENTIFIER, ox.Literal(self.slug)),
            (_FORMAT, ox.Literal(self.kind)),
            (_URI_SPACE, ox.Literal(self.base_iri)),
            (terms.SHA256, ox.Literal(self.sha256)),
            (_TRIPLES, ox.Literal(self.triples)),
            (_SUBSET, terms.facts_graph(self.slug)),
        ]
        for predicate, value in said:
            yield ox.Quad(self.graph, predicate, value, terms.SOURCES_GRAPH)


def withdraw(draft: Draft, slug: str) -> bool:
    """Take back all that the source called ``slug`` brought; says whether there was any.

    Relations that other sources use too stay in the catalogue. The inferred graph goes: it followed from what was.
    """
    graph = terms.source_graph(slug)
    record = draft.quads(graph, graph=terms.SOURCES_GRAPH)
    draft.remove_graphs([graph, terms.facts_graph(slug), terms.INFERRED_GRAPH])
    draft.remove(record)
    marks = draft.quads(None, terms.DCTERMS_SOURCE, graph, graph=terms.CATALOGUE_GRAPH)
    draft.remove(marks)
    for mark in marks:
        if not draft.quads(mark.subject, terms.DCTERMS_SOURCE, graph=terms.CATALOGUE_GRAPH):
            draft.remove(draft.quads(mark.subject, graph=terms.CATALOGUE_GRAPH))
    return bool(record)


def recorded(snapshot: Snapshot) -> list[Source]:
    """The sources that a home holds, by their slugs."""
    records: dict[object, dict[ox.NamedNode, str]] = {}
    for quad in snapshot.store.quads_for_pattern(None, None, None, terms.SOURCES_GRAPH):
        if isinstance(quad.object, ox.Literal):
            records.setdefault(quad.subject, {})[quad.predicate] = quad.object.value
    found = [
        Source(
            said[_IDENTIFIER],
            said.get(_TITLE, said[_IDENTIFIER]),
            said.get(_FORMAT, ""),
            said.get(terms.SHA256, ""),
            said.get(_URI_SPACE, ""),
            int(said.get(_TRIPLES, "0")),
        )
        for said in records.values()
        if _IDENTIFIER in said
    ]
    return sorted(found, key=lambda source: source.slug)
