"""The four checks together, the profile and the counts."""

import shutil
from collections.abc import Callable

import pyoxigraph as ox
import pytest

from ontology import terms
from ontology.check import check_counts, check_profile, run_checks
from ontology.files import bundled_quads
from ontology.result import MOST_PROBLEMS, Outcome, failed

Graph = Callable[[str], list[ox.Quad]]


@pytest.mark.java
@pytest.mark.skipif(shutil.which("java") is None, reason="HermiT needs a Java runtime on the PATH")
def test_the_bundled_vocabulary_and_sound_data_pass_all_four(graph: Graph, sound: str) -> None:
    results = run_checks(bundled_quads(), graph(sound))
    assert [result.name for result in results] == ["profile", "consistency", "shapes", "counts"]
    assert {result.outcome for result in results} == {Outcome.PASSED}, "\n".join(map(str, results))


def test_every_check_says_what_it_found(with_data: Graph, sound: str) -> None:
    bad = sound.replace("mhw:isWeakenWith ex:ice", "mhw:isWeakenWith ex:slam, ex:ice ; sf:relatdTo ex:ice")
    profile, consistency, shapes, counts = run_checks([], with_data(bad.replace('"Ice"', '""')))
    assert "sf:relatdTo" in str(profile) or "ns#relatdTo" in str(profile)
    assert shapes.outcome is Outcome.FAILED
    assert consistency.outcome is not Outcome.PASSED
    assert counts.problems[0] == "0 entity classes, expected 7"


@pytest.mark.parametrize(
    ("turtle", "problem"),
    [
        ("ex:a sf:relatdTo ex:b .", "undeclared-property: Property <https://w3id.org/scoutfly/ns#relatdTo>"),
        ("ex:p a owl:ObjectProperty, owl:DatatypeProperty .", "punning: IRI typed as both"),
        ("rdf:value a owl:DatatypeProperty .", "reserved-vocab: Reserved IRI"),
        ("ex:p a owl:ObjectProperty, owl:TransitiveProperty ; rdfs:subPropertyOf ex:p .", "role-hierarchy-cycle: "),
    ],
)
def test_what_leaves_owl_2_dl_is_named(with_data: Graph, turtle: str, problem: str) -> None:
    result = check_profile(with_data(turtle))
    assert result.outcome is Outcome.FAILED
    assert len(result.problems) == 1
    assert result.problems[0].startswith(problem)


def test_properties_of_other_vocabularies_and_quoted_triples_do_not_leave_owl_2_dl(graph: Graph) -> None:
    quads = graph("ex:a ex:of ex:b . [] a rdf:Statement ; rdf:subject ex:a ; rdf:predicate ex:of ; rdf:object ex:b .")
    result = check_profile(quads)
    assert result.outcome is Outcome.PASSED
    assert "1 properties of other vocabularies" in result.detail


def test_the_counts_are_those_of_the_paper() -> None:
    result = check_counts(bundled_quads())
    assert result.outcome is Outcome.PASSED
    assert "7 entity classes, 16 base relations, 142 conditioned relations" in result.detail


def test_relations_minted_by_imports_do_not_change_the_counts(with_data: Graph) -> None:
    minted = """ex:eats a owl:ObjectProperty ; rdfs:label "eats" ; rdfs:comment "Eats." ; sf:baseRelation ex:eats ."""
    assert check_counts(with_data(minted)).outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("predicate", "problem"),
    [
        (terms.BASE_RELATION, "15 base relations, expected 16"),
        (terms.RDFS_LABEL, "https://w3id.org/scoutfly/mhw#cause lacks a label"),
        (terms.RDFS_COMMENT, "https://w3id.org/scoutfly/mhw#cause lacks a comment"),
    ],
)
def test_a_missing_relation_or_description_is_named(predicate: ox.NamedNode, problem: str) -> None:
    cause = terms.term("mhw:cause")
    quads = [q for q in bundled_quads() if (q.subject, q.predicate) != (cause, predicate)]
    assert problem in check_counts(quads).problems


def test_a_long_list_of_problems_is_cut_and_says_so() -> None:
    result = failed("shapes", "many", [str(n) for n in range(MOST_PROBLEMS + 3)])
    assert len(result.problems) == MOST_PROBLEMS + 1
    assert result.problems[-1] == "... and 3 more"
    assert str(result).startswith("shapes: failed: many\n  0\n")
