"""C3: an N-Triples file of one line is taken for RDF/XML, or its names come out under the file's own namespace.

The format is always said, and the IRIs arrive as they were.
"""

import pyoxigraph as ox

from ontology.consistency import load_world
from ontology.files import parse_rdf
from ontology.owl_view import owl_view

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LINE = f"<https://example.org/A> <{TYPE}> <http://www.w3.org/2002/07/owl#NamedIndividual> .".encode()


def test_a_single_individual_keeps_its_iri() -> None:
    world = load_world(owl_view(parse_rdf(LINE, "o.nt", syntax=ox.RdfFormat.N_TRIPLES)))
    assert [one.iri for one in world.individuals()] == ["https://example.org/A"]
