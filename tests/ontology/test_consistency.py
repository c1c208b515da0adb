"""HermiT's verdict, what stands in for it where it cannot run, and the reasons that are found without it."""

import shutil
from collections.abc import Callable

import owlready2
import pyoxigraph as ox
import pytest

from ontology import consistency
from ontology.clashes import clashes
from ontology.consistency import check_consistency, load_world
from ontology.errors import LoadedOtherwise
from ontology.files import bundled_quads, ntriples
from ontology.owl_view import owl_view
from ontology.result import Outcome

Graph = Callable[[str], list[ox.Quad]]


def java(test: Callable[..., None]) -> Callable[..., None]:
    """Marks a test that needs HermiT."""
    skip = pytest.mark.skipif(shutil.which("java") is None, reason="HermiT needs a Java runtime on the PATH")
    marked: Callable[..., None] = pytest.mark.java(skip(test))
    return marked


def test_without_java_nothing_is_claimed() -> None:
    result = check_consistency(bundled_quads(), java="no-such-java")
    assert result.outcome is Outcome.NOT_CHECKED
    assert "Java" in result.detail
    assert "no-such-java" in result.detail


@java
def test_the_bundled_vocabulary_is_consistent() -> None:
    result = check_consistency(bundled_quads())
    assert result.outcome is Outcome.PASSED, str(result)


@java
def test_hermit_sees_what_the_quick_look_does_not(with_data: Graph) -> None:
    quads = with_data('ex:frame a sf:Keyframe ; sf:frameIndex "twelfth" .')
    assert clashes(owl_view(quads).triples) == []
    result = check_consistency(quads)
    assert result.outcome is Outcome.FAILED
    assert "contradict" in result.detail


@java
def test_a_class_that_can_have_no_member_is_named(with_data: Graph) -> None:
    result = check_consistency(with_data("ex:Both a owl:Class ; rdfs:subClassOf mhw:Monster, mhw:Prop ."))
    assert result.outcome is Outcome.FAILED
    assert result.problems == ("https://example.org/Both",)


@java
def test_the_reasoner_leaves_the_default_world_alone(with_data: Graph) -> None:
    before = len(owlready2.default_world.graph)
    check_consistency(with_data("ex:z a mhw:Monster ."))
    assert len(owlready2.default_world.graph) == before


@java
def test_a_graph_beyond_the_limit_is_not_checked() -> None:
    result = check_consistency(bundled_quads(), most_triples=100)
    assert result.outcome is Outcome.NOT_CHECKED
    assert "more than the 100" in result.detail


@pytest.mark.parametrize(
    ("turtle", "reason"),
    [
        ("ex:z a mhw:Monster, mhw:Prop .", "is both mhw:Monster and mhw:Prop"),
        ("ex:z a mhw:Monster, sf:Fact .", "is both sf:Fact and mhw:Monster|is both mhw:Monster and sf:Fact"),
        (
            "ex:z mhw:isWeakenWith-isFlying ex:s . ex:s a mhw:AttackAction .",
            "the relation leads to mhw:Element, and <https://example.org/s> is mhw:AttackAction",
        ),
        (
            "ex:e mhw:hasAttackActionOf ex:s . ex:e a mhw:Element .",
            "the relation starts at mhw:Monster or mhw:AttackPhase, and <https://example.org/e> is mhw:Element",
        ),
    ],
)
def test_the_usual_mistakes_of_data_get_a_reason(with_data: Graph, turtle: str, reason: str) -> None:
    [found] = clashes(owl_view(with_data(turtle)).triples)
    assert any(part in found for part in reason.split("|"))


def test_sound_data_give_no_reason(with_data: Graph, sound: str) -> None:
    assert clashes(owl_view(with_data(sound)).triples) == []


def test_a_graph_that_arrives_incomplete_is_noticed(monkeypatch: pytest.MonkeyPatch, graph: Graph) -> None:
    view = owl_view(graph("ex:a a ex:A . ex:b a ex:A ."))
    incomplete = ntriples(graph("ex:A a owl:Class ."))
    monkeypatch.setattr(consistency, "ntriples", lambda triples: incomplete)
    with pytest.raises(LoadedOtherwise, match="saw 0 of kind NamedIndividual where 2 were handed"):
        load_world(view)
