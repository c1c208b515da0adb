"""Media added to what is in a graph: by a folder or a manifest, and what must not get in."""

import csv
import hashlib
import json
from pathlib import Path

import av
import numpy as np
import pyoxigraph as ox
import pytest

from kg.errors import ImportFailed, NothingImported
from kg.home import Home
from kg.importing import import_path
from kg.media.adding import Adding, add_media
from kg.media.items import MediaItem
from kg.media.listing import media_items
from kg.media.pairs import audiovisual_pairs
from kg.media_roots import MediaRoots
from kg.report import ImportReport
from ontology import terms
from ontology.conformance import check_shapes
from ontology.files import bundled_shapes
from tests.kg.media.stage import film, picture, png_that_says, tone

EX = "http://example.org/"
GRAPH = f"""
@prefix ex: <{EX}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix sf: <https://w3id.org/scoutfly/ns#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
ex:hunts a owl:ObjectProperty ; rdfs:label "hunts" ; sf:baseRelation ex:hunts .
ex:lion a sf:TopicEntity ; rdfs:label "Lion" ; skos:altLabel "King of beasts" ; ex:hunts ex:zebra .
ex:zebra rdfs:label "Zebra" . ex:zebra2 rdfs:label "Zebra" ; ex:hunts ex:lion .
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    (tmp_path / "graph.ttl").write_text(GRAPH)
    found = Home(tmp_path / "home")
    import_path(found, tmp_path / "graph.ttl")
    return found


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    return folder


def manifest(folder: Path, *rows: dict[str, str], kind: str = "jsonl") -> Path:
    path = folder / f"manifest.{kind}"
    if kind == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def items(home: Home) -> list[MediaItem]:
    with home.snapshot() as snapshot:
        return media_items(snapshot, MediaRoots(home.path).read())


def objects(home: Home, subject: str, name: ox.NamedNode) -> list[str]:
    with home.snapshot() as snapshot:
        found = snapshot.store.quads_for_pattern(ox.NamedNode(subject), name, None, None)
        return sorted(quad.object.value for quad in found)  # type: ignore[union-attr]


def reasons(report: ImportReport) -> list[str]:
    return [rejection.reason for rejection in report.rejected]


def test_a_folder_is_matched_by_names(home: Home, files: Path) -> None:
    picture(files / "lion.png")
    tone(files / "King_of_beasts.wav")
    (files / "Lion").mkdir()
    for number in (1, 2, 10):
        picture(files / "Lion" / f"frame{number}.png", seed=number)
    report = add_media(home, files)
    assert (reasons(report), report.media_found) == ([], 5)
    found = items(home)
    assert sorted(item.modality for item in found) == ["audio", "image", "image", "image", "image", "video"]
    (sequence,) = [item for item in found if item.modality == "video"]
    assert [path.name for path in sequence.files] == ["frame1.png", "frame2.png", "frame10.png"]
    assert len(objects(home, f"{EX}lion", terms.HAS_MEDIA)) == 3


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_a_manifest_says_what_files_show(home: Home, files: Path, kind: str) -> None:
    picture(files / "a.png", size=(30, 20))
    licence = "https://creativecommons.org/publicdomain/zero/1.0/"
    row = {
        "file": "a.png",
        "entity": "Lion",
        "caption": "A lion, “yawning”",
        "licence": licence,
        "creator": "A. Painter",
    }
    report = add_media(home, manifest(files, row, kind=kind), name="pictures")
    assert reasons(report) == []
    (item,) = items(home)
    assert objects(home, f"{EX}lion", terms.HAS_MEDIA) == [item.iri.value]
    assert objects(home, item.iri.value, terms.WIDTH) == ["30"]
    assert objects(home, item.iri.value, terms.term("dcterms:license")) == [licence]
    (caption,) = objects(home, item.iri.value, terms.HAS_CAPTION)
    assert objects(home, caption, terms.CAPTION_TEXT) == ["A lion, “yawning”"]


def test_evidence_of_a_triple(home: Home, files: Path) -> None:
    picture(files / "hunt.png")
    rows = [
        {"file": "hunt.png", "subject": "Lion", "predicate": "hunts", "object": f"{EX}zebra"},
        {"file": "hunt.png", "subject": f"{EX}zebra", "predicate": "hunts", "object": "Lion"},
    ]
    report = add_media(home, manifest(files, *rows))
    assert reasons(report) == [f"the graph does not state that {EX}zebra hunts Lion"]
    with home.snapshot() as snapshot:
        (fact,) = [quad.subject for quad in snapshot.store.quads_for_pattern(None, terms.EVIDENCE, None, None)]
    assert objects(home, fact.value, terms.RDF_OBJECT) == [f"{EX}zebra"]  # type: ignore[union-attr]


def test_what_cannot_be_used_is_told_row_by_row(home: Home, files: Path, tmp_path: Path) -> None:
    picture(files / "good.png")
    (files / "again.png").write_bytes((files / "good.png").read_bytes())
    (files / "cut.png").write_bytes((files / "good.png").read_bytes()[:60])
    tone(files / "sound.jpg.wav").rename(files / "sound.jpg")
    (files / "text.png").write_text("no picture")
    png_that_says(files / "vast.png", 1_000_000, 1_000_000)
    picture(tmp_path / "secret.png")
    (files / "link.png").symlink_to(tmp_path / "secret.png")
    lion = {"entity": "Lion"}
    rows = [
        {"file": "good.png", **lion},
        {"file": "again.png", **lion},
        {"file": "cut.png", **lion},
        {"file": "sound.jpg", "modality": "image", **lion},
        {"file": "text.png", **lion},
        {"file": "vast.png", **lion},
        {"file": "../secret.png", **lion},
        {"file": str(tmp_path / "secret.png"), **lion},
        {"file": "link.png", **lion},
        {"file": "none.png", **lion},
        {"file": "good.png", "entity": "Unicorn"},
        {"file": "good.png", "entity": "Zebra"},
        {"file": "good.png"},
        lion,
    ]
    report = add_media(home, manifest(files, *rows))
    found = reasons(report)
    assert [rejection.row for rejection in report.rejected] == list(range(2, 15))
    for reason, expected in zip(
        found,
        [
            "again.png is the same, byte for byte, as good.png",
            "cut.png is damaged",
            "sound.jpg is audio/wav by its content, the row says image",
            "text.png is no picture, film or sound",
            "vast.png has more than the 50,000,000 pixels",
            "leads out of the folder",
            "is an absolute path",
            "leads out of the folder",
            "none.png is not there",
            "no entity called 'Unicorn'",
            "2 entities are called 'Zebra'",
            "names neither an entity nor",
            "names no file",
        ],
        strict=True,
    ):
        assert expected in reason
    assert len(items(home)) == 1


def test_strictly_nothing_changes(home: Home, files: Path) -> None:
    picture(files / "good.png")
    rows = ({"file": "good.png", "entity": "Lion"}, {"file": "none.png", "entity": "Lion"})
    with pytest.raises(ImportFailed, match=r"none\.png is not there"):
        add_media(home, manifest(files, *rows), strict=True)
    assert items(home) == []
    with pytest.raises(NothingImported):
        add_media(home, manifest(files, {"file": "none.png", "entity": "Lion"}))


def test_copies_are_kept_by_their_checksums_and_the_originals_may_go(home: Home, files: Path) -> None:
    picture(files / "a.png")
    path = manifest(files, {"file": "a.png", "entity": "Lion"})
    add_media(home, path, adding=Adding(copy=True))
    (files / "a.png").unlink()
    (item,) = items(home)
    assert item.files[0].relative_to(home.path).parts == ("media", item.sha256[:2], f"{item.sha256}.png")


def test_films_give_keyframes_and_sound(home: Home, files: Path) -> None:
    film(files / "Lion.mp4", sound=True)
    report = add_media(home, files, adding=Adding(keyframes=True, split_audio=True))
    assert reasons(report) == []
    found = items(home)
    assert sorted(item.modality for item in found) == ["audio", "image", "image", "image", "image", "video"]
    with home.snapshot() as snapshot:
        (pair,) = audiovisual_pairs(snapshot, found)
    assert {item.modality for item in found if item.iri in pair} == {"video", "audio"}


def test_adding_again_replaces(home: Home, files: Path) -> None:
    picture(files / "a.png")
    picture(files / "b.png", seed=1)
    add_media(home, manifest(files, {"file": "a.png", "entity": "Lion"}), name="pictures")
    add_media(home, manifest(files, {"file": "b.png", "entity": "Lion"}), name="pictures")
    assert [item.files[0].name for item in items(home)] == ["b.png"]


def test_manifests_that_are_none(home: Home, files: Path) -> None:
    (files / "a.txt").write_text("x")
    (files / "b.jsonl").write_text('{"file": "a.png", "colour": "red"}\n')
    (files / "c.jsonl").write_text("[1, 2]\n")
    for name, reason in (
        ("a.txt", "no manifest"),
        ("b.jsonl", "'colour' is no column"),
        ("c.jsonl", "no rows with names"),
    ):
        with pytest.raises(ImportFailed, match=reason):
            add_media(home, files / name)


def test_media_of_a_graph_that_states_no_checksum_and_no_type_are_listed_by_their_bytes(tmp_path: Path) -> None:
    picture(tmp_path / "lion.png")
    (tmp_path / "g.ttl").write_text(
        f"<{EX}lion> <{terms.HAS_MEDIA.value}> <{EX}photo> . <{EX}photo> a <{terms.IMAGE.value}> ; "
        f'<{terms.CONTENT_URL.value}> "lion.png" ; <{terms.SHA256.value}> "no checksum" .'
    )
    found = Home(tmp_path / "home")
    import_path(found, tmp_path / "g.ttl", media_root=tmp_path)
    (item,) = items(found)
    assert item.sha256 == hashlib.sha256((tmp_path / "lion.png").read_bytes()).hexdigest()
    assert item.media_type == "image/png"


def conforms(home: Home) -> list[str]:
    """What the shapes say against the media of the graph."""
    with home.snapshot() as snapshot:
        problems = check_shapes(list(snapshot.asserted_quads()), bundled_shapes()).problems
    return [problem for problem in problems if "/media" in problem]


def test_a_frame_that_comes_again_has_a_place_each_time(home: Home, files: Path) -> None:
    """An animation goes back to where it began; and a film may stand still."""
    (files / "Lion").mkdir()
    for number, seed in ((1, 0), (2, 1), (3, 0)):
        picture(files / "Lion" / f"{number}.png", seed=seed)
    with av.open(str(files / "King of beasts.mp4"), "w") as container:
        video = container.add_stream("mpeg4", rate=5)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        for _ in range(10):
            container.mux(video.encode(av.VideoFrame.from_ndarray(np.full((48, 64, 3), 90, np.uint8), format="rgb24")))
        container.mux(video.encode(None))
    report = add_media(home, files, adding=Adding(copy=True, keyframes=True))
    assert reasons(report) == []
    assert conforms(home) == []
    sequences = [item for item in items(home) if item.modality == "video" and len(item.files) > 1]
    assert [len(item.files) for item in sequences] == [3]
    assert sequences[0].files[0] == sequences[0].files[2]


def test_a_file_that_shows_two_entities_is_one_item_with_both_captions(home: Home, files: Path) -> None:
    picture(files / "both.png")
    rows = [
        {"file": "both.png", "entity": "Lion", "caption": "A lion before a zebra."},
        {"file": "both.png", "entity": f"{EX}zebra", "caption": "A zebra behind a lion."},
    ]
    assert reasons(add_media(home, manifest(files, *rows))) == []
    assert conforms(home) == []
    (item,) = items(home)
    texts = [objects(home, caption, terms.CAPTION_TEXT) for caption in objects(home, item.iri.value, terms.HAS_CAPTION)]
    assert sorted(texts) == [["A lion before a zebra."], ["A zebra behind a lion."]]


def test_a_row_that_is_refused_leaves_no_copy(home: Home, files: Path) -> None:
    picture(files / "a.png")
    path = manifest(files, {"file": "a.png", "entity": "Lion", "licence": "no IRI at all"})
    with pytest.raises(NothingImported, match="no sound triple"):
        add_media(home, path, adding=Adding(copy=True))
    assert not [file for file in (home.path / "media").rglob("*") if file.is_file()]
