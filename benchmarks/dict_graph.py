"""The neighbourhood of an entity from Python dicts: what the generated query costs beside no query engine at all.

Gives the same Edge objects as ``sparql.graph.neighbourhood``; the benchmark checks that it does.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import pyoxigraph as ox

from kg.store import Term
from ontology import terms
from ontology.catalogue import Relation
from sparql.graph import Caption, Edge, Entity, Fact


class DictGraph:
    """Triples by subject and predicate, and facts by the triple that they are about."""

    def __init__(self, triples: Iterable[ox.Triple]) -> None:
        self._said: dict[Term, dict[ox.NamedNode, list[Term]]] = defaultdict(lambda: defaultdict(list))
        for triple in triples:
            self._said[triple.subject][triple.predicate].append(triple.object)
        self._facts: dict[tuple[Term, Term, Term], list[Term]] = defaultdict(list)
        for subject, said in self._said.items():
            if terms.RDF_SUBJECT in said:
                (head,), (relation,), (tail,) = (
                    said[part] for part in (terms.RDF_SUBJECT, terms.RDF_PREDICATE, terms.RDF_OBJECT)
                )
                self._facts[head, relation, tail].append(subject)

    def neighbourhood(self, frontier: Sequence[ox.NamedNode]) -> dict[ox.NamedNode, list[Edge]]:
        """As sparql.graph.neighbourhood."""
        return {head: self._edges(head) for head in frontier}

    def _edges(self, head: ox.NamedNode) -> list[Edge]:
        edges = [
            Edge(head, self._relation(relation), self._entity(tail), self._facts_of(head, relation, tail))
            for relation, tails in self._said[head].items()
            if terms.BASE_RELATION in self._said.get(relation, ())
            for tail in tails
            if isinstance(tail, ox.NamedNode)
        ]
        return sorted(edges, key=lambda edge: (edge.tail.label, edge.relation.iri.value, edge.tail.iri.value))

    def _relation(self, iri: ox.NamedNode) -> Relation:
        said = self._said[iri]
        base, condition = _nodes(said[terms.BASE_RELATION])[0], _nodes(said.get(terms.CONDITION, ()))
        return Relation(
            iri=iri,
            label=self._label(iri),
            base=base,
            base_label=self._label(base),
            condition=condition[0] if condition else None,
            condition_label=self._label(condition[0]) if condition else None,
        )

    def _facts_of(self, head: Term, relation: Term, tail: Term) -> tuple[Fact, ...]:
        return tuple(self._fact(iri) for iri in sorted(self._facts.get((head, relation, tail), ()), key=str))

    def _fact(self, iri: Term) -> Fact:
        said = self._said[iri]
        return Fact(
            iri=iri,
            condition_texts=_texts(said.get(terms.CONDITION_TEXT, ())),
            information=_texts(said.get(terms.INFORMATION, ())),
            evidence=_nodes(said.get(terms.EVIDENCE, ())),
            sources=tuple(said.get(terms.DCTERMS_SOURCE, ())),
        )

    def _entity(self, iri: ox.NamedNode) -> Entity:
        said = self._said[iri]
        captions = [
            Caption(text)
            for node in said.get(terms.HAS_CAPTION, ())
            for text in _texts(self._said[node][terms.CAPTION_TEXT])
        ]
        return Entity(
            iri=iri,
            label=self._label(iri),
            alt_labels=_texts(said.get(terms.SKOS_ALT_LABEL, ())),
            types=_nodes(said.get(terms.RDF_TYPE, ())),
            contexts=_texts(said.get(terms.CONTEXT, ())),
            captions=tuple(sorted(captions, key=lambda caption: caption.text)),
            media=_nodes(said.get(terms.HAS_MEDIA, ())),
        )

    def _label(self, iri: ox.NamedNode) -> str:
        return _texts(self._said[iri][terms.RDFS_LABEL])[0]


def _texts(values: Iterable[Term]) -> tuple[str, ...]:
    return tuple(sorted({value.value for value in values if isinstance(value, ox.Literal)}))


def _nodes(values: Iterable[Term]) -> tuple[ox.NamedNode, ...]:
    return tuple(sorted({value for value in values if isinstance(value, ox.NamedNode)}, key=lambda node: node.value))
