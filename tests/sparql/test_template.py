"""Terms are bound as terms: what is missing or left over is refused, and no text becomes syntax."""

import pyoxigraph as ox
import pytest

from kg.store import EmbeddedStore
from sparql.errors import QueryError, TemplateError
from sparql.graph import entities_by_name
from sparql.template import bind, read_template

A, B = ox.NamedNode("http://example.org/a"), ox.NamedNode("http://example.org/b")
HOSTILE = [
    '"} ?s ?p ?o #',
    '\\"} UNION { ?described ?p ?o } #',
    "$frontier",
    "line\nbreak\r\ttab",
    "' '''\"\"\"",
    "<http://example.org/> . } DROP ALL",
    "\\u0022 } \\",
    "\u2028\u0085 é 茶 🐉",
    "",
]


def test_terms_stand_where_the_parameter_was() -> None:
    query = bind("description", entities=[A, B])
    assert f"VALUES ?described {{ {A} {B} }}" in query
    assert "$" not in query


def test_no_terms_leave_an_empty_list_that_still_parses() -> None:
    assert EmbeddedStore.from_quads([]).select(bind("description", entities=[])) == []


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_a_literal(text: str) -> None:
    subject = ox.NamedNode("http://example.org/s")
    store = ox.Store()
    store.add(ox.Quad(subject, ox.NamedNode("http://example.org/p"), ox.Literal(text)))
    found = bind("entities_by_name", names=[ox.Literal(text)])
    literal = found[found.index("VALUES ?name {") : found.index("{ ?described rdfs:label")]
    rows = store.query(f"SELECT ?s WHERE {{ {literal} ?s ?p ?name }}")
    assert isinstance(rows, ox.QuerySolutions)
    assert [row["s"] for row in rows] == [subject]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_name_finds_nothing_and_breaks_nothing(tiny_store: EmbeddedStore, text: str) -> None:
    assert entities_by_name(tiny_store, text) == []


def test_text_that_looks_like_a_parameter_is_not_replaced_again() -> None:
    assert '"$names"' in bind("entities_by_name", names=[ox.Literal("$names")])


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("neighbourhood", {}),
        ("neighbourhood", {"entities": [A]}),
        ("neighbourhood", {"frontier": [A], "limit": [ox.Literal(1)]}),
        ("topic_entities", {"frontier": [A]}),
    ],
)
def test_missing_and_extra_parameters_are_refused(name: str, parameters: dict[str, list[ox.NamedNode]]) -> None:
    with pytest.raises(TemplateError, match=rf"query {name} takes \[.*\], got \["):
        bind(name, **parameters)


@pytest.mark.parametrize("value", ["http://example.org/a", A.value, None, 1, ox.BlankNode("x"), ox.Variable("x")])
def test_what_is_no_iri_and_no_literal_is_refused(value: object) -> None:
    with pytest.raises(TemplateError, match="only IRIs and literals"):
        bind("neighbourhood", frontier=[value])  # type: ignore[list-item]


def test_a_string_in_the_place_of_terms_is_refused() -> None:
    with pytest.raises(TemplateError):
        bind("neighbourhood", frontier=A.value)  # type: ignore[arg-type]


def test_an_iri_that_a_lenient_parser_let_through_is_refused() -> None:
    (quad,) = ox.parse(
        r"<http://example.org/\u003E\u007D> <http://example.org/p> 1 .", ox.RdfFormat.TURTLE, lenient=True
    )
    assert isinstance(quad.subject, ox.NamedNode)
    with pytest.raises(TemplateError, match="is no lawful IRI"):
        bind("neighbourhood", frontier=[quad.subject])


def test_a_template_error_is_a_query_error() -> None:
    assert issubclass(TemplateError, QueryError)


def test_comments_are_not_sent() -> None:
    assert not [line for line in read_template("neighbourhood").splitlines() if line.startswith("#")]
