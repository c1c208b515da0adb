"""A full disk, and a home whose pointer leads nowhere."""

import errno
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.disk import is_full
from kg.draft import Draft
from kg.errors import DiskFull, HomeDamaged
from kg.home import Home

_QUAD = ox.Quad(ox.NamedNode("urn:a"), ox.NamedNode("urn:p"), ox.Literal("x"), ox.NamedNode("urn:g"))
_FULL = [
    OSError(errno.ENOSPC, "No space left on device"),
    OSError(errno.EDQUOT, "Disk quota exceeded"),
    OSError("IO error: No space left on device: While appending to file: /x/000012.log: No space left on device"),
    RuntimeError("IO error: No space left on device: While open a file for appending"),
]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    with made.write() as draft:
        draft.add([_QUAD])
    return made


@pytest.mark.parametrize("error", _FULL, ids=repr)
def test_a_full_disk_is_known_however_it_is_said(error: Exception) -> None:
    outer = ValueError("the file cannot be written")
    outer.__cause__ = error
    assert is_full(error)
    assert is_full(outer)


@pytest.mark.parametrize("error", [None, OSError(errno.EACCES, "no"), ValueError("No space left on device")])
def test_other_errors_say_nothing_of_a_full_disk(error: Exception | None) -> None:
    assert not is_full(error)


@pytest.mark.parametrize("error", _FULL, ids=repr)
def test_a_write_to_a_full_disk_leaves_the_graph_as_it_was(
    home: Home, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def publishable(_draft: Draft) -> Path:
        raise error

    monkeypatch.setattr(Draft, "publishable", publishable)
    with pytest.raises(DiskFull), home.write() as draft:
        draft.add([_QUAD])
    assert home.check() == 1
    assert not list((home.path / "generations").glob("*.draft"))


def test_a_home_that_is_sound_or_empty_passes_the_check(home: Home, tmp_path: Path) -> None:
    assert home.check() == 1
    assert Home(tmp_path / "none").check() is None


@pytest.mark.parametrize("said", ["7\n", "", "x", "\x00"])
def test_a_pointer_that_leads_nowhere_is_damage(home: Home, said: str) -> None:
    (home.path / "CURRENT").write_text(said, encoding="utf-8")
    with pytest.raises(HomeDamaged):
        home.check()
    with pytest.raises(HomeDamaged):
        home.snapshot()
