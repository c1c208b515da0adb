"""Graphs of the protocol become USING clauses in the text of an update."""

import doctest

import pytest

from sparql.errors import Malformed
from sparql.guard import update_text
from sparql.guard.update_text import with_dataset

G = "http://example.org/g"


def test_the_examples_hold() -> None:
    assert doctest.testmod(update_text).failed == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("INSERT { ?s ?p 1 } WHERE { ?s ?p ?o }", f"INSERT {{ ?s ?p 1 }} USING <{G}> WHERE {{ ?s ?p ?o }}"),
        (
            "DELETE { ?s ?p ?o } INSERT { ?s ?p 1 } where { { SELECT * WHERE { ?s ?p ?o } } }",
            f"DELETE {{ ?s ?p ?o }} INSERT {{ ?s ?p 1 }} USING <{G}> where {{ {{ SELECT * WHERE {{ ?s ?p ?o }} }} }}",
        ),
        (
            "DELETE WHERE { GRAPH <a:g> { ?s ?p 'WHERE }' } } ; CLEAR DEFAULT ; INSERT {} WHERE {}",
            f"DELETE {{ GRAPH <a:g> {{ ?s ?p 'WHERE }}' }} }} USING <{G}> "
            "WHERE { GRAPH <a:g> { ?s ?p 'WHERE }' } } "
            f"; CLEAR DEFAULT ; INSERT {{}} USING <{G}> WHERE {{}}",
        ),
        ("INSERT DATA { <a:WHERE> <a:b> 'WHERE' }", "INSERT DATA { <a:WHERE> <a:b> 'WHERE' }"),
        ("# WHERE\nPREFIX where: <a:> CLEAR ALL", "# WHERE\nPREFIX where: <a:> CLEAR ALL"),
    ],
)
def test_they_come_before_each_outer_where(text: str, expected: str) -> None:
    assert with_dataset(text, using=[G], using_named=[]) == expected


def test_named_ones_too() -> None:
    done = with_dataset("INSERT {} WHERE {}", using=["a:a", "a:b"], using_named=["a:c"])
    assert done == "INSERT {} USING <a:a> USING <a:b> USING NAMED <a:c> WHERE {}"


def test_without_graphs_the_text_stays() -> None:
    text = "WITH <a:g> DELETE {} USING <a:b> WHERE {}"
    assert with_dataset(text, using=[], using_named=[]) == text


@pytest.mark.parametrize(
    "text", ["WITH <a:g> INSERT {} WHERE {}", "INSERT {} USING <a:g> WHERE {}", "INSERT {} USING NAMED <a:g> WHERE {}"]
)
def test_graphs_in_both_places_are_an_error(text: str) -> None:
    with pytest.raises(Malformed):
        with_dataset(text, using=[G], using_named=[])


@pytest.mark.parametrize("iri", ["no iri", "a:b> WHERE {} ; DROP ALL ; INSERT {} USING <a:c", ""])
def test_a_graph_that_is_no_iri(iri: str) -> None:
    with pytest.raises(Malformed):
        with_dataset("INSERT {} WHERE {}", using=[iri], using_named=[])
