"""F19: adding one file does everything again; facts that the edited file no longer states stay in the graph.

Each source has its own graph and its content hash: importing it again replaces it and nothing else.
"""

from pathlib import Path

import pyoxigraph as ox

from kg.home import Home
from kg.importing import import_path
from kg.vocabulary import recorded_hash
from ontology.terms import source_graph


def state(home: Home, name: str) -> tuple[set[ox.Triple], str | None]:
    with home.snapshot() as snapshot:
        quads = snapshot.store.quads_for_pattern(None, None, None, source_graph(name))
        return {quad.triple for quad in quads}, recorded_hash(snapshot, source_graph(name))


def test_an_edited_source_replaces_what_it_said_and_leaves_the_others(tmp_path: Path) -> None:
    home, one, two = Home(tmp_path / "home"), tmp_path / "one.nt", tmp_path / "two.nt"
    line = "<http://example.org/{}> <http://example.org/p> <http://example.org/{}> .\n"
    one.write_text(line.format("a", "b") + line.format("a", "c"))
    two.write_text(line.format("a", "d"))
    import_path(home, one)
    import_path(home, two)
    first, other = state(home, "one"), state(home, "two")
    one.write_text(line.format("a", "c"))
    import_path(home, one)
    changed = state(home, "one")
    assert len(first[0]) == 2
    assert changed[0] < first[0]
    assert len(changed[0]) == 1
    assert changed[1] != first[1]
    assert state(home, "two") == other
    one.write_text(line.format("a", "b") + line.format("a", "c"))
    import_path(home, one)
    assert state(home, "one") == first
