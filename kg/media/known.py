"""The entities and triples of a graph by what people call them, for rows that name them."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import pyoxigraph as ox

from kg.errors import BadTerm
from kg.home import Snapshot
from kg.importers.statements import Edge
from ontology import terms

_MANY = {"entity": "entities", "relation": "relations"}


@dataclass(frozen=True, slots=True)
class Known:
    """The entities of a graph by label, alternative label and IRI, and its triples by relations."""

    by_name: Mapping[str, frozenset[ox.NamedNode]]
    triples: Mapping[tuple[ox.NamedNode, ox.NamedNode], frozenset[ox.NamedNode]]
    relations: Mapping[str, frozenset[ox.NamedNode]]

    @staticmethod
    def read(snapshot: Snapshot) -> "Known":
        """Of all that is asserted."""
        found: dict[str, set[ox.NamedNode]] = defaultdict(set)
        relations: dict[str, set[ox.NamedNode]] = defaultdict(set)
        store = snapshot.store
        of_catalogue = {quad.subject for quad in store.quads_for_pattern(None, terms.BASE_RELATION, None, None)}
        triples: dict[tuple[ox.NamedNode, ox.NamedNode], set[ox.NamedNode]] = defaultdict(set)
        ends: set[ox.NamedNode] = set()
        for relation in of_catalogue:
            for quad in store.quads_for_pattern(None, relation, None, None):  # type: ignore[arg-type]
                if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.NamedNode):
                    triples[quad.subject, quad.predicate].add(quad.object)
                    ends |= {quad.subject, quad.object}
        topics = store.quads_for_pattern(None, terms.RDF_TYPE, terms.TOPIC_ENTITY, None)
        ends |= {quad.subject for quad in topics if isinstance(quad.subject, ox.NamedNode)}
        for name in (terms.RDFS_LABEL, terms.SKOS_ALT_LABEL):
            for quad in store.quads_for_pattern(None, name, None, None):
                if isinstance(quad.object, ox.Literal) and isinstance(quad.subject, ox.NamedNode):
                    if quad.subject in ends:
                        found[_key(quad.object.value)].add(quad.subject)
                    elif quad.subject in of_catalogue:
                        relations[_key(quad.object.value)].add(quad.subject)
        for iri in ends:
            found[iri.value].add(iri)
            found[_key(iri.value.rstrip("/#").rsplit("/", 1)[-1].replace("-", " "))].add(iri)
        for relation in of_catalogue:
            if isinstance(relation, ox.NamedNode):
                relations[relation.value].add(relation)
        frozen = {key: frozenset(some) for key, some in found.items()}
        return Known(
            frozen, {key: frozenset(o) for key, o in triples.items()}, {k: frozenset(r) for k, r in relations.items()}
        )

    def entity(self, name: str) -> ox.NamedNode:
        """The one entity of a name. Raises BadTerm where there is none, or there are several."""
        return _only(self.by_name, name, "entity")

    def triple(self, subject: str, predicate: str, object_: str) -> Edge:
        """A triple of the graph, by names or IRIs. Raises BadTerm where it is not there."""
        head, relation, tail = self.entity(subject), _only(self.relations, predicate, "relation"), self.entity(object_)
        if tail not in self.triples.get((head, relation), frozenset()):
            raise BadTerm(f"the graph does not state that {subject} {predicate} {object_}")
        return Edge(head, relation, tail)


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()


def _only(known: Mapping[str, frozenset[ox.NamedNode]], name: str, what: str) -> ox.NamedNode:
    found = known.get(name) or known.get(_key(name)) or frozenset()
    if not found:
        raise BadTerm(f"the graph has no {what} called {name!r}")
    if len(found) > 1:
        example = min(iri.value for iri in found)
        raise BadTerm(f"{len(found)} {_MANY[what]} are called {name!r}: give the IRI of one, e.g. {example}")
    return next(iter(found))
