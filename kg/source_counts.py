"""How many entities a source speaks of, for the report of its import.

An entity is an IRI with a class that says what kind of entity it is (see kg.stats), or one at either end of a relation.
"""

import pyoxigraph as ox

from kg.draft import Draft
from kg.stats import is_entity_class
from ontology import terms

MOST_BY_EDGES = 50_000
"""Triples of a source up to which the ends of its relations are counted: beyond, that would take as long as reading."""


def count_entities(draft: Draft, graph: ox.NamedNode, *, by_edges: bool = True) -> int:
    """
    The entities that the triples of ``graph`` name; not ``by_edges``: those only that have a class.

    Raises kg.errors.StoreError.
    """
    ends = "{ ?e ?r ?end FILTER(isIRI(?e)) } UNION { ?end ?r ?e FILTER(isIRI(?e)) }"
    relations = f"{{ SELECT DISTINCT ?r WHERE {{ GRAPH ?in {{ ?r {terms.BASE_RELATION} ?base }} }} }}"
    classes = " ".join(str(kind) for kind in _classes(draft, graph))
    typed = f"VALUES ?class {{ {classes} }} GRAPH {graph} {{ ?e {terms.RDF_TYPE} ?class }} FILTER(isIRI(?e))"
    pattern = f"{{ {typed} }}" + (f" UNION {{ {relations} GRAPH {graph} {{ {ends} }} }}" if by_edges else "")
    [row] = draft.select(f"SELECT (COUNT(DISTINCT ?e) AS ?count) WHERE {{ {pattern} }}")
    return int(row["count"].value) if isinstance(row["count"], ox.Literal) else 0


def count_topics(draft: Draft, graph: ox.NamedNode) -> int:
    """The topic entities among them."""
    return len({quad.subject for quad in draft.quads(None, terms.RDF_TYPE, terms.TOPIC_ENTITY, graph=graph)})


def _classes(draft: Draft, graph: ox.NamedNode) -> list[ox.NamedNode]:
    rows = draft.select(f"SELECT DISTINCT ?class WHERE {{ GRAPH {graph} {{ ?e {terms.RDF_TYPE} ?class }} }}")
    named = [row["class"] for row in rows if isinstance(row["class"], ox.NamedNode)]
    return [kind for kind in named if is_entity_class(kind.value) or kind == terms.TOPIC_ENTITY]
