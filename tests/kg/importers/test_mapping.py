"""Records by a mapping: what they become, and what is wrong with them."""

from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.errors import ImportFailed
from kg.home import Home
from kg.importers.mapping_spec import read_mapping
from kg.importers.records import Record, fill, iterate, read_records
from kg.report import ImportReport
from ontology import terms
from tests.zoo import BASE, MAPPING, animals, import_zoo, write_zoo


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def zoo(tmp_path: Path, home: Home, said: list[dict[str, object]] | None = None, **more: str) -> ImportReport:
    write_zoo(tmp_path, said, **more)
    return import_zoo(tmp_path, home)


def stated(home: Home, subject: str, name: ox.NamedNode) -> list[str]:
    with home.snapshot() as snapshot:
        found = snapshot.store.quads_for_pattern(ox.NamedNode(BASE + subject), name, None, None)
        return sorted(quad.object.value for quad in found)  # type: ignore[union-attr]


def test_records_become_entities_with_what_is_said_of_them(tmp_path: Path, home: Home) -> None:
    report = zoo(tmp_path, home)
    assert report.rejected == []
    assert (report.entities, report.topic_entities) == (8, 3)
    assert stated(home, "lion", terms.RDFS_LABEL) == ["Lion"]
    assert stated(home, "lion", terms.SKOS_ALT_LABEL) == ["King of beasts"]
    assert stated(home, "lion", terms.CONTEXT) == ["A big cat with a mane."]
    assert stated(home, "lion", terms.RDF_TYPE) == [f"{BASE}class/Animal", terms.TOPIC_ENTITY.value]
    assert stated(home, "class/Animal", terms.RDFS_COMMENT) == ["A living thing of the zoo."]
    assert stated(home, "lion/roar", terms.RDFS_LABEL) == ["Roar of Lion"]
    assert stated(home, "place/savanna", terms.RDFS_LABEL) == ["savanna"]


def test_relations_hold_under_conditions_and_beyond_bounds(tmp_path: Path, home: Home) -> None:
    zoo(tmp_path, home)
    relation = f"{BASE}relation/hasCall"
    assert stated(home, "lion", ox.NamedNode(f"{relation}-isAngry")) == [f"{BASE}lion/roar"]
    assert stated(home, "lion", ox.NamedNode(relation)) == [f"{BASE}lion/purr"]
    assert stated(home, "lion", ox.NamedNode(f"{BASE}relation/likes")) == [f"{BASE}zebra"]
    with home.snapshot() as snapshot:
        told = [quad.object.value for quad in snapshot.store.quads_for_pattern(None, terms.INFORMATION, None, None)]  # type: ignore[union-attr]
    assert sorted(told) == ["since", "since", "since 2001"]


def test_media_are_items_and_frames_are_a_sequence_in_their_order(tmp_path: Path, home: Home) -> None:
    report = zoo(tmp_path, home)
    assert (report.media_found, report.media_missing) == (11, [])
    sequence, sound = f"{BASE}lion/roar/frames", f"{BASE}media/roar.wav"
    assert stated(home, "lion/roar", terms.HAS_MEDIA) == [sequence, sound]
    assert stated(home, "lion/roar/frames", terms.RDF_TYPE) == [terms.IMAGE_SEQUENCE.value]
    assert [stated(home, f"lion/roar/frames/{n}", terms.CONTENT_URL) for n in (1, 2, 3)] == [
        ["roar1.png"],
        ["roar2.png"],
        ["roar3.png"],
    ]
    assert stated(home, "lion/roar/frames/2", terms.FRAME_INDEX) == ["1"]
    assert stated(home, "media/lion.png", terms.WIDTH) == ["64"]
    assert stated(home, "media/roar.wav", terms.DURATION) == ["PT1S"]
    assert stated(home, "media/lion.png", terms.term("dcterms:creator")) == ["A. Painter"]


def test_what_is_wrong_is_told_by_its_place_and_the_rest_goes_on(tmp_path: Path, home: Home) -> None:
    said = animals()
    lion, zebra, parrot = said
    lion["photo"], lion["home"] = "../lion.png", "moon"
    zebra["name"] = "LION"
    parrot["photo"], parrot["about"] = "none.png", ["a", "list"]
    report = zoo(tmp_path, home, said)
    told = [(rejection.column, rejection.reason) for rejection in report.rejected]
    assert (
        "animals/1",
        "'../lion.png' leads out of the folder of the source (this medium is left out, the rest is imported)",
    ) in told
    assert ("animals/1", "no record is the entity 'place/moon'") in told
    assert ("animals/2", f"'LION' would have the IRI of 'Lion': {BASE}lion") in told
    assert ("animals/3", "about is a list, not a text") in told
    assert stated(home, "lion", terms.RDFS_LABEL) == ["Lion"]
    assert stated(home, "place/jungle", terms.RDFS_LABEL) == ["jungle"]


def test_evidence_ties_media_to_the_triple(tmp_path: Path, home: Home) -> None:
    zoo(tmp_path, home)
    with home.snapshot() as snapshot:
        store = snapshot.store
        told = {
            (str(quad.object), str(next(store.quads_for_pattern(quad.subject, terms.RDF_OBJECT, None)).object))
            for quad in store.quads_for_pattern(None, terms.EVIDENCE, None, None)
        }
    assert (f"<{BASE}media/roar.wav>", f"<{BASE}lion/roar>") in told
    assert len(told) == 3


def test_a_second_record_with_an_iri_is_told_unless_it_is_shared(tmp_path: Path, home: Home) -> None:
    said = animals()
    calls = said[0]["calls"]
    assert isinstance(calls, list)
    calls.append({"name": "Roar", "sound": "purr.wav"})
    report = zoo(tmp_path, home, said)
    assert [(one.column, one.reason.split(":")[0]) for one in report.rejected] == [
        ("animals/1/calls/3", "'Lion/Roar' is there already")
    ]
    shared = MAPPING.replace('class = "Call"', 'class = "Call"\nshared = true')
    assert zoo(tmp_path, home, said, mapping=shared).rejected == []


def test_missing_media_are_listed(tmp_path: Path, home: Home) -> None:
    said = animals()
    said[0]["photo"] = "none.png"
    report = zoo(tmp_path, home, said)
    assert report.media_missing == ["zoo.json, animals/1: none.png (no such file)"]


def test_importing_again_gives_the_same_graph(tmp_path: Path, home: Home) -> None:
    zoo(tmp_path, home)
    with home.snapshot() as snapshot:
        before = {str(quad) for quad in snapshot.asserted_quads()}
    zoo(tmp_path, home)
    with home.snapshot() as snapshot:
        assert {str(quad) for quad in snapshot.asserted_quads()} == before


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            'label = "{name}"',
            'labels = "{name}"',
            r"\[\[entity\]\] 1: 'labels' is no key of a mapping here: there are alt, ",
        ),
        ('iri = "{name}"\nclass = "Animal"', 'iri = "{name}"', r"\[\[entity\]\] 1: 'class' is missing"),
        ("topic = true", 'topic = "yes"', r"\[\[entity\]\] 1, topic: 'yes' is of the wrong kind"),
        ("above = 0", 'above = "0"', r"\[\[relation\]\] 3, above: '0' is of the wrong kind"),
        ('kind = "sequence"', 'kind = "film"', "kind = 'film' is none of file, sequence"),
        ("title =", "titel =", "'titel' is no key of a mapping here"),
        ('title = "A zoo"', "title = ", "cannot be read"),
        ('alt = ["{nick}"]', 'alt = "{nick}"', r"\[\[entity\]\] 1, alt"),
    ],
)
def test_a_mapping_that_is_wrong_names_the_place(tmp_path: Path, home: Home, old: str, new: str, reason: str) -> None:
    assert old in MAPPING
    with pytest.raises(ImportFailed, match=reason):
        zoo(tmp_path, home, mapping=MAPPING.replace(old, new, 1))
    assert home.current() is None


def test_a_file_that_the_mapping_names_must_be_there(tmp_path: Path, home: Home) -> None:
    write_zoo(tmp_path)
    (tmp_path / "source" / "places.csv").unlink()
    with pytest.raises(ImportFailed, match=r"places\.csv is not there, which the mapping zoo\.toml names"):
        import_zoo(tmp_path, home)


def test_paths_and_templates() -> None:
    value = {"a": [{"n": 1, "b": ["x", "y"]}, {"n": None, "b": []}], "c": {"k": {"n": True}}}
    assert [record.value for record in iterate(value, "a.*.b.*")] == ["x", "y"]
    first = next(iterate(value, "a.*.b.*"))
    assert fill("{^n}-{.}-{#}-{^^n}", first) == "1-x-1-"
    assert first.place == "a/1/b/1"
    (named,) = iterate(value, "c.*")
    assert fill("{#}={n}", named) == "k=true"
    assert list(iterate(value, "none.*")) == []
    assert fill("{n}", Record({"n": 0}, "")) == "0"


def test_files_of_records(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n\n{"a": 2}\n')
    assert read_records(tmp_path / "a.jsonl") == [{"a": 1}, {"a": 2}]
    (tmp_path / "a.csv").write_text('﻿a,b\n"x, y",2\n', encoding="utf-8")
    assert read_records(tmp_path / "a.csv") == [{"a": "x, y", "b": "2"}]
    (tmp_path / "a.json").write_text("[" * 100_000)
    with pytest.raises(ImportFailed, match=r"a\.json cannot be read"):
        read_records(tmp_path / "a.json")


def test_the_example_mapping_is_sound() -> None:
    root = Path(__file__).resolve().parents[3]
    mapping = read_mapping(root / "docs" / "examples" / "wesnoth.toml")
    assert {rule.class_label for rule in mapping.entities} == set(mapping.class_comments or {})
