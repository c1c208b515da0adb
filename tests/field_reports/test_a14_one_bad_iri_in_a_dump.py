"""A14: one IRI with a space among many triples stops the load; a lenient loader lets it in, and it breaks other tools.

A strict import stops at the line and changes nothing. Otherwise the IRI is encoded and the line is reported: nothing
that is no IRI gets into the graph in either way.
"""

from pathlib import Path

import pytest

from kg.errors import ImportFailed
from kg.home import Home
from kg.importing import import_path
from ontology.terms import source_graph

LINES = [f"<http://example.org/{number}> <http://example.org/p> <http://example.org/x> .\n" for number in range(12_000)]
BAD = 10_500


@pytest.mark.parametrize("name", ["dump.nt", "dump.nq", "dump.ttl"])
def test_the_rest_is_imported_and_the_bad_one_is_reported(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    lines = list(LINES)
    lines[BAD] = "<http://example.org/b c> <http://example.org/p> <http://example.org/x> .\n"
    path.write_text("".join(lines))
    home = Home(tmp_path / "home")
    with pytest.raises(ImportFailed, match=rf"(line|row) {BAD + 1}"):
        import_path(home, path, strict=True)
    assert home.current() is None
    report = import_path(home, path)
    assert report.triples == len(lines)
    assert len(report.encoded) == 1
    assert "<http://example.org/b c> became <http://example.org/b%20c>" in report.encoded[0]
    if name != "dump.ttl":
        assert f"line {BAD + 1}" in report.encoded[0]
    with home.snapshot() as snapshot:
        held = snapshot.store.quads_for_pattern(None, None, None, source_graph("dump"))
        assert not any(" " in str(quad.subject) for quad in held)
