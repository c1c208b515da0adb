"""The part of a graph that OWL 2 DL speaks of, as one set of triples.

A graph holds more than axioms and assertions: facts quote triples with the reification vocabulary, sources describe
themselves with VoID, and imported files use properties that nobody declared. OWL 2 DL reserves the first
(https://www.w3.org/TR/owl2-syntax/#IRIs, table of reserved vocabulary) and asks for declarations of the others. This
view leaves the quotations out and takes undeclared properties of other vocabularies as annotations. A property of our
own namespaces that is not declared stays as it is: that is a mistake to be found.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import pyoxigraph as ox

from ontology import terms

OWL_NS = terms.PREFIXES["owl"]
_RESERVED = (OWL_NS, terms.PREFIXES["rdf"], terms.PREFIXES["rdfs"], terms.PREFIXES["xsd"])
_OWN = (terms.SF_NS, terms.MHW_NS)
_QUOTING = {terms.RDF_SUBJECT, terms.RDF_PREDICATE, terms.RDF_OBJECT}
_STATEMENT = terms.term("rdf:Statement")
_IMPORTS = terms.term("owl:imports")
CLASS = terms.term("owl:Class")
INDIVIDUAL = terms.term("owl:NamedIndividual")
OBJECT_PROPERTY = terms.term("owl:ObjectProperty")
ANNOTATION_PROPERTY = terms.term("owl:AnnotationProperty")
PROPERTY_KINDS = {OBJECT_PROPERTY, ANNOTATION_PROPERTY, terms.term("owl:DatatypeProperty")}


@dataclass(frozen=True, slots=True)
class OwlView:
    """Triples fit for an OWL tool. ``classes`` and ``individuals`` are the named ones that they declare."""

    triples: frozenset[ox.Triple]
    classes: frozenset[ox.NamedNode]
    individuals: frozenset[ox.NamedNode]
    assumed: frozenset[ox.NamedNode]
    """Undeclared properties of other vocabularies, taken as annotation properties."""


def owl_view(quads: Iterable[ox.Quad | ox.Triple]) -> OwlView:
    """The view of all given graphs together. Import statements are left out: what is to be seen is given."""
    triples = {ox.Triple(q.subject, q.predicate, q.object) for q in quads if _is_owl(q)}
    types = {(t.subject, t.object) for t in triples if t.predicate == terms.RDF_TYPE}
    declared = {subject for subject, kind in types if kind in PROPERTY_KINDS}
    used = {t.predicate for t in triples if not _starts(t.predicate, _RESERVED)}
    assumed = frozenset(p for p in used - declared if not _starts(p, _OWN))
    named = {(s, kind) for s, kind in types if isinstance(s, ox.NamedNode) and isinstance(kind, ox.NamedNode)}
    instances = {(s, kind) for s, kind in named if not _starts(kind, _RESERVED)}
    individuals = frozenset({s for s, _ in instances} | {s for s, kind in named if kind == INDIVIDUAL})
    classes = frozenset({kind for _, kind in instances} | {s for s, kind in named if kind == CLASS})
    triples |= {ox.Triple(node, terms.RDF_TYPE, ANNOTATION_PROPERTY) for node in assumed}
    triples |= {ox.Triple(node, terms.RDF_TYPE, INDIVIDUAL) for node in individuals}
    triples |= {ox.Triple(node, terms.RDF_TYPE, CLASS) for node in classes}
    return OwlView(frozenset(triples), classes, individuals, assumed)


def _is_owl(quad: ox.Quad | ox.Triple) -> bool:
    if quad.predicate in _QUOTING or quad.predicate == _IMPORTS:
        return False
    return quad.object != _STATEMENT and not isinstance(quad.object, ox.Triple)


def _starts(node: ox.NamedNode, namespaces: tuple[str, ...]) -> bool:
    return node.value.startswith(namespaces)
