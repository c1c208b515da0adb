"""From media items to triples: what they evidence, what they show, and what lies beyond."""

import pyoxigraph as ox

from kg.store import EmbeddedStore
from ontology.terms import PREFIXES
from sparql.lifting import Lift, lift

EX = "http://example.org/"
GRAPH = """
ex:roars a owl:ObjectProperty ; rdfs:label "roars at" ; sf:baseRelation ex:roars .
ex:roarsWhenAngry a owl:ObjectProperty ; rdfs:label "roars at, when angry" ;
    sf:baseRelation ex:roars ; sf:condition ex:angry .
ex:angry rdfs:label "is angry" .
ex:livesIn a owl:ObjectProperty ; rdfs:label "lives in" ; sf:baseRelation ex:livesIn .
ex:lion rdfs:label "Lion" ; sf:context "A big cat." ; sf:hasMedia ex:photo , ex:run ;
    ex:roarsWhenAngry ex:hyena ; ex:livesIn ex:savanna .
ex:hyena rdfs:label "Hyena" ; ex:livesIn ex:savanna ; sf:hasMedia ex:laugh .
ex:zebra rdfs:label "Zebra" ; ex:livesIn ex:savanna .
ex:savanna rdfs:label "Savanna" .
ex:frame sf:keyframeOf ex:run .
ex:fact rdf:subject ex:lion ; rdf:predicate ex:livesIn ; rdf:object ex:savanna ; sf:evidence ex:landscape .
ex:lion ex:note "no relation" .
"""


def node(name: str) -> ox.NamedNode:
    return ox.NamedNode(EX + name)


def lifted(*items: str, **more: int) -> Lift:
    prefixes = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in {**PREFIXES, "ex": EX}.items())
    store = EmbeddedStore.from_quads(ox.parse(prefixes + GRAPH, ox.RdfFormat.TURTLE))
    return lift(store, [node(item) for item in items], **more)


def told(found: Lift) -> list[str]:
    return [f"{one.head.label} {one.relation.label} {one.tail.label} ({one.hop})" for one in found.triples]


def test_an_item_leads_to_the_triples_of_what_it_shows_both_ways() -> None:
    assert told(lifted("photo")) == ["Lion lives in Savanna (1)", "Lion roars at, when angry Hyena (1)"]
    assert told(lifted("laugh")) == ["Hyena lives in Savanna (1)", "Lion roars at, when angry Hyena (1)"]


def test_what_is_said_comes_with_them() -> None:
    found = lifted("photo").triples[1]
    assert (found.head.contexts, found.relation.condition_label) == (("A big cat.",), "is angry")
    assert found.items == (node("photo"),)


def test_evidence_leads_to_its_fact_alone() -> None:
    found = lifted("landscape")
    assert told(found) == ["Lion lives in Savanna (1)"]
    assert found.triples[0].evidenced
    assert found.shown == {}


def test_a_keyframe_shows_what_its_sequence_shows() -> None:
    found = lifted("frame")
    assert [entity.label for entity in found.shown[node("frame")]] == ["Lion"]
    assert len(found.triples) == 2


def test_a_triple_names_all_items_that_brought_it_nearest_first() -> None:
    found = {one.tail.label: one.items for one in lifted("laugh", "photo").triples}
    assert found["Hyena"] == (node("laugh"), node("photo"))


def test_more_hops_go_on_from_the_ends() -> None:
    beyond = lifted("photo", hops=2)
    assert told(beyond)[2:] == ["Hyena lives in Savanna (2)", "Zebra lives in Savanna (2)"]
    assert {one.items for one in beyond.triples} == {(node("photo"),)}
    assert told(lifted("photo", hops=9)) == told(beyond)


def test_a_bound_is_told() -> None:
    found = lifted("photo", hops=2, most=1)
    assert (len(found.triples), found.cut) == (1, True)
    assert not lifted("photo").cut


def test_nothing_and_what_the_graph_does_not_know() -> None:
    assert lifted().triples == lifted("stranger").triples == ()
