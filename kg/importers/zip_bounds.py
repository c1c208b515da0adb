"""Refuses a zip archive (an ``.xlsx`` is one) that unpacks to more than a machine should hold.

Sizes are bounded, never ratios: an honest workbook of repeated text shrinks a thousandfold. The bytes are counted while
they are unpacked, because the sizes that an archive declares may be lies.
"""

import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from kg.errors import ImportFailed

_CHUNK = 1 << 16
_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most that an archive may hold: members, and unpacked bytes of one member and of all."""

    members: int = 10_000
    member_bytes: int = 128 * _MIB
    total_bytes: int = 256 * _MIB


def require_bounded(path: Path, bounds: Bounds = Bounds()) -> None:
    """Unpack every member to nowhere, and raise ImportFailed as soon as a bound is passed or the archive is broken."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if len(members) > bounds.members:
                raise ImportFailed(f"the archive holds {len(members)} members, more than {bounds.members}")
            total = 0
            for member in members:
                total += _unpacked_size(archive, member, bounds=bounds, before=total)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise ImportFailed(f"the archive is broken or encrypted: {error}") from error


def _unpacked_size(archive: zipfile.ZipFile, member: zipfile.ZipInfo, *, bounds: Bounds, before: int) -> int:
    size = 0
    with archive.open(member) as stream:
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            if size > bounds.member_bytes:
                raise ImportFailed(f"{member.filename} unpacks to more than {bounds.member_bytes // _MIB} MiB")
            if before + size > bounds.total_bytes:
                raise ImportFailed(f"the archive unpacks to more than {bounds.total_bytes // _MIB} MiB")
    return size
