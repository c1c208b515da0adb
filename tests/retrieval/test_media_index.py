"""The indexes of a graph's media, by the commands that build, show, verify and remove them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from kg.home import Home
from kg.media.decoding import read_picture
from kg.media.items import Picture
from retrieval.commands import index
from retrieval.encoders.base import Vectors
from retrieval.encoders.classical import ClassicalImageEncoder
from retrieval.media_index import MediaIndexes, joined
from tests.kg.media.stage import picture
from tests.zoo import BASE, animals, import_zoo, write_zoo


@dataclass
class Zoo:
    """The composition root, as the commands see it."""

    folder: Path

    @property
    def home_dir(self) -> Path:
        return self.folder / "home"

    @cached_property
    def home(self) -> Home:
        return Home(self.home_dir)

    @property
    def indexes(self) -> MediaIndexes:
        return MediaIndexes(self.home_dir / "indexes", self.home_dir / "cache")

    def run(self, *words: str) -> Result:
        return CliRunner().invoke(index, list(words), obj=self)

    def built(self, *words: str) -> dict[str, dict[str, object]]:
        result = self.run("build", "--json", *words)
        assert result.exit_code == 0, result.output
        return {report["name"]: report for report in json.loads(result.stdout)}


@pytest.fixture
def zoo(tmp_path: Path) -> Zoo:
    write_zoo(tmp_path)
    found = Zoo(tmp_path)
    import_zoo(tmp_path, found.home)
    return found


def test_each_modality_has_an_index_and_films_with_sounds_one_together(zoo: Zoo) -> None:
    built = zoo.built()
    assert {name: report["rows"] for name, report in built.items()} == {
        "image": 8,
        "video": 2,
        "audio": 3,
        "audiovisual": 2,
    }
    (hit,) = zoo.indexes.open("image").search(
        ClassicalImageEncoder().encode([read_picture(zoo.folder / "media" / "lion.png")]), k=1
    )[0]
    assert hit.row.items == (f"{BASE}media/lion.png",)
    assert hit.distance == pytest.approx(0, abs=1e-3)
    films, sounds, both = (zoo.indexes.open(name) for name in ("video", "audio", "audiovisual"))
    row = next(place for place, one in enumerate(both.rows) if one.items[0] == f"{BASE}lion/roar/frames")
    assert both.rows[row].items[1] == f"{BASE}media/roar.wav"
    expected = np.hstack([films.vectors_of([both.rows[row].items[0]]), sounds.vectors_of([both.rows[row].items[1]])])
    assert both.search(expected, k=1)[0][0].row == both.rows[row]
    assert both.search(expected, k=1)[0][0].distance == pytest.approx(0, abs=1e-3)


def test_only_what_is_new_is_encoded(zoo: Zoo) -> None:
    zoo.built()
    again = zoo.built()
    assert not any(report["changed"] for report in again.values())
    picture(zoo.folder / "media" / "lion.png", seed=99)
    import_zoo(zoo.folder, zoo.home)
    changed = zoo.built()["image"]
    assert (changed["rows"], changed["reused"], changed["changed"]) == (8, 7, True)


def test_items_that_are_gone_leave_the_index(zoo: Zoo) -> None:
    zoo.built()
    said = animals()
    del said[0]["photo"]
    write_zoo(zoo.folder, said)
    import_zoo(zoo.folder, zoo.home)
    assert "1 are no more in the graph: build it anew" in zoo.run("status").stdout
    assert zoo.built()["image"]["rows"] == 7
    assert "build it anew" not in zoo.run("status").stdout


def test_broken_items_are_told_one_by_one_and_the_rest_is_indexed(zoo: Zoo) -> None:
    path = zoo.folder / "media" / "zebra.png"
    path.write_bytes(path.read_bytes()[:70])
    result = zoo.run("build")
    assert result.exit_code == 0
    assert f"left out: {BASE}media/zebra.png: zebra.png is damaged" in result.stdout
    assert "image: 7 items" in result.stdout


def test_verify_sees_what_has_changed_on_disk(zoo: Zoo) -> None:
    zoo.built()
    assert zoo.run("verify", "--files").exit_code == 0
    picture(zoo.folder / "media" / "lion.png", seed=50)
    found = zoo.run("verify", "--files")
    assert found.exit_code == 1
    assert f"{BASE}media/lion.png: " in found.stdout
    assert "the graph says" in found.stdout
    version = next((zoo.home_dir / "indexes" / "audio").glob("v*"))
    (version / "rows.jsonl").write_text("x")
    found = zoo.run("verify")
    assert "audio: " in found.stdout
    assert "build the index anew" in found.stdout
    assert zoo.built()["audio"]["changed"]
    assert zoo.run("verify").exit_code == 0


def test_another_encoder_is_another_index(zoo: Zoo) -> None:
    zoo.built()
    assert zoo.built("--image-encoder", "colour-histogram", "--modality", "image")["image"]["changed"]
    assert "image: 8 vectors by colour-histogram" in zoo.run("status").stdout
    refused = zoo.run("build", "--image-encoder", "clap:x")
    assert refused.exit_code == 1
    assert "no encoder of image is called 'clap:x'" in str(refused.exception)


def test_remove(zoo: Zoo) -> None:
    zoo.built()
    assert zoo.run("remove", "all").stdout == "removed: image, video, audio, audiovisual\n"
    assert zoo.run("remove", "image").stdout == "there was nothing to remove\n"
    assert zoo.run("status").stdout == "nothing is indexed yet: scoutfly index build\n"
    assert zoo.built()["image"]["reused"] == 8


def test_a_graph_without_files(tmp_path: Path) -> None:
    empty = Zoo(tmp_path)
    write_zoo(tmp_path)
    import_zoo(tmp_path, empty.home)
    (tmp_path / "media").rename(tmp_path / "away")
    result = empty.run("build")
    assert "no media item of the graph has its file on this machine" in result.stderr
    assert result.stdout == "nothing was indexed\n"


def test_what_is_joined_follows_its_halves(zoo: Zoo) -> None:
    zoo.built()
    both = zoo.built("--video-encoder", "colour-histogram", "--modality", "video")["audiovisual"]
    assert both["changed"]
    joint, film, sound = (zoo.indexes.open(name).manifest.fingerprint for name in ("audiovisual", "video", "audio"))
    assert joint == joined(film, sound)


def test_a_vector_without_a_direction_is_left_out_and_told(zoo: Zoo, monkeypatch: pytest.MonkeyPatch) -> None:
    encode = ClassicalImageEncoder.encode

    def broken(self: ClassicalImageEncoder, items: Sequence[Picture]) -> Vectors:
        found = encode(self, items)
        found[0] = np.nan
        return found

    monkeypatch.setattr(ClassicalImageEncoder, "encode", broken)
    result = zoo.run("build", "--modality", "image")
    assert "image: 7 items" in result.stdout
    assert "zero or not finite" in result.stdout
