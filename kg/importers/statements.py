"""The quads that say one thing each: an entity, its caption, an edge with what more there is to say of it.

Every importer that builds entities of its own writes them through here, so that one model of the graph stands in one
place. It mints no names and knows no source's layout.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from kg.literals import text_literal
from ontology import terms

RDF_STATEMENT = terms.term("rdf:Statement")


@dataclass(frozen=True, slots=True)
class Edge:
    """One triple, and what is said about it; ``evidence`` are media items."""

    head: ox.NamedNode
    relation: ox.NamedNode
    tail: ox.NamedNode
    condition_text: str = ""
    information: str = ""
    evidence: tuple[ox.NamedNode, ...] = ()


def entity_quads(
    iri: ox.NamedNode,
    label: str,
    *,
    graph: ox.NamedNode,
    classes: Iterable[ox.NamedNode],
    alternatives: Iterable[str] = (),
    contexts: Iterable[str] = (),
    language: str | None = None,
) -> Iterator[ox.Quad]:
    """An entity with its label and texts. Raises BadTerm for a text that cannot be a literal."""
    for entity_class in classes:
        yield ox.Quad(iri, terms.RDF_TYPE, entity_class, graph)
    yield ox.Quad(iri, terms.RDFS_LABEL, text_literal(label, language=language), graph)
    for text in alternatives:
        yield ox.Quad(iri, terms.SKOS_ALT_LABEL, text_literal(text, language=language), graph)
    for text in contexts:
        yield ox.Quad(iri, terms.CONTEXT, text_literal(text, language=language), graph)


def caption_quads(
    entity: ox.NamedNode,
    text: str,
    *,
    graph: ox.NamedNode,
    caption_class: ox.NamedNode,
    describes: Iterable[ox.NamedNode] = (),
    language: str | None = None,
    number: int = 1,
) -> Iterator[ox.Quad]:
    """What an entity looks like; ``number`` counts its captions from 1, ``caption_class`` says who wrote this one.

    Raises BadTerm for a text that cannot be a literal.
    """
    caption = caption_iri(entity, number)
    yield ox.Quad(entity, terms.HAS_CAPTION, caption, graph)
    yield ox.Quad(caption, terms.RDF_TYPE, caption_class, graph)
    yield ox.Quad(caption, terms.CAPTION_TEXT, text_literal(text, language=language), graph)
    for item in describes:
        yield ox.Quad(caption, terms.DESCRIBES, item, graph)


def caption_iri(entity: ox.NamedNode, number: int = 1) -> ox.NamedNode:
    """The IRI of an entity's caption; ``number`` counts them from 1."""
    return ox.NamedNode(f"{entity.value}/caption" + (f"-{number}" if number > 1 else ""))


def edge_quads(
    edge: Edge, *, graph: ox.NamedNode, facts: ox.NamedNode, base_iri: str, language: str | None = None
) -> Iterator[ox.Quad]:
    """The plain triple, and a fact about it where there is more to say. Raises BadTerm for a bad text."""
    texts = [
        (prop, text_literal(text, language=language))
        for prop, text in ((terms.CONDITION_TEXT, edge.condition_text), (terms.INFORMATION, edge.information))
        if text
    ]
    yield ox.Quad(edge.head, edge.relation, edge.tail, graph)
    if not texts and not edge.evidence:
        return
    fact = fact_iri(base_iri, edge)
    yield ox.Quad(fact, terms.RDF_TYPE, terms.FACT, facts)
    yield ox.Quad(fact, terms.RDF_TYPE, RDF_STATEMENT, facts)
    yield ox.Quad(fact, terms.RDF_SUBJECT, edge.head, facts)
    yield ox.Quad(fact, terms.RDF_PREDICATE, edge.relation, facts)
    yield ox.Quad(fact, terms.RDF_OBJECT, edge.tail, facts)
    yield ox.Quad(fact, terms.DCTERMS_SOURCE, graph, facts)
    for prop, literal in texts:
        yield ox.Quad(fact, prop, literal, facts)
    for item in edge.evidence:
        yield ox.Quad(fact, terms.EVIDENCE, item, facts)


def fact_iri(base_iri: str, edge: Edge) -> ox.NamedNode:
    """The IRI of what is said of a triple: the same for the same words, another for other words of one triple."""
    said: Sequence[str] = (
        edge.head.value,
        edge.relation.value,
        edge.tail.value,
        edge.condition_text,
        edge.information,
        *(item.value for item in edge.evidence),
    )
    digest = hashlib.sha256("\x1f".join(said).encode("utf-8", "surrogatepass")).hexdigest()
    return ox.NamedNode(f"{base_iri}fact/{digest[:24]}")
