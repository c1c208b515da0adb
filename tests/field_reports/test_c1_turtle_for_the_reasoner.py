"""C1: owlready2 refuses ordinary Turtle, or takes it for N-Triples and loads rubbish.

Turtle stays our public format; the reasoner is handed N-Triples, and what arrived is counted.
"""

import io

import owlready2
import pyoxigraph as ox
import pytest

from ontology.consistency import load_world
from ontology.files import bundled_quads, parse_rdf
from ontology.owl_view import owl_view

TURTLE = b"""@prefix ex: <https://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
ex:Wyvern a owl:Class .
ex:zinogre a ex:Wyvern .
"""


def test_the_fault_is_still_there() -> None:
    ontology = owlready2.World().get_ontology("urn:x#")
    with pytest.raises(owlready2.OwlReadyOntologyParsingError):
        ontology.load(fileobj=io.BytesIO(TURTLE))


def test_turtle_reaches_the_reasoner_whole() -> None:
    world = load_world(owl_view(parse_rdf(TURTLE, "wyverns.ttl", syntax=ox.RdfFormat.TURTLE)))
    assert {one.iri for one in world.classes()} == {"https://example.org/Wyvern"}
    assert {one.iri for one in world.individuals()} == {"https://example.org/zinogre"}


def test_the_bundled_vocabulary_reaches_the_reasoner_whole() -> None:
    view = owl_view(bundled_quads())
    world = load_world(view)
    assert {one.iri for one in world.classes()} == {node.value for node in view.classes}
    assert len(list(world.individuals())) == len(view.individuals) > 80
