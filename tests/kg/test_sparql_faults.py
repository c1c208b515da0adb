"""What the store says of a query that it cannot read, as whoever wrote the query is told it."""

import doctest

import pyoxigraph as ox
import pytest

from kg import sparql_faults
from kg.sparql_faults import Fault, fault_of
from ontology import terms


def fault(query: str) -> Fault:
    """What is told of a query that the store refuses."""
    with pytest.raises((SyntaxError, ValueError)) as caught:
        ox.Store().query(query, prefixes=terms.PREFIXES)
    return fault_of(caught.value, query, prefixes=terms.PREFIXES)


@pytest.mark.parametrize(
    ("query", "prefix", "line", "column"),
    [
        ("SELECT * WHERE { ?s foaf:name ?o }", "foaf", 1, 21),
        ("SELECT * WHERE { ?s foaf:name?o }", "foaf", 1, 21),
        ("SELECT * WHERE { ?s a foaf:Person", "foaf", 1, 23),
        ("SELECT * WHERE { ?s foaf: ?o }", "foaf", 1, 21),
        ("SELECT * { ?s foaf:a/foaf:b ?o }", "foaf", 1, 15),
        ("SELECT * { ?s ?p foaf:a.?o ?p ?z }", "foaf", 1, 18),
        ("SELECT * { ?s :name ?o }", "", 1, 15),
        ("SELECT * { ?s ?p 'a' ; b:c ?o }", "b", 1, 24),
        ("SELECT * {\r\n\t?s ?p '\U0001f600' ;\n foo:b.ar ?o }", "foo", 3, 2),
        ("SELECT ?x { ?x ?p ?o FILTER(foo:f(?x)) }", "foo", 1, 29),
        ('SELECT * { ?s ?p "1"^^foo:bar }', "foo", 1, 23),
        ("CONSTRUCT { ?s foaf:name ?o } WHERE { ?s ?p ?o }", "foaf", 1, 16),
        ("DESCRIBE foo:x", "foo", 1, 10),
        ("PREFIX a: <http://a.example/> ASK { ?s a a:b ; rdfs:label ?x ; b:c ?y }", "b", 1, 64),
        ("PREFIX: <http://a.example/> ASK { ?s :a b:c }", "b", 1, 41),
        ("PREFIX # one\n a: <http://a.example/> ASK { ?s a:b b:c }", "b", 2, 38),
    ],
)
def test_a_prefix_that_is_not_declared_is_named(query: str, prefix: str, line: int, column: int) -> None:
    assert fault(query) == Fault(f"the prefix {prefix}: is not declared", line, column)


@pytest.mark.parametrize(
    "query",
    [
        "SELEC * { ?s foaf:name ?o }",  # what comes first is told
        "SELECT * { # foaf:name\n ?s 'foaf:name' ?o }",
        "SELECT * { <foaf:a> <b:c> _:b ; ; }}",
    ],
)
def test_what_only_looks_like_one_is_not(query: str) -> None:
    assert "prefix" not in fault(query).reason


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("SELECT ?x (COUNT(?y) AS ?c) WHERE { ?x ?p ?y }", "the SELECT contains a variable that is unbound"),
        (
            "SELECT ?s (COUNT(*) AS ?n) (?n+?z AS ?q) { ?s ?p ?o } GROUP BY ?s",
            "the SELECT contains an expression with a variable that is unbound",
        ),
        ("SELECT ?x ?x {}", "duplicated variable name in SELECT"),
        ("ASK { ?s <rel> ?o}", "IRI parsing failed"),
        ("SELECT * { ?s ?p _:b }}", "what stands here does not fit"),
    ],
)
def test_a_sentence_of_the_parser_stands_alone(query: str, reason: str) -> None:
    assert fault(query).reason == reason


def test_the_examples_hold() -> None:
    assert doctest.testmod(sparql_faults).failed == 0
