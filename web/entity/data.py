"""
The data of one resource: the document behind its address, in any syntax.

It holds what is stated of the resource, with the blank nodes that this leads to (a concise bounded description,
https://www.w3.org/Submission/CBD/); up to two hundred statements that lead to it; facts about these; and the labels of
what they name. Where the resource is a property, up to two hundred statements made with it.
"""

import io
from collections.abc import Iterable

import pyoxigraph as ox

from kg.exporting import Format, export
from kg.store import Store
from ontology import terms
from sparql.names import names
from sparql.resource import described, facts, incoming, usage

MOST = 200
"""Statements that lead to the resource, or that are made with it, in its data; labelled resources: twice as many."""
_OF_FACTS = {terms.RDF_SUBJECT, terms.RDF_PREDICATE, terms.RDF_OBJECT}


def document(store: Store, iri: ox.NamedNode, properties: Iterable[ox.NamedNode]) -> list[ox.Quad]:
    """
    The statements of the document; none where nothing is said of the resource.

    ``properties`` are those by which anything leads to it. Raises kg.errors.StoreError.
    """
    own = described(store, iri)
    back = _incoming(store, iri, properties)
    made = [
        ox.Triple(subject, iri, value)
        for subject, value in usage(store, iri, limit=MOST, ordered=False)
        if isinstance(subject, (ox.NamedNode, ox.BlankNode))
    ]
    said = [*own, *_apart(back, "i"), *_apart(made, "u")]
    if not said:
        return []
    ends = [term for triple in (*own, *back) for term in (triple.subject, triple.object) if term != iri]
    named = [term for term in ends if isinstance(term, ox.NamedNode)]
    said += _apart(_facts(store, iri, named[: 2 * MOST]), "f")
    said += _labels(store, said)
    return [ox.Quad(*triple) for triple in dict.fromkeys(said)]


def serialised(quads: Iterable[ox.Quad], form: Format) -> bytes:
    """The document as text in UTF-8. Raises kg.errors.ExportFailed where the syntax cannot hold it."""
    buffer = io.BytesIO()
    export(quads, form, buffer)
    return buffer.getvalue()


def _incoming(store: Store, iri: ox.NamedNode, properties: Iterable[ox.NamedNode]) -> list[ox.Triple]:
    """
    What leads to the resource. A blank node says little where what it stands in is not there too: those come only where
    there is nothing else.
    """
    triples: list[ox.Triple] = []
    for prop in sorted(properties, key=lambda prop: prop.value):
        if prop in _OF_FACTS or len(triples) >= MOST:
            continue
        subjects = incoming(store, iri, prop, limit=MOST - len(triples), ordered=False)
        triples += [ox.Triple(subject, prop, iri) for subject in subjects]
    named = [triple for triple in triples if isinstance(triple.subject, ox.NamedNode)]
    return named or triples


def _facts(store: Store, iri: ox.NamedNode, others: list[ox.NamedNode]) -> list[ox.Triple]:
    return [
        ox.Triple(fact.node, prop, value)
        for fact in facts(store, iri, others)
        if isinstance(fact.node, (ox.NamedNode, ox.BlankNode))
        for prop, values in fact.said.items()
        if isinstance(prop, ox.NamedNode)
        for value in values
    ]


def _labels(store: Store, triples: Iterable[ox.Triple]) -> list[ox.Triple]:
    named = {term for triple in triples for term in triple if isinstance(term, ox.NamedNode)}
    wanted = sorted(named, key=lambda node: node.value)[: 2 * MOST]
    called = names(store, wanted)
    return [ox.Triple(node, prop, label) for node, said in called.items() for prop, label in said.stated]


def _apart(triples: Iterable[ox.Triple], part: str) -> list[ox.Triple]:
    """The triples with blank nodes of their own: an endpoint calls others by the same names in each of its answers."""

    def renamed(term: object) -> object:
        return ox.BlankNode(part + term.value) if isinstance(term, ox.BlankNode) else term

    return [ox.Triple(renamed(t.subject), t.predicate, renamed(t.object)) for t in triples]  # type: ignore[arg-type]
