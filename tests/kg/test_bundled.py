"""The bundled graph fills an empty home, once."""

from pathlib import Path

import pytest

from kg import bundled, vocabulary
from kg.bundled import NAME, ensure_bundled
from kg.home import Home
from kg.importing import import_path
from ontology import terms
from ontology.terms import ONTOLOGY_GRAPH, source_graph

TOPICS = f"SELECT ?t WHERE {{ ?t a {terms.TOPIC_ENTITY} }}"


def test_an_empty_home_is_filled_and_a_filled_one_is_left_alone(tmp_path: Path) -> None:
    home, said = Home(tmp_path / "home"), list[str]()
    report = ensure_bundled(home, progress=said.append)
    assert report is not None
    assert report.rejected == []
    assert "is empty: loading the bundled graph" in said[0]
    assert len(home.reader().select(TOPICS)) == 22
    generation = home.current()
    assert ensure_bundled(home, progress=said.append) is None
    assert home.current() == generation


def test_a_home_with_another_graph_gets_no_bundled_one(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    path = tmp_path / "g.nt"
    path.write_text("<http://example.org/a> <http://example.org/p> <http://example.org/b> .\n")
    import_path(home, path)
    assert ensure_bundled(home) is None
    assert home.reader().select(TOPICS) == []


def test_changed_files_are_loaded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, said = Home(tmp_path / "home"), list[str]()
    ensure_bundled(home)
    monkeypatch.setattr(bundled, "content_hash", lambda files, root: "another")
    assert ensure_bundled(home, progress=said.append) is not None
    assert "has changed since" in said[0]
    assert len(home.reader().select(TOPICS)) == 22


def test_a_changed_ontology_is_loaded_again_and_what_followed_from_it_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path / "home")
    path = tmp_path / "g.nt"
    path.write_text("<http://example.org/a> <http://example.org/p> <http://example.org/b> .\n")
    import_path(home, path)
    generation = home.current()
    monkeypatch.setattr(vocabulary, "ontology_hash", lambda: "another")
    assert ensure_bundled(home) is None
    assert home.current() != generation
    with home.snapshot() as snapshot:
        assert vocabulary.recorded_hash(snapshot, ONTOLOGY_GRAPH) == "another"
        assert snapshot.store.contains_named_graph(source_graph("g"))


def test_a_folder_of_the_user_called_mhw_is_not_taken_for_the_bundled_graph() -> None:
    assert NAME != "mhw"
