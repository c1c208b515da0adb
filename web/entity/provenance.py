"""
Which source states a triple, as the named graphs of the home tell.

The graph that pages read has its sources merged; the generation on disk keeps them apart, and is asked for the triples
of one page only. A graph behind an endpoint elsewhere does not say.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pyoxigraph as ox

from kg.home import Home, Snapshot
from ontology import terms
from web.site import View

_TITLE = terms.term("dcterms:title")
_SOURCES = "/download"
"""Where all sources are told of."""
_HIDDEN = {terms.INFERRED_GRAPH, terms.SOURCES_GRAPH}
Node = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


@dataclass(frozen=True, slots=True)
class Origin:
    """A source, by its graph and its title; ``page`` is an address that tells more, from the root of the site."""

    graph: str
    title: str
    page: str = _SOURCES


_OWN = {
    terms.ONTOLOGY_GRAPH: Origin(terms.ONTOLOGY_GRAPH.value, "the ontology", "/ontology"),
    terms.CATALOGUE_GRAPH: Origin(terms.CATALOGUE_GRAPH.value, "relations that imports declared", "/relations"),
}


@dataclass(frozen=True, slots=True)
class Graphs:
    """The named graphs of one generation; ``snapshot`` is None where they are not known."""

    snapshot: Snapshot | None = None
    origins: Mapping[str, Origin] = field(default_factory=dict)

    @property
    def known(self) -> bool:
        """Whether sources can be told."""
        return self.snapshot is not None

    def stating(self, subject: Node, prop: ox.NamedNode, value: Node) -> tuple[Origin, ...]:
        """The sources that state a triple, by title; none for one with a blank node, which has another name here."""
        if self.snapshot is None or isinstance(value, ox.BlankNode) or not isinstance(subject, ox.NamedNode):
            return ()
        return self._origins(self.snapshot.store.quads_for_pattern(subject, prop, value, None))

    def values_of(self, subject: ox.NamedNode, prop: ox.NamedNode) -> list[tuple[Node, str]]:
        """The values of a property, each with the IRI of the graph that states it."""
        if self.snapshot is None:
            return []
        quads = self.snapshot.store.quads_for_pattern(subject, prop, None, None)
        return [(quad.object, quad.graph_name.value) for quad in quads if isinstance(quad.graph_name, ox.NamedNode)]

    def about(self, subject: ox.NamedNode) -> tuple[Origin, ...]:
        """The sources that state anything of ``subject``."""
        if self.snapshot is None:
            return ()
        return self._origins(self.snapshot.store.quads_for_pattern(subject, None, None, None))

    def _origins(self, quads: Iterable[ox.Quad]) -> tuple[Origin, ...]:
        names = {quad.graph_name for quad in quads} - _HIDDEN
        found = {self._origin(name) for name in names if isinstance(name, ox.NamedNode)}
        return tuple(sorted(found, key=lambda origin: (origin.title, origin.graph)))

    def _origin(self, graph: ox.NamedNode) -> Origin:
        facts, source = terms.facts_graph("").value, terms.source_graph("").value
        iri = source + graph.value.removeprefix(facts) if graph.value.startswith(facts) else graph.value
        return _OWN.get(graph) or self.origins.get(iri) or Origin(iri, iri)


def open_graphs(home: Home | None, view: View) -> Graphs:
    """The graphs of the generation that ``view`` shows; unknown where another has taken its place meanwhile."""
    if home is None:
        return Graphs()
    snapshot = home.snapshot()
    if snapshot.number != view.generation:
        snapshot.close()
        return Graphs()
    titles = {
        quad.subject.value: quad.object.value
        for quad in snapshot.store.quads_for_pattern(None, _TITLE, None, terms.SOURCES_GRAPH)
        if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.Literal)
    }
    titles |= {source.iri.value: source.title for source in view.about.sources if source.title}
    told = {source.iri.value: view.addresses.page_of(source.iri.value) for source in view.about.sources}
    return Graphs(snapshot, {iri: Origin(iri, title, told.get(iri, _SOURCES)) for iri, title in titles.items()})
