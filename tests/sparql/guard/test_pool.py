"""What a pool answers: datasets, forms, formats, errors."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.home import Home
from ontology.terms import INFERRED_GRAPH, source_graph
from sparql.errors import Busy, GuardError, LimitExceeded, Malformed, NotAcceptable
from sparql.guard.frames import Reply
from sparql.guard.limits import Limits
from sparql.guard.pool import WorkerPool
from sparql.guard.processes import Child
from sparql.guard.requests import GRAPH_TYPES, SOLUTIONS_TYPES, Guard, QueryRequest, UpdateRequest
from tests.sparql.guard.stage import TIGHT

EX = "http://example.org/"
ONE, TWO = source_graph("one").value, source_graph("two").value
COUNT = "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"


@pytest.fixture(params=["memory", "disk"])
def any_pool(request: pytest.FixtureRequest) -> WorkerPool:
    """The pool in memory and the one on disk."""
    pool: WorkerPool = request.getfixturevalue("pool" if request.param == "memory" else "disk_pool")
    return pool


def _number(pool: Guard, query: str, *, union: bool = True, graphs: Mapping[str, Sequence[str]] = {}) -> int:
    request = QueryRequest(
        query,
        union=union,
        solutions_type="text/csv",
        default_graphs=graphs.get("default_graphs", ()),
        named_graphs=graphs.get("named_graphs", ()),
    )
    body = pool.query(request).body
    return int(body.decode().split()[1])


def test_a_pool_is_a_guard(pool: WorkerPool) -> None:
    guard: Guard = pool
    assert guard.query(QueryRequest("ASK {}")).body == b'{"head":{},"boolean":true}'


def test_the_union_is_of_what_is_asserted_each_triple_once(pool: WorkerPool) -> None:
    assert _number(pool, COUNT) == 2002  # 2,000 of the ring, of which one stands twice, and two more; no closures


def test_on_disk_a_triple_of_two_graphs_counts_twice(disk_pool: WorkerPool) -> None:
    assert _number(disk_pool, COUNT) == 2003


@pytest.mark.parametrize(
    ("query", "union", "graphs", "expected"),
    [
        (COUNT, False, {}, 1),
        (f"SELECT (COUNT(*) AS ?n) FROM <{TWO}> WHERE {{ ?s ?p ?o }}", True, {}, 2),
        (f"SELECT (COUNT(*) AS ?n) FROM <{TWO}> WHERE {{ ?s ?p ?o }}", False, {}, 2),
        (f"SELECT (COUNT(*) AS ?n) FROM NAMED <{TWO}> WHERE {{ GRAPH ?g {{ ?s ?p ?o }} }}", True, {}, 2),
        (f"SELECT (COUNT(*) AS ?n) FROM <{TWO}> WHERE {{ GRAPH ?g {{ ?s ?p ?o }} }}", True, {}, 0),
        (COUNT, True, {"default_graphs": [TWO]}, 2),
        (COUNT, False, {"default_graphs": [TWO]}, 2),
        (f"SELECT (COUNT(*) AS ?n) FROM <{ONE}> WHERE {{ ?s ?p ?o }}", True, {"default_graphs": [TWO]}, 2),
        (COUNT, True, {"named_graphs": [TWO]}, 0),
        ("SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }", True, {"named_graphs": [TWO]}, 2),
        ("SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }", True, {"default_graphs": [TWO]}, 0),
        ("SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }", True, {}, 2003),
        (f"SELECT (COUNT(*) AS ?n) {{ GRAPH <{INFERRED_GRAPH.value}> {{ ?s ?p ?o }} }}", True, {}, 1),
        (f"SELECT (COUNT(*) AS ?n) FROM <{INFERRED_GRAPH.value}> {{ ?s ?p ?o }}", True, {}, 1),
        (f'SELECT (COUNT(*) AS ?n) {{ <{EX}n0> ?FROM ?o FILTER(?o != "FROM") }} # FROM <{TWO}>', False, {}, 0),
    ],
)
def test_datasets(
    any_pool: WorkerPool, query: str, union: bool, graphs: dict[str, Sequence[str]], expected: int
) -> None:
    assert _number(any_pool, query, union=union, graphs=graphs) == expected


@pytest.mark.parametrize("media_type", SOLUTIONS_TYPES)
def test_falsy_values_come_through(any_pool: WorkerPool, media_type: str) -> None:
    """Field report A21."""
    query = 'SELECT (0 AS ?a) (0.0 AS ?b) (0e0 AS ?c) (false AS ?d) ("" AS ?e) ?f {}'
    answer = any_pool.query(QueryRequest(query, solutions_type=media_type))
    assert (answer.form, answer.media_type) == ("SELECT", media_type)
    if media_type == "text/csv":
        assert answer.body.decode().splitlines()[1] == "0,0,0,false,,"
        return
    formats = [ox.QueryResultsFormat.from_media_type(media_type)]
    read = ox.parse_query_results(answer.body, formats[0])
    assert isinstance(read, ox.QuerySolutions)
    values = [term.value if isinstance(term, ox.Literal) else term for term in next(iter(read))]
    assert values == ["0", "0", "0", "false", "", None]


@pytest.mark.parametrize(
    ("media_type", "expected"),
    [
        ("application/sparql-results+json", b'{"head":{},"boolean":false}'),
        ("text/csv", b"false\n"),
        ("text/tab-separated-values", b"false\n"),
    ],
)
def test_an_ask_that_is_false(pool: WorkerPool, media_type: str, expected: bytes) -> None:
    answer = pool.query(QueryRequest("ASK { FILTER(false) }", solutions_type=media_type))
    assert (answer.form, answer.media_type, answer.body) == ("ASK", media_type, expected)


def test_an_ask_as_xml(pool: WorkerPool) -> None:
    answer = pool.query(QueryRequest("ASK {}", solutions_type="application/sparql-results+xml"))
    assert b"<boolean>true</boolean>" in answer.body


@pytest.mark.parametrize("media_type", GRAPH_TYPES)
@pytest.mark.parametrize("form", ["CONSTRUCT", "DESCRIBE"])
def test_graphs_in_every_syntax(any_pool: WorkerPool, form: str, media_type: str) -> None:
    query = (
        f"DESCRIBE <{EX}a>"
        if form == "DESCRIBE"
        else f"CONSTRUCT {{ ?s ?p ?o }} {{ <{EX}a> ?p ?o BIND(<{EX}a> AS ?s) }}"
    )
    answer = any_pool.query(QueryRequest(f"# DESCRIBE\n{query}", graph_type=media_type))
    assert (answer.form, answer.media_type) == (form, media_type)
    syntax = ox.RdfFormat.from_media_type(media_type)
    found = list(ox.parse(answer.body, syntax))
    assert found == [ox.Quad(*(ox.NamedNode(EX + name) for name in ("a", "only", "two")))]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT * {}", "a SELECT is answered in application/sparql-results"),
        ("ASK {}", "an ASK is answered in"),
        ("DESCRIBE <a:b>", "a DESCRIBE is answered in text/turtle"),
        ("CONSTRUCT {} WHERE {}", "a CONSTRUCT is answered in text/turtle"),
    ],
)
def test_a_form_that_the_asker_cannot_take(pool: WorkerPool, query: str, message: str) -> None:
    with pytest.raises(NotAcceptable, match=message):
        pool.query(QueryRequest(query, solutions_type=None, graph_type=None))


def test_rdfxml_that_no_reader_would_accept_is_not_acceptable(pool: WorkerPool) -> None:
    request = QueryRequest("CONSTRUCT { <a:s> <http://example.org/1> 1 } {}", graph_type="application/rdf+xml")
    with pytest.raises(NotAcceptable, match=r"http://example\.org/1"):
        pool.query(request)


def test_the_usual_prefixes_are_understood(pool: WorkerPool) -> None:
    answer = pool.query(QueryRequest("SELECT (sf:Entity AS ?x) {}", solutions_type="text/csv"))
    assert b"https://w3id.org/scoutfly/ns#Entity" in answer.body


def test_a_base_resolves_relative_iris(pool: WorkerPool) -> None:
    answer = pool.query(QueryRequest("SELECT * { <n0> <next> ?o }", base_iri=EX, solutions_type="text/csv"))
    assert answer.body.split() == [b"o", b"http://example.org/n1"]


@pytest.mark.parametrize(
    ("query", "line", "column", "reason"),
    [
        ("SELECT * {\n  ?s ?p ?? }", 2, 11, "expected"),
        ("SELECT * {\n ?s un:known ?o }", 2, 5, "the prefix un: is not declared"),
        ("INSERT DATA { <a:b> <a:c> 1 }", 1, 10, "expected CONSTRUCT"),
        ("", 1, 1, "what stands here does not fit"),
    ],
)
def test_errors_say_where(pool: WorkerPool, query: str, line: int, column: int, reason: str) -> None:
    """Field report B24."""
    with pytest.raises(Malformed) as caught:
        pool.query(QueryRequest(query))
    assert (caught.value.line, caught.value.column) == (line, column)
    assert str(caught.value).startswith(f"line {line}, column {column}: {reason}")
    assert "\n" not in str(caught.value)
    assert "\\u{" not in str(caught.value)


@pytest.mark.parametrize(
    "request_",
    [
        QueryRequest("ASK {}", default_graphs=["not an iri"]),
        QueryRequest("ASK { ?s <b> ?o }"),
        QueryRequest("ASK {}", base_iri="no base"),
        QueryRequest('ASK { ?s ?p "\ud800" }'),
    ],
)
def test_other_malformed_requests(pool: WorkerPool, request_: QueryRequest) -> None:
    with pytest.raises(Malformed):
        pool.query(request_)


def test_a_large_answer_within_the_limit_is_whole(pool: WorkerPool) -> None:
    query = "SELECT * { ?s ?p ?o . ?a ?b ?c } LIMIT 6000"
    rows = json.loads(pool.query(QueryRequest(query)).body)["results"]["bindings"]
    assert len(rows) == 6000


def test_an_empty_home_answers_and_can_be_written_to(tmp_path: Path) -> None:
    with WorkerPool(tmp_path / "none", TIGHT) as pool:
        assert _number(pool, COUNT) == 0
        assert pool.update(UpdateRequest("INSERT DATA { <a:s> <a:p> 0.0 }")) == 1
        assert _number(pool, COUNT) == 1
        assert _number(pool, COUNT, union=False) == 1


def test_an_empty_graph_exists(own_pool: WorkerPool) -> None:
    own_pool.update(UpdateRequest("CREATE GRAPH <http://example.org/empty>"))
    assert own_pool.query(QueryRequest("ASK { GRAPH <http://example.org/empty> {} }")).body.endswith(b"true}")


def test_the_next_query_sees_an_update(own_pool: WorkerPool) -> None:
    assert _number(own_pool, COUNT, union=False) == 1  # so that both stores are there
    for expected in (1, 2, 3):
        own_pool.update(UpdateRequest(f"INSERT DATA {{ <a:s> <a:p{expected}> <a:o> }}"))
        assert _number(own_pool, "SELECT (COUNT(*) AS ?n) { <a:s> ?p ?o }") == expected
        assert _number(own_pool, "SELECT (COUNT(*) AS ?n) { <a:s> ?p ?o }", union=False) == expected


def test_an_update_that_fails_changes_nothing(own_pool: WorkerPool, tmp_path: Path) -> None:
    for text in ("INSERT DATA { <a:s> <a:p> }", "INSERT DATA { <a:s> <a:p> 1 } ; DROP GRAPH <http://example.org/none>"):
        with pytest.raises(GuardError):
            own_pool.update(UpdateRequest(text))
    assert Home(tmp_path / "home").current() == 1
    assert _number(own_pool, "SELECT (COUNT(*) AS ?n) { <a:s> ?p ?o }") == 0


def test_an_update_that_is_out_of_time_when_it_has_been_published_is_not_said_to_have_changed_nothing(
    own_pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply = Child.reply

    def too_late(child: Child, *, deadline: float, most_bytes: int) -> Reply:
        reply(child, deadline=deadline, most_bytes=most_bytes)
        raise TimeoutError

    monkeypatch.setattr(Child, "reply", too_late)
    with pytest.raises(LimitExceeded, match="look whether it was carried out"):
        own_pool.update(UpdateRequest("INSERT DATA { <http://example.org/late> <http://example.org/p> 1 }"))


def test_a_syntax_error_in_an_update_says_where(own_pool: WorkerPool) -> None:
    with pytest.raises(Malformed) as caught:
        own_pool.update(UpdateRequest("INSERT DATA {\n <a:s> <a:p> }"))
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("text", "using", "named", "gone"),
    [
        (f"DELETE {{ GRAPH <{TWO}> {{ ?s ?p ?o }} }} WHERE {{ ?s ?p ?o }}", [TWO], [], 2),
        (f"DELETE {{ GRAPH <{TWO}> {{ ?s ?p ?o }} }} WHERE {{ ?s ?p ?o }}", [ONE], [], 1),
        (f"DELETE {{ GRAPH <{TWO}> {{ ?s ?p ?o }} }} WHERE {{ ?s ?p ?o }}", [], [TWO], 0),
        ("DELETE { GRAPH ?g { ?s ?p ?o } } WHERE { GRAPH ?g { ?s ?p ?o } }", [], [TWO], 2),
        (f"DELETE WHERE {{ GRAPH <{TWO}> {{ ?s ?p ?o }} }}", [], [TWO], 2),
    ],
)
def test_using_graphs_of_the_protocol(
    own_pool: WorkerPool, text: str, using: list[str], named: list[str], gone: int
) -> None:
    own_pool.update(UpdateRequest(text, using_graphs=using, using_named_graphs=named))
    assert _number(own_pool, f"SELECT (COUNT(*) AS ?n) {{ GRAPH <{TWO}> {{ ?s ?p ?o }} }}") == 2 - gone


def test_graphs_named_twice_are_an_error(own_pool: WorkerPool) -> None:
    with pytest.raises(Malformed, match="USING"):
        own_pool.update(UpdateRequest("DELETE { ?s ?p ?o } USING <a:g> WHERE { ?s ?p ?o }", using_graphs=[ONE]))


def test_a_writer_elsewhere_is_waited_for_by_the_asker(own_pool: WorkerPool, tmp_path: Path) -> None:
    with Home(tmp_path / "home").write(), pytest.raises(Busy, match="being written to"):
        own_pool.update(UpdateRequest("INSERT DATA { <a:s> <a:p> 1 }"))


def test_limits_are_those_given(home: Home) -> None:
    limits = Limits(query_bytes=100, answer_bytes=1000, nesting=3, workers=1, long_running=1)
    with WorkerPool(home.path, limits) as pool:
        for text, limit in (
            ("ASK {}" + " " * 100, "size of the query"),
            ("SELECT * { ?s ?p ?o }", "size of the answer"),
            ("ASK {{{{}}}}", "nesting"),
        ):
            with pytest.raises(LimitExceeded) as caught:
                pool.query(QueryRequest(text))
            assert caught.value.limit == limit


@pytest.mark.parametrize("wrong", [{"seconds": 0}, {"memory_bytes": -1}, {"workers": 0}])
def test_limits_that_make_no_sense(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Limits(**wrong)
