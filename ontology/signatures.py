"""Which classes a base relation leads from and to, as domain and range say it.

Reads named classes and unions of named classes (``owl:unionOf``), which is all that the bundled vocabularies use; any
other class expression counts as not said. It infers nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import pyoxigraph as ox

from ontology import terms

_DOMAIN = terms.term("rdfs:domain")
_RANGE = terms.term("rdfs:range")
_UNION = terms.term("owl:unionOf")
_FIRST = terms.term("rdf:first")
_REST = terms.term("rdf:rest")

Classes = frozenset[ox.NamedNode]
_Values = dict[tuple[object, ox.NamedNode], object]


@dataclass(frozen=True, slots=True)
class Signature:
    """The classes of a relation's heads and of its tails; empty where the vocabulary does not say."""

    heads: Classes
    tails: Classes


@dataclass(frozen=True, slots=True)
class Signatures:
    """The signatures of a vocabulary's base relations, and what follows from them for its classes.

    ``topics`` are the subclasses of ``sf:TopicEntity``. ``leaves`` are the classes that relations only lead to: nothing
    hangs off their members, so that they are shared words of the data set rather than parts of one topic.
    """

    by_relation: dict[ox.NamedNode, Signature]
    topics: Classes
    leaves: Classes

    @classmethod
    def from_quads(cls, quads: Iterable[ox.Quad | ox.Triple]) -> "Signatures":
        """Read the signatures out of an ontology, whatever its graphs."""
        values: _Values = {}
        parents: dict[ox.NamedNode, set[ox.NamedNode]] = {}
        relations: list[ox.NamedNode] = []
        for quad in quads:
            values[quad.subject, quad.predicate] = quad.object
            if not isinstance(quad.subject, ox.NamedNode) or not isinstance(quad.object, ox.NamedNode):
                continue
            if quad.predicate == terms.RDFS_SUBCLASS_OF:
                parents.setdefault(quad.subject, set()).add(quad.object)
            elif quad.predicate == terms.BASE_RELATION and quad.subject == quad.object:
                relations.append(quad.subject)
        by_relation = {
            iri: Signature(_classes(values, values.get((iri, _DOMAIN))), _classes(values, values.get((iri, _RANGE))))
            for iri in relations
        }
        heads = frozenset().union(*(signature.heads for signature in by_relation.values()))
        tails = frozenset().union(*(signature.tails for signature in by_relation.values()))
        topics = frozenset(c for c in parents if terms.TOPIC_ENTITY in _ancestors(c, parents))
        return cls(by_relation, topics, tails - heads - topics - {terms.ENTITY})


def _classes(values: _Values, node: object) -> Classes:
    if isinstance(node, ox.NamedNode):
        return frozenset() if node == terms.ENTITY else frozenset({node})
    members: set[ox.NamedNode] = set()
    item = values.get((node, _UNION))
    while isinstance(item, ox.BlankNode):
        member = values.get((item, _FIRST))
        if not isinstance(member, ox.NamedNode):
            return frozenset()
        members.add(member)
        item = values.get((item, _REST))
    return frozenset(members)


def _ancestors(node: ox.NamedNode, parents: dict[ox.NamedNode, set[ox.NamedNode]]) -> set[ox.NamedNode]:
    found: set[ox.NamedNode] = set()
    todo = [node]
    while todo:
        for parent in parents.get(todo.pop(), ()):
            if parent not in found:
                found.add(parent)
                todo.append(parent)
    return found
