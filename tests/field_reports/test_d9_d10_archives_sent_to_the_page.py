"""D9, D10: an archive that unpacks to a thousand times its size, or whose members land outside, reaches the server.

What is sent to the import page is unpacked with its bytes counted, and refused whole where a member leads out.
"""

import io
import zipfile
from pathlib import Path

import pytest

from kg.errors import ImportFailed
from web.importing.choosing import safe_name
from web.importing.limits import ImportLimits
from web.importing.unpacking import unpack

MIB = 1 << 20


def archive(path: Path, members: dict[str, bytes]) -> Path:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in members.items():
            opened.writestr(name, content)
    path.write_bytes(stream.getvalue())
    return path


def test_unpacked_bytes_are_bounded_and_ratios_are_not(tmp_path: Path) -> None:
    limits = ImportLimits(member_bytes=4 * MIB, total_bytes=4 * MIB)
    honest = archive(tmp_path / "honest.zip", {"repeated.nt": b"<urn:a> <urn:b> <urn:c> .\n" * 100_000})
    assert honest.stat().st_size * 100 < 2_600_000
    assert unpack(honest, tmp_path / "honest", limits) == 1
    with pytest.raises(ImportFailed, match="unpacks to more than 4 MiB"):
        unpack(archive(tmp_path / "bomb.zip", {"zeros": bytes(5 * MIB)}), tmp_path / "bomb", limits)


@pytest.mark.parametrize("name", ["../outside.ttl", "/outside.ttl", "a/../../outside.ttl", "..\\outside.ttl"])
def test_members_stay_inside(tmp_path: Path, name: str) -> None:
    with pytest.raises(ImportFailed):
        unpack(archive(tmp_path / "a.zip", {name: b"x"}), tmp_path / "in" / "side", ImportLimits())
    assert not list(tmp_path.rglob("outside*"))


@pytest.mark.parametrize("name", ["../../x.ttl", "/etc/x.ttl", "..\\x.ttl", "\x00x.ttl"])
def test_names_of_files_that_are_sent_are_no_paths(name: str) -> None:
    assert safe_name(name) == "x.ttl"
