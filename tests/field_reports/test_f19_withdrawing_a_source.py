"""F19: what a source said stays in the graph when the source is to go.

A source is withdrawn by its name: its graphs, its relations that no other source uses, its media; the rest stays.
"""

from pathlib import Path

import pytest

from kg.home import Home
from kg.importing import import_path
from kg.sources import recorded
from ontology import terms
from web.errors import NoSuchSource
from web.importing.withdrawing import withdraw_source


def test_nothing_of_it_stays_and_the_others_do(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    line = "<http://example.org/{}> <http://example.org/{}> <http://example.org/{}> .\n"
    (tmp_path / "one.nt").write_text(line.format("a", "only", "b") + line.format("a", "both", "b"))
    (tmp_path / "two.nt").write_text(line.format("c", "both", "d"))
    for name in ("one", "two"):
        import_path(home, tmp_path / f"{name}.nt")
    withdraw_source(home, "one")
    with home.snapshot() as snapshot:
        assert [source.slug for source in recorded(snapshot)] == ["two"]
        text = "\n".join(str(quad) for quad in snapshot.store)
        catalogue = list(snapshot.store.quads_for_pattern(None, None, None, terms.CATALOGUE_GRAPH))
    assert "example.org/a" not in text
    assert {str(quad.subject) for quad in catalogue} == {"<http://example.org/both>"}
    with pytest.raises(NoSuchSource):
        withdraw_source(home, "one")
