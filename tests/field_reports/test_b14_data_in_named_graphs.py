"""B14: the data are there, but SELECT is empty: they stand in a named graph, and the query asks the default graph.

Every reader sees the named graphs as one, in memory, on disk and from the command line; a GRAPH clause still names one.
"""

from pathlib import Path

import pytest

from kg.home import Home
from kg.importing import import_path
from kg.querying import answer
from ontology.terms import source_graph

ASK = "ASK { <http://example.org/a> <http://example.org/p> ?b . ?b <http://example.org/p> ?c }"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    for name, head, tail in (("one", "a", "b"), ("two", "b", "c")):
        path = tmp_path / f"{name}.nt"
        path.write_text(f"<http://example.org/{head}> <http://example.org/p> <http://example.org/{tail}> .\n")
        import_path(home, path)
    return home


@pytest.mark.parametrize("in_memory_quads", [0, 10_000])
def test_a_query_over_two_sources_needs_no_graph_clause(home: Home, in_memory_quads: int) -> None:
    assert home.reader(in_memory_quads=in_memory_quads).ask(ASK)


def test_the_command_line_sees_the_union_and_each_graph(home: Home) -> None:
    with home.snapshot() as snapshot:
        assert answer(snapshot.store, ASK) == b"yes\n"
        assert answer(snapshot.store, f"ASK {{ GRAPH {source_graph('one')} {{ ?s ?p ?o }} }}") == b"yes\n"
        assert answer(snapshot.store, ASK.replace("{", f"{{ GRAPH {source_graph('one')} {{", 1) + "}") == b"no\n"
