"""A6: a predicate whose name ends in a percent escape cannot be an element of RDF/XML, and the writer crashes.

Names of relations that we mint hold no percent escape, so that RDF/XML can always be written.
"""

import pytest
import rdflib
from rdflib.compare import isomorphic

from ontology.catalogue import Catalogue
from ontology.files import ntriples

LABELS = ["term ", "term%20", "50 %", "a/b#c", "<less>", "2nd", "-x", ".", "%", "ein Übergang"]


@pytest.mark.parametrize("label", LABELS)
def test_what_is_minted_can_be_written_as_rdf_xml(label: str) -> None:
    minted = Catalogue().mint(label, label, namespace="https://example.org/")
    graph = rdflib.Graph().parse(data=ntriples([*minted.triples]), format="nt")
    for relation in minted.new:
        assert "%" not in relation.iri.value
        graph.add((rdflib.BNode(), rdflib.URIRef(relation.iri.value), rdflib.BNode()))
    again = rdflib.Graph().parse(data=graph.serialize(format="xml"), format="xml")
    assert isomorphic(graph, again)


def test_a_conditioned_relation_of_a_foreign_predicate_drops_its_escape() -> None:
    minted = Catalogue().mint("term", "is angry", namespace="https://example.org/")
    foreign = Catalogue([minted.new[0]]).mint(
        type(minted.relation.iri)("http://other.org/term%20"), "is angry", namespace="https://example.org/"
    )
    assert foreign.relation.iri.value == "https://example.org/term-isAngry"
