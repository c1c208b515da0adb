"""How many entities a source speaks of, for the report of its import.

An entity is an IRI with a class that says what kind of entity it is (see kg.stats), or one at either end of a relation.
"""

import pyoxigraph as ox

from kg.draft import Draft
from kg.stats import is_entity_class
from ontology import terms


def count_entities(draft: Draft, graph: ox.NamedNode) -> int:
    """The entities that the triples of ``graph`` name. Raises kg.errors.StoreError."""
    found: set[str] = set()
    for quad in draft.quads(None, terms.RDF_TYPE, graph=graph):
        if isinstance(quad.subject, ox.NamedNode) and _is_class_of_entities(quad.object):
            found.add(quad.subject.value)
    for row in draft.select(f"SELECT DISTINCT ?r WHERE {{ GRAPH ?g {{ ?r {terms.BASE_RELATION} ?base }} }}"):
        relation = row["r"]
        if isinstance(relation, ox.NamedNode):
            for quad in draft.quads(None, relation, graph=graph):
                found.update(end.value for end in (quad.subject, quad.object) if isinstance(end, ox.NamedNode))
    return len(found)


def count_topics(draft: Draft, graph: ox.NamedNode) -> int:
    """The topic entities among them."""
    return len({quad.subject for quad in draft.quads(None, terms.RDF_TYPE, terms.TOPIC_ENTITY, graph=graph)})


def _is_class_of_entities(term: object) -> bool:
    return isinstance(term, ox.NamedNode) and (is_entity_class(term.value) or term == terms.TOPIC_ENTITY)
