"""Coverage: what is counted, and what a graph made by agents promises."""

import pyoxigraph as ox
import pytest

from kg.media.coverage import check_coverage
from ontology.result import CheckResult, Outcome
from ontology.terms import PREFIXES

GRAPH = """
ex:hunts sf:baseRelation ex:hunts .
ex:lion ex:hunts ex:zebra , ex:gnu . ex:zebra ex:hunts ex:grass . ex:lion ex:note ex:gnu .
"""
FACT = "ex:fact rdf:subject ex:lion ; rdf:predicate ex:hunts ; rdf:object ex:zebra ."


def checked(*more: str) -> CheckResult:
    prefixes = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in {**PREFIXES, "ex": "http://example.org/"}.items())
    return check_coverage(ox.parse(prefixes + GRAPH + "\n".join(more), ox.RdfFormat.TURTLE))


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("", "0 of 3 triples (0.0%) have media as evidence, 0 of 3 triples (0.0%) can be reached"),
        (FACT + " ex:fact sf:evidence ex:film .", "1 of 3 triples (33.3%) have media as evidence, 1 of 3 triples"),
        ("ex:grass sf:hasMedia ex:photo .", "0 of 3 triples (0.0%) have media as evidence, 1 of 3 triples (33.3%)"),
        ("ex:lion sf:hasMedia ex:photo .", "2 of 3 triples (66.7%) can be reached"),
    ],
)
def test_what_is_counted(more: str, expected: str) -> None:
    found = checked(more)
    assert found.outcome is Outcome.PASSED
    assert expected in found.detail


def test_what_agents_made_must_have_evidence() -> None:
    made = FACT + " ex:fact prov:wasGeneratedBy ex:construction ."
    found = checked(made)
    assert found.outcome is Outcome.FAILED
    assert found.detail.startswith("1 facts that agents made have no media; 0 of 3")
    assert found.problems == ("<http://example.org/fact>",)
    assert checked(made, "ex:fact sf:evidence ex:film .").outcome is Outcome.PASSED


def test_a_graph_without_relations() -> None:
    assert check_coverage([]).outcome is Outcome.NOT_CHECKED
