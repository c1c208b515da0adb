"""Paths and neighbours in words."""

import pyoxigraph as ox

from agents.knowledge import describe_edge, describe_entity, describe_path, describe_paths
from agents.roles import Path
from kg.store import EmbeddedStore
from sparql.graph import describe, neighbourhood
from tests.fakes import edge, entity

POND = entity("Pond", context="It is deep.", caption="Green water.")
FROG = entity("Frog", caption="It sits.")
EATS = edge(POND, "is home to", FROG, condition="in spring", information="many of them")


def test_an_entity_has_a_line_for_each_thing_known() -> None:
    assert describe_entity(POND, {}) == ["Pond: additional information: It is deep.", "Pond: description: Green water."]
    assert describe_entity(entity("Stone"), {}) == []


def test_a_caption_made_for_the_question_stands_in_the_place_of_the_graph_s() -> None:
    assert describe_entity(POND, {POND.iri: "Ice."}) == [
        "Pond: additional information: It is deep.",
        "Pond: description: Ice.",
    ]
    assert describe_entity(entity("Stone"), {entity("Stone").iri: "Grey."}) == ["Stone: description: Grey."]


def test_an_edge_is_a_sentence_with_its_condition_and_information() -> None:
    assert describe_edge(EATS, "Pond") == "Pond is home to Frog (condition: in spring; information: many of them)"
    assert describe_edge(edge(POND, "is home to", FROG), "Pond") == "Pond is home to Frog"


def test_free_text_goes_before_the_name_of_the_condition(tiny_store: EmbeddedStore) -> None:
    mode = ox.NamedNode("https://example.org/brew/id/brewer-brew")
    last = neighbourhood(tiny_store, [mode])[mode][-1]
    assert describe_edge(last, "Brew Mode") == (
        "Brew Mode has work step Steam Blast (condition: When the lid is lifted during brewing; "
        "information: The steam then goes upwards)"
    )


def test_a_path_is_told_from_the_topic_to_the_leaf() -> None:
    assert describe_path(Path(POND, (EATS,)), {FROG.iri: "It jumps."}) == [
        "Pond: additional information: It is deep.",
        "Pond: description: Green water.",
        "Pond is home to Frog (condition: in spring; information: many of them)",
        "Frog: description: It jumps.",
    ]


def test_several_captions_are_all_told(tiny_store: EmbeddedStore) -> None:
    pump = ox.NamedNode("https://example.org/brew/id/pump-burst")
    lines = describe_entity(describe(tiny_store, [pump])[pump], {})
    assert [line.partition(": description: ")[2][:8] for line in lines[1:]] == ["The whol", "A brass "]


def test_paths_are_numbered() -> None:
    text = describe_paths([Path(FROG), Path(entity("Stone"))], {})
    assert text == "Path 1:\n- Frog: description: It sits.\n\nPath 2:"
    assert describe_paths([], {}) == ""
