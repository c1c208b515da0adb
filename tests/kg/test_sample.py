"""The sample that comes with Scoutfly: each medium has a credit and an allowed licence, and the graph is sound."""

import csv
import hashlib
from pathlib import Path

import pyoxigraph as ox
import pytest
from PIL import Image

from kg.bundled import SAMPLE_FOLDER, SAMPLE_NAME, ensure_bundled, ensure_sample, holds_sample
from kg.home import Home
from kg.importing import import_path
from kg.media_roots import MediaRoots
from kg.sample.generate import generate
from ontology import terms
from ontology.check import run_checks
from ontology.files import bundled_quads, read_turtle
from ontology.result import Outcome

CC0 = "https://creativecommons.org/publicdomain/zero/1.0/"
PUBLIC_DOMAIN = "https://creativecommons.org/publicdomain/mark/1.0/"
MOST_BYTES = 3_000_000
GRAPH = SAMPLE_FOLDER / "sample.ttl"


@pytest.fixture(scope="module")
def credits_table() -> list[dict[str, str]]:
    with (SAMPLE_FOLDER / "media.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home after its first run."""
    home = Home(tmp_path_factory.mktemp("sample") / "home")
    ensure_bundled(home)
    report = ensure_sample(home)
    assert report is not None
    assert report.rejected == []
    return home


def test_the_table_names_every_file_and_no_other(credits_table: list[dict[str, str]]) -> None:
    lying = {path.relative_to(SAMPLE_FOLDER).as_posix() for path in (SAMPLE_FOLDER / "media").iterdir()}
    assert [row["file"] for row in credits_table] == sorted(lying)


def test_each_file_has_a_credit_an_allowed_licence_and_its_checksum(credits_table: list[dict[str, str]]) -> None:
    page = (SAMPLE_FOLDER / "CREDITS.md").read_text(encoding="utf-8")
    for row in credits_table:
        data = (SAMPLE_FOLDER / row["file"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == row["sha256"], row["file"]
        assert int(row["bytes"]) == len(data)
        assert row["licence"] in (CC0, PUBLIC_DOMAIN)
        assert row["creator"]
        assert row["evidence"]
        assert row["source"].startswith("https://") or row["changes"] == "generated"
        assert row["file"] in page
        assert row["source"] in page


def test_the_graph_says_of_each_file_what_the_table_says(credits_table: list[dict[str, str]]) -> None:
    said: dict[str, dict[str, str]] = {}
    for quad in read_turtle(GRAPH):
        if isinstance(quad.subject, ox.NamedNode) and isinstance(quad.object, ox.Literal | ox.NamedNode):
            said.setdefault(quad.subject.value, {})[quad.predicate.value] = quad.object.value
    items = {values[terms.CONTENT_URL.value]: values for values in said.values() if terms.CONTENT_URL.value in values}
    assert sorted(items) == [row["file"] for row in credits_table]
    for row in credits_table:
        values = items[row["file"]]
        assert values[terms.SHA256.value] == row["sha256"]
        assert values[terms.term("dcterms:license").value] == row["licence"]
        assert values[terms.term("dcterms:creator").value] == row["creator"]
        assert values.get(terms.DCTERMS_SOURCE.value, "") == row["source"]


def test_it_is_small_and_has_pictures_and_sounds(credits_table: list[dict[str, str]]) -> None:
    assert sum(int(row["bytes"]) for row in credits_table) < MOST_BYTES
    pictures = [SAMPLE_FOLDER / row["file"] for row in credits_table if row["file"].endswith(".webp")]
    assert len(pictures) >= 12
    assert len(credits_table) - len(pictures) >= 8
    for path in pictures:
        with Image.open(path) as picture:
            assert max(picture.size) <= 640


def test_what_is_called_generated_comes_out_of_the_generator(
    tmp_path: Path, credits_table: list[dict[str, str]]
) -> None:
    made = {f"media/{path.name}" for path in generate(tmp_path)}
    assert made == {row["file"] for row in credits_table if row["changes"] == "generated"}


@pytest.mark.java
def test_the_graph_passes_the_checks(home: Home) -> None:
    assert [r for r in run_checks(bundled_quads(), read_turtle(GRAPH)) if r.outcome != Outcome.PASSED] == []


def test_it_stands_in_a_source_of_its_own_whose_files_are_known(home: Home) -> None:
    assert MediaRoots(home.path).read()[SAMPLE_NAME] == SAMPLE_FOLDER.resolve()
    assert ensure_sample(home) is None
    ours = (terms.source_graph(SAMPLE_NAME), terms.facts_graph(SAMPLE_NAME))
    topics = f"SELECT ?t WHERE {{ ?t a {terms.TOPIC_ENTITY} }}"
    assert len(home.reader(without=ours).select(topics)) == 22
    assert len(home.reader().select(topics)) == 22 + 25


def test_a_home_without_the_bundled_graph_gets_no_sample(tmp_path: Path) -> None:
    assert ensure_sample(Home(tmp_path / "home")) is None


def test_a_source_of_the_users_with_that_name_is_left_alone(tmp_path: Path) -> None:
    home, path = Home(tmp_path / "home"), tmp_path / "sample.nt"
    ensure_bundled(home)
    path.write_text("<http://example.org/a> <http://example.org/p> <http://example.org/b> .\n")
    import_path(home, path)
    assert ensure_sample(home) is None
    assert not holds_sample(home)
