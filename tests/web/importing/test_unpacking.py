"""Archives that mean harm, and honest ones that look odd."""

import io
import stat
import struct
import zipfile
from pathlib import Path

import pytest

from kg.errors import ImportFailed
from tests.web.importing.conftest import zipped
from web.importing.limits import ImportLimits
from web.importing.unpacking import unpack

MIB = 1 << 20
SMALL = ImportLimits(members=50, member_bytes=2 * MIB, total_bytes=3 * MIB, depth=3)


def put(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "a.zip"
    path.write_bytes(content)
    return path


def test_an_honest_archive(tmp_path: Path) -> None:
    members = {"g/Node.xlsx": b"x", "g/Knowledge_Images/é 1.png": b"y", "g/.DS_Store": b"z", "__MACOSX/g/._x": b"z"}
    members |= {"g/~$Node.xlsx": b"lock", ".git/config": b"z"}
    assert unpack(put(tmp_path, zipped(members)), tmp_path / "out", SMALL) == 2
    found = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert found == {"g/Node.xlsx", "g/Knowledge_Images/é 1.png"}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("../evil.ttl", "leads out"),
        ("a/../../evil.ttl", "leads out"),
        ("/etc/passwd", "absolute"),
        ("//server/share", "absolute"),
        ("C:/windows", "absolute"),
        ("..\\evil.ttl", "absolute"),
        ("a\\b.ttl", "absolute"),
        ("a\nb.ttl", "control"),
        ("a\x1b[2Jb.ttl", "control"),
        ("d/" * 4 + "x.ttl", "folders deep"),
        ("x" * 300 + ".ttl", "255 bytes"),
    ],
)
def test_names_that_honest_programs_do_not_write(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(ImportFailed, match=said):
        unpack(put(tmp_path, zipped({"fine.ttl": b"x", name: b"y"})), tmp_path / "out", SMALL)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.zip"]  # seen before the first byte is written


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO, stat.S_IFSOCK])
def test_links_and_devices(tmp_path: Path, kind: int) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        member = zipfile.ZipInfo("image.png")
        member.external_attr = (kind | 0o777) << 16
        archive.writestr(member, "/etc/passwd")
    with pytest.raises(ImportFailed, match="link or a device"):
        unpack(put(tmp_path, stream.getvalue()), tmp_path / "out", SMALL)


def test_a_member_of_zeros(tmp_path: Path) -> None:
    bomb = put(tmp_path, zipped({"zeros": bytes(8 * MIB)}))
    assert bomb.stat().st_size < 20_000
    with pytest.raises(ImportFailed, match="zeros unpacks to more than 2 MiB"):
        unpack(bomb, tmp_path / "out", SMALL)
    assert sum(path.stat().st_size for path in (tmp_path / "out").rglob("*")) <= SMALL.member_bytes


def test_many_members_of_zeros(tmp_path: Path) -> None:
    with pytest.raises(ImportFailed, match="the archive unpacks to more than 3 MiB"):
        unpack(put(tmp_path, zipped({f"z{i}": bytes(MIB) for i in range(6)})), tmp_path / "out", SMALL)


def test_sizes_that_are_lies(tmp_path: Path) -> None:
    content = bytearray(zipped({"zeros": bytes(8 * MIB)}))
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = content.index(signature) + offset
        content[place : place + 4] = struct.pack("<I", 10)
    with pytest.raises(ImportFailed):
        unpack(put(tmp_path, bytes(content)), tmp_path / "out", SMALL)
    assert sum(path.stat().st_size for path in (tmp_path / "out").rglob("*")) <= SMALL.member_bytes


def test_one_gigabyte_that_is_only_claimed(tmp_path: Path) -> None:
    content = bytearray(zipped({"x.ttl": b"<urn:a> <urn:b> <urn:c> ."}, compression=zipfile.ZIP_STORED))
    for signature, offset in ((b"PK\x03\x04", 18), (b"PK\x01\x02", 20)):
        place = content.index(signature) + offset
        content[place : place + 8] = struct.pack("<II", 1 << 30, 1 << 30)
    with pytest.raises(ImportFailed, match="broken"):
        unpack(put(tmp_path, bytes(content)), tmp_path / "out", ImportLimits())


def test_ten_thousand_members(tmp_path: Path) -> None:
    archive = put(tmp_path, zipped({f"d/{i}.txt": b"" for i in range(10_000)}, compression=zipfile.ZIP_STORED))
    with pytest.raises(ImportFailed, match="holds 10000 members; 50 are the most"):
        unpack(archive, tmp_path / "out", SMALL)
    assert not (tmp_path / "out").exists()


def test_the_same_name_twice(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("x.ttl", "one")
        archive.writestr("x.ttl", "two")
    with pytest.raises(ImportFailed, match=r"holds x\.ttl twice"):
        unpack(put(tmp_path, stream.getvalue()), tmp_path / "out", SMALL)


def test_a_password(tmp_path: Path) -> None:
    content = bytearray(zipped({"x.ttl": b"secret"}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + offset] |= 1
    with pytest.raises(ImportFailed, match="encrypted"):
        unpack(put(tmp_path, bytes(content)), tmp_path / "out", SMALL)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"PK\x05\x06" + bytes(18), b"<html>", b"PK\x03\x04" * 500])
def test_broken_archives(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ImportFailed):
        unpack(put(tmp_path, content), tmp_path / "out", SMALL)


def test_a_file_where_a_folder_stands(tmp_path: Path) -> None:
    with pytest.raises(ImportFailed):
        unpack(put(tmp_path, zipped({"a": b"file", "a/b": b"below"})), tmp_path / "out", SMALL)


def test_archives_within_are_not_unpacked(tmp_path: Path) -> None:
    inner = zipped({"x.ttl": b"x"})
    assert unpack(put(tmp_path, zipped({"inner.zip": inner})), tmp_path / "out", SMALL) == 1
    assert (tmp_path / "out" / "inner.zip").read_bytes() == inner
