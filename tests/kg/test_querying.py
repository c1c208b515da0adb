"""What a person's query at the terminal is asked of: all graphs as one, or the data set that it names itself."""

import pyoxigraph as ox
import pytest

from kg.errors import StoreError
from kg.querying import answer

ONE, TWO = ox.NamedNode("http://example.org/one"), ox.NamedNode("http://example.org/two")


@pytest.fixture
def store() -> ox.Store:
    """One triple in a graph, two in another."""
    store = ox.Store()
    terms = [ox.NamedNode(f"http://example.org/{name}") for name in "abc"]
    store.add(ox.Quad(terms[0], terms[0], terms[0], ONE))
    store.extend([ox.Quad(terms[1], terms[1], terms[1], TWO), ox.Quad(terms[2], terms[2], terms[2], TWO)])
    return store


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("SELECT * { ?s ?p ?o }", 3),
        ("SELECT * FROM <http://example.org/one> { ?s ?p ?o }", 1),
        ("SELECT *\nfrom<http://example.org/two>\nWHERE { ?s ?p ?o }", 2),
        ("PREFIX e: <http://example.org/> SELECT * FROM # both\n e:one FROM e:two { ?s ?p ?o }", 3),
        ("SELECT * FROM <http://example.org/nowhere> { ?s ?p ?o }", 0),
        ("SELECT * FROM NAMED <http://example.org/two> { GRAPH ?g { ?s ?p ?o } }", 2),
        ("SELECT ?from { ?from ?p ?o FILTER(?from != ' FROM <x>') } # FROM <http://example.org/one>", 3),
        ("PREFIX from: <http://example.org/x#from > SELECT * { ?s ?p ?o }".replace(" >", ">"), 3),
        ("SELECT * { ?s ?p ?o FILTER(STR(?s) != '''it's FROM <x> ''') }", 3),
    ],
)
def test_the_data_set_that_a_query_names_is_what_it_sees(store: ox.Store, query: str, count: int) -> None:
    table = answer(store, query).decode()
    assert table.endswith(f"({count} row{'' if count == 1 else 's'})\n")


@pytest.mark.parametrize(("opens", "closes"), [("(", ")"), ("{", "}")])
def test_deep_nesting_is_refused_in_one_line(opens: str, closes: str) -> None:
    inside = "1" if opens == "(" else ""
    deep = opens * 40_000 + inside + closes * 40_000
    query = f"SELECT ({deep} AS ?x) {{}}" if opens == "(" else f"SELECT * {deep}"
    with pytest.raises(StoreError, match="nests more than 1000 brackets"):
        answer(ox.Store(), query)


def test_brackets_inside_strings_do_not_nest() -> None:
    assert b"(" in answer(ox.Store(), f'SELECT ("{"(" * 5_000}" AS ?x) {{}}')


@pytest.mark.parametrize("query", ["SELECT ?x {", "SELECT * { ?s foaf:name ?o }", "SELECT (COUNT(?x) AS ?x"])
def test_an_error_spares_the_reader_the_characters_of_names(query: str) -> None:
    with pytest.raises(StoreError) as caught:
        answer(ox.Store(), query)
    told = str(caught.value)
    assert told.startswith("the query failed: line 1, column ")
    assert "\\u{" not in told and "..=" not in told and "'A'" not in told and "\n" not in told
