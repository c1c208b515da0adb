"""Queries, updates and documents that mean harm: each ends in an error that names the limit, and the next one works."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from sparql.errors import LimitExceeded, Malformed
from sparql.guard.pool import WorkerPool
from sparql.guard.requests import QueryRequest, UpdateRequest
from tests.sparql.guard.stage import TIGHT, fill

PREFIX = "PREFIX : <http://example.org/> "
CROSS = "?a ?b ?c . ?d ?e ?f . ?g ?h ?i ."
MUCH = 100_000
PATTERNS = "".join(f"?v{i} ?p{i} ?v{i + 1} . " for i in range(1000))
LIMITS = ("time", "memory", "nesting", "size of the query", "size of the answer")

QUERIES: dict[str, tuple[str, str]] = {
    # name: (the query, the limit that ends it; "" where any will do, as long as it ends)
    "cartesian product, counted": (f"SELECT (COUNT(*) AS ?n) {{ {CROSS} }}", "time"),
    "cartesian product, ordered": (f"SELECT * {{ {CROSS} }} ORDER BY ?c ?f ?i", "memory"),
    "cartesian product, grouped": (f"SELECT ?a ?d (COUNT(*) AS ?n) {{ {CROSS} }} GROUP BY ?a ?d ?g", ""),
    "cartesian product, distinct": (f"SELECT DISTINCT * {{ {CROSS} }}", ""),
    "cartesian product, answered": (f"SELECT * {{ {CROSS} }}", "size of the answer"),
    "cartesian product, constructed": (f"CONSTRUCT {{ ?a ?e ?i }} {{ {CROSS} }}", ""),
    "a filter that is never true": (f"ASK {{ {CROSS} FILTER(STRLEN(CONCAT(STR(?a), STR(?d), STR(?g))) = 1) }}", "time"),
    "nested not exists": (
        "ASK { ?a ?b ?c FILTER NOT EXISTS { ?d ?e ?f FILTER NOT EXISTS { ?g ?h ?i . ?j ?k ?l FILTER(?a = 1) } } }",
        "",
    ),
    "parentheses": ("SELECT * { FILTER(" + "(" * MUCH + "1" + ")" * MUCH + ") }", "nesting"),
    "braces": ("SELECT * { " + "{" * MUCH + "}" * MUCH + " }", "nesting"),
    "parentheses in a path": ("ASK { ?s " + "(" * MUCH + "a" + ")" * MUCH + " ?o }", "nesting"),
    "inverses in a path": ("ASK { ?s " + "^(" * 900 + "a" + ")*" * 900 + " ?o }", ""),
    "collections": ("ASK { ?s ?p " + "(" * MUCH + "1" + ")" * MUCH + " }", "nesting"),
    "blank nodes": ("ASK { ?s ?p " + "[a " * 40_000 + "1" + "]" * 40_000 + " }", "nesting"),
    "minus signs": ("SELECT (1 " + "- " * MUCH + "1 AS ?x) {}", ""),
    "exclamation marks": ("ASK { FILTER(" + "!" * MUCH + "true) }", "nesting"),
    "parentheses within what looks like an IRI": (
        "ASK { FILTER(1<" + "(" * MUCH + "2" + ")" * MUCH + ">0) }",
        "nesting",
    ),
    "additions": ("SELECT (1" + "+1" * MUCH + " AS ?x) {}", ""),
    "a sequence of paths": ("ASK { ?s " + "a/" * MUCH + "a ?o }", ""),
    "nested subqueries": ("SELECT * { " + "{ SELECT * { " * 450 + "?s ?p ?o" + " } }" * 450 + " }", ""),
    "paths from everywhere to everywhere": (
        PREFIX + "SELECT (COUNT(*) AS ?n) { ?a (:next|^:next)* ?b . ?b (:next/:next)+ ?c . ?c :next* ?a }",
        "",
    ),
    "negated paths": (PREFIX + "SELECT (COUNT(*) AS ?n) { ?a (!:x|!^:x)+ ?b . ?c (!:y)* ?d }", ""),
    "a join of a thousand patterns": (f"ASK {{ {PATTERNS} }}", ""),
    "a thousand options": ("SELECT * { " + "".join(f"OPTIONAL {{ ?s ?p{i} ?o{i} }} " for i in range(1000)) + "}", ""),
    "a thousand unions": (
        "SELECT (COUNT(*) AS ?n) { " + " UNION ".join("{ ?a ?b ?c . ?d ?e ?f }" for _ in range(1000)) + "}",
        "time",
    ),
    "doubling by CONCAT": (
        'SELECT ?x40 { BIND("ab" AS ?x0) '
        + "".join(f"BIND(CONCAT(?x{i}, ?x{i}) AS ?x{i + 1}) " for i in range(40))
        + "}",
        "memory",
    ),
    "doubling by REPLACE": (
        'SELECT ?x40 { BIND("a" AS ?x0) '
        + "".join(f'BIND(REPLACE(?x{i}, "a", "aa") AS ?x{i + 1}) ' for i in range(40))
        + "}",
        "",
    ),
    "a regular expression that backtracks": (
        'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f FILTER(REGEX(CONCAT(STR(?a), STR(?d), "'
        + "a" * 5000
        + '!"), "^(a|aa|[a-z:/.0-9]+)+$")) }',
        "time",
    ),
    "a large regular expression": (
        'SELECT (COUNT(*) AS ?n) { ?a ?b ?c FILTER(REGEX(STR(?a), "((a{1,60}){1,60}){1,60}" )) }',
        "",
    ),
    "a literal as long as the limit": ('ASK { FILTER("' + "x" * 300_000 + '" = "") }', "size of the query"),
    "many values": (
        "SELECT (COUNT(*) AS ?n) { "
        + " ".join(f"VALUES ?v{j} {{ {' '.join(map(str, range(500)))} }}" for j in range(12))
        + " }",
        "",
    ),
    "a large template": ("CONSTRUCT { " + "?a ?b ?c . [] ?b ?c . " * 3000 + " } { ?a ?b ?c . ?d ?e ?f }", ""),
    "GROUP_CONCAT of everything": (
        'SELECT (GROUP_CONCAT(CONCAT(STR(?a), STR(?d), STR(?g)); separator="' + "x" * 1000 + f'") AS ?x) {{ {CROSS} }}',
        "memory",
    ),
    "a chain of BIND": ("SELECT * { " + "".join(f"BIND({i} AS ?x{i}) " for i in range(9000)) + "}", ""),
    "DESCRIBE of everything": (f"DESCRIBE ?a ?d {{ {CROSS} }}", ""),
    "random numbers, ordered": ("SELECT * { ?a ?b ?c . ?d ?e ?f } ORDER BY RAND()", ""),
}


COUNT = QueryRequest("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")


def _check_that_it_works(pool: WorkerPool) -> None:
    assert b'"value":"2002"' in pool.query(COUNT).body


@pytest.mark.parametrize("name", QUERIES)
def test_a_hostile_query_ends_and_names_its_limit(pool: WorkerPool, patient_pool: WorkerPool, name: str) -> None:
    query, limit = QUERIES[name]
    if limit not in ("time", ""):
        pool = patient_pool  # on a machine that is busy with other things, time might run out before
    began = time.monotonic()
    try:
        pool.query(QueryRequest(query, graph_type="application/n-triples"))
        assert not limit, "it was answered"
    except LimitExceeded as error:
        assert not limit or error.limit == limit, error
        assert error.limit in LIMITS
    except Malformed:
        assert not limit, "it was not even understood"
    assert time.monotonic() - began < pool.limits.seconds + 5
    _check_that_it_works(pool)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUERIES)
def test_it_ends_so_on_disk_too(disk_pool: WorkerPool, name: str) -> None:
    try:
        disk_pool.query(QueryRequest(QUERIES[name][0], graph_type="application/n-triples"))
    except LimitExceeded as error:
        assert error.limit in LIMITS
    except Malformed:
        assert not QUERIES[name][1]
    assert b'"value":"a"' in disk_pool.query(QueryRequest('SELECT ("a" AS ?x) {}')).body


UPDATES = {
    "a cartesian product, inserted": (f"INSERT {{ ?a ?e ?i }} WHERE {{ GRAPH ?k {{ {CROSS} }} }}", ""),
    "braces": ("INSERT DATA { " + "{" * MUCH + "}" * MUCH + " }", "nesting"),
    "a thousand patterns": ("DELETE { ?v0 ?p0 ?v1 } WHERE { " + PATTERNS + "}", "time"),
    "exclamation marks": ("DELETE { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(" + "!" * MUCH + "true) }", "nesting"),
}


@pytest.mark.parametrize("name", UPDATES)
def test_a_hostile_update_ends_and_changes_nothing(tmp_path: Path, name: str) -> None:
    update, limit = UPDATES[name]
    limits = replace(TIGHT, update_seconds=1.5, update_memory_bytes=256 << 20)
    home = fill(tmp_path / "home")
    with WorkerPool(home.path, limits) as pool:
        with pytest.raises(LimitExceeded) as caught:
            pool.update(UpdateRequest(update))
        assert caught.value.limit == limit or (not limit and caught.value.limit in LIMITS)
        assert home.current() == 1
        _check_that_it_works(pool)
        assert pool.update(UpdateRequest("INSERT DATA { <a:s> <a:p> <a:o> }")) > 1


def test_a_query_that_is_killed_for_its_memory_leaves_the_others_alone(pool: WorkerPool) -> None:
    with ThreadPoolExecutor(2) as threads:
        hostile = threads.submit(pool.query, QueryRequest(QUERIES["cartesian product, ordered"][0]))
        for _ in range(50):
            assert b'"value":"2002"' in pool.query(COUNT).body
        with pytest.raises(LimitExceeded):
            hostile.result()
