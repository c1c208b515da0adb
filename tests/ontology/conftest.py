"""Graphs for the checks: the bundled vocabulary with some data after it."""

from collections.abc import Callable

import pyoxigraph as ox
import pytest

from ontology import terms
from ontology.files import bundled_quads

Graph = Callable[[str], list[ox.Quad]]

SOUND = """
ex:zinogre a mhw:Monster, sf:TopicEntity ; rdfs:label "Zinogre"@en ; sf:context "A wolf."@en ;
  mhw:hasAttackActionOf-isAngry ex:slam ; mhw:isWeakenWith ex:ice .
ex:slam a mhw:AttackAction ; rdfs:label "Slam" ; sf:hasCaption ex:caption ; sf:hasMedia ex:clip, ex:frame .
ex:caption a sf:GeneratedCaption ; sf:text "It slams." ; sf:model "m" ; sf:setting "s" ; sf:describes ex:clip .
ex:clip a sf:Video ; schema:contentUrl "clip.mp4" ; schema:encodingFormat "video/mp4" .
ex:frame a sf:Keyframe ; schema:contentUrl "f.png" ; schema:encodingFormat "image/png" ; sf:keyframeOf ex:clip ;
  sf:frameIndex 12 .
ex:ice a mhw:Element ; rdfs:label "Ice" .
ex:fact a sf:Fact, rdf:Statement ; rdf:subject ex:zinogre ; rdf:predicate mhw:hasAttackActionOf-isAngry ;
  rdf:object ex:slam ; sf:conditionText "When it has roared" ; sf:evidence ex:clip ; dcterms:source <urn:source> .
"""


@pytest.fixture
def graph() -> Graph:
    """Turtle after the bundled prefixes and ``ex:``, as quads."""
    prologue = "".join(f"PREFIX {prefix}: <{namespace}>\n" for prefix, namespace in terms.PREFIXES.items())
    prologue += "PREFIX ex: <https://example.org/>\n"
    return lambda turtle: list(ox.parse(prologue + turtle, format=ox.RdfFormat.TURTLE))


@pytest.fixture
def with_data(graph: Graph) -> Graph:
    """The bundled vocabulary and the given Turtle."""
    return lambda turtle: [*bundled_quads(), *graph(turtle)]


@pytest.fixture
def sound() -> str:
    """Data without a fault, one of each kind of thing."""
    return SOUND
