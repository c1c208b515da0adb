"""The room that pictures of questions may take."""

from pathlib import Path

import pytest

from agents import room
from agents.errors import PicturesFull
from agents.room import check_room
from agents.runs import RunFolder


@pytest.fixture
def runs(tmp_path: Path) -> RunFolder:
    runs = RunFolder(tmp_path / "home" / "runs")
    for _ in range(2):
        _, folder = runs.new()
        (folder / "image-1.png").write_bytes(b"x" * 400)
        (folder / "result.json").write_bytes(b"x" * 10_000)
    return runs


def test_only_pictures_count(runs: RunFolder) -> None:
    assert runs.pictures_bytes() == 800


def test_pictures_beyond_the_bound_are_turned_down_and_none_is_deleted(
    runs: RunFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "MAX_BYTES", 1000)
    check_room(runs, 200)
    with pytest.raises(PicturesFull, match="is used up"):
        check_room(runs, 201)
    assert runs.pictures_bytes() == 800


def test_pictures_leave_some_of_the_disk_free(runs: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RunFolder, "free_bytes", lambda _runs: room.MIN_FREE_BYTES + 10)
    check_room(runs, 10)
    with pytest.raises(PicturesFull, match="too full"):
        check_room(runs, 11)


def test_questions_without_pictures_always_have_room(runs: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MAX_BYTES", 0)
    monkeypatch.setattr(RunFolder, "free_bytes", lambda _runs: 0)
    check_room(runs, 0)


def test_free_room_is_known_before_the_folder_is_there(tmp_path: Path) -> None:
    assert RunFolder(tmp_path / "a" / "b").free_bytes() > 0
