"""
Unpacks a stranger's zip archive into a new folder, or refuses it whole.

Bytes are counted while they are unpacked, since the sizes that an archive states may be lies. A member that would land
elsewhere, be a link or a device, stand twice, or whose name a file system could not keep, is no mistake that honest
programs make: the archive is refused. What systems leave beside files (``.DS_Store``, ``~$Node.xlsx``) is passed over.
"""

import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from kg.errors import ImportFailed
from web.importing.limits import ImportLimits

_CHUNK = 1 << 18
_MIB = 1 << 20
_MAX_NAME_BYTES = 255
_ENCRYPTED = 0x1
_LEFT_OVER = ("__macosx", "thumbs.db", "desktop.ini")


def unpack(archive: Path, folder: Path, limits: ImportLimits) -> int:
    """
    Unpack ``archive`` into ``folder``, which is made; says how many files it held.

    Raises ImportFailed, saying which member is at fault; the folder may then hold a part of the archive.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            wanted = _wanted(opened.infolist(), limits)
            folder.mkdir(parents=True)
            total = 0
            for member, place in wanted:
                total += _write(opened, member, folder / place, limits=limits, before=total)
    except ImportFailed:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise ImportFailed(f"the archive is broken: {error}") from error
    except OSError as error:
        raise ImportFailed(f"the archive cannot be unpacked: {error.strerror or error}") from error
    if not wanted:
        raise ImportFailed("the archive holds no files")
    return len(wanted)


def _wanted(members: Sequence[zipfile.ZipInfo], limits: ImportLimits) -> list[tuple[zipfile.ZipInfo, PurePosixPath]]:
    """The members to unpack, and where to. Raises ImportFailed before the first byte is written."""
    if len(members) > limits.members:
        raise ImportFailed(f"the archive holds {len(members)} members; {limits.members} are the most")
    return [(member, place) for member in members if (place := _place(member, limits)) is not None]


def _place(member: zipfile.ZipInfo, limits: ImportLimits) -> PurePosixPath | None:
    """Where a member goes below the folder; None for what is passed over. Raises ImportFailed."""
    name = unicodedata.normalize("NFC", member.filename)
    shown = ascii(name)[:120]
    if member.flag_bits & _ENCRYPTED:
        raise ImportFailed(f"the archive is encrypted ({shown} needs a password): pack it without one")
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise ImportFailed(f"the archive holds {shown}, which is a link or a device: pack the files themselves")
    if "\\" in member.orig_filename or name.startswith("/") or name[1:2] == ":":
        raise ImportFailed(f"the archive holds {shown}, an absolute path or one of Windows: pack a folder by its name")
    if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in member.orig_filename):
        raise ImportFailed(f"the archive holds {ascii(member.orig_filename)[:120]}, a name with control characters")
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise ImportFailed(f"the archive holds {shown}, which leads out of it")
    if len(parts) > limits.depth + 1:
        raise ImportFailed(f"the archive holds {shown}, more than {limits.depth} folders deep")
    if any(len(part.encode()) > _MAX_NAME_BYTES for part in parts):
        raise ImportFailed(f"the archive holds {shown}, a name of more than {_MAX_NAME_BYTES} bytes")
    if member.is_dir() or not parts or any(_is_left_over(part) for part in parts):
        return None
    return PurePosixPath(*parts)


def _is_left_over(part: str) -> bool:
    return part.startswith((".", "~$")) or part.casefold() in _LEFT_OVER


def _write(opened: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path, *, limits: ImportLimits, before: int) -> int:
    size = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with opened.open(member) as source, path.open("xb") as target:
            while chunk := source.read(_CHUNK):
                size += len(chunk)
                if size > limits.member_bytes:
                    raise ImportFailed(f"{member.filename} unpacks to more than {limits.member_bytes // _MIB} MiB")
                if before + size > limits.total_bytes:
                    raise ImportFailed(f"the archive unpacks to more than {limits.total_bytes // _MIB} MiB")
                target.write(chunk)
    except FileExistsError as error:
        raise ImportFailed(f"the archive holds {member.filename} twice") from error
    return size
