"""The relations that one source uses, found in the catalogue or minted.

``ontology.catalogue`` knows what a relation is and how one is minted. What is kept here is which relations and
conditions a source uses beyond the ontology's own: each is marked in the catalogue graph with the source's graph, so
that importing the source again can take back exactly what only it had brought.
"""

from collections.abc import Iterable, Iterator

import pyoxigraph as ox

from ontology import terms
from ontology.catalogue import Catalogue, Relation


class SourceCatalogue:
    """The catalogue as the source with the graph ``marker`` sees and extends it.

    ``quads`` are those of the ontology graph and the catalogue graph.
    """

    def __init__(self, quads: Iterable[ox.Quad], *, marker: ox.NamedNode) -> None:
        kept = list(quads)
        self._all = Catalogue.from_quads(kept)
        self._in_ontology = {quad.subject for quad in kept if quad.graph_name == terms.ONTOLOGY_GRAPH}
        self._marker = marker
        self._views: dict[str, Catalogue] = {}
        self._declared: dict[ox.Triple, None] = {}
        self._used: dict[ox.NamedNode, None] = {}
        self.minted: dict[ox.NamedNode, str] = {}
        """Relations that this source adds, each with its label, in the order in which it met them."""

    def relation(
        self, base: str | ox.NamedNode, condition: str | None = None, *, namespace: str, label: str | None = None
    ) -> ox.NamedNode:
        """The relation of ``base`` (a label, or the source's own IRI, then named ``label``) under ``condition``.

        Labels are looked up among the relations of ``namespace``, which ends in ``/`` or ``#``, and minted there
        where they are new: a source that happens to say "cause" is not given another domain's relation. Raises
        ontology.errors.UnknownRelation for a blank label.
        """
        minted = self.view(namespace).mint(base, condition, namespace=namespace, label=label)
        self._declared.update(dict.fromkeys(minted.triples))
        self.minted.update((relation.iri, relation.label) for relation in minted.new)
        self._use(minted.relation)
        return minted.relation.iri

    def view(self, namespace: str) -> Catalogue:
        """The relations of ``namespace``, those minted so far among them: for looking up, not for minting."""
        view = self._views.get(namespace)
        if view is None:
            view = self._views[namespace] = self._all.within(namespace)
        return view

    def quads(self) -> Iterator[ox.Quad]:
        """What is to be added to the catalogue graph: the relations that are new, and a mark for each one in use."""
        for triple in self._declared:
            yield ox.Quad(triple.subject, triple.predicate, triple.object, terms.CATALOGUE_GRAPH)
        for node in self._used:
            yield ox.Quad(node, terms.DCTERMS_SOURCE, self._marker, terms.CATALOGUE_GRAPH)

    def _use(self, relation: Relation) -> None:
        for node in (relation.iri, relation.base, relation.condition):
            if node is not None and node not in self._in_ontology:
                self._used[node] = None
