"""Where the media of sources lie: remembered across processes, and left by no path and no link."""

from pathlib import Path

import pytest

from kg.errors import StoreError
from kg.media.errors import BadMedia
from kg.media_roots import FILE_NAME, MediaRoots, file_below


def test_a_folder_is_remembered_replaced_and_forgotten(tmp_path: Path) -> None:
    home, first, second = (tmp_path / name for name in ("home", "a", "b"))
    for folder in (home, first, second):
        folder.mkdir()
    roots = MediaRoots(home)
    assert roots.read() == {}
    roots.record("one", first)
    roots.record("other", second)
    assert MediaRoots(home).read() == {"one": first, "other": second}
    roots.record("one", second)
    roots.record("other", None)
    roots.record("never-there", None)
    assert MediaRoots(home).read() == {"one": second}


@pytest.mark.parametrize("damage", ["{", "[]", '{"a": 1}'])
def test_a_damaged_file_is_named(tmp_path: Path, damage: str) -> None:
    (tmp_path / FILE_NAME).write_text(damage, encoding="utf-8")
    with pytest.raises(StoreError, match=FILE_NAME):
        MediaRoots(tmp_path).read()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    (folder / "deep").mkdir(parents=True)
    (folder / ".git").mkdir()
    for path in ("a.png", "deep/b c.png", ".git/config", ".env"):
        (folder / path).write_bytes(b"x")
    (tmp_path / "secret.png").write_bytes(b"secret")
    (folder / "out.png").symlink_to(tmp_path / "secret.png")
    (folder / "in.png").symlink_to(folder / "a.png")
    (folder / "shown.png").symlink_to(folder / ".env")
    (folder / "up").symlink_to(tmp_path)
    (folder / "loop").symlink_to(folder / "loop")
    return folder


@pytest.mark.parametrize(
    ("path", "found"),
    [("a.png", "a.png"), ("deep/b c.png", "deep/b c.png"), ("deep\\b c.png", "deep/b c.png"), ("./a.png", "a.png"),
     ("deep/../a.png", "a.png"), ("in.png", "a.png")],
)  # fmt: skip
def test_a_file_inside_is_found(root: Path, path: str, found: str) -> None:
    assert file_below(root, path) == root / found


@pytest.mark.parametrize(
    "path",
    ["../secret.png", "deep/../../secret.png", "..\\secret.png", "/etc/passwd", "C:\\Windows\\win.ini", "out.png",
     "up/secret.png", ".env", ".git/config", "shown.png", "deep", "", ".", "nothing.png", "a.png\x00", "loop",
     "x" * 5000, "file:///etc/passwd"],
)  # fmt: skip
def test_everything_else_is_refused(root: Path, path: str) -> None:
    with pytest.raises(BadMedia):
        file_below(root, path)
