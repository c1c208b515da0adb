"""What an upload may hold, and what its import may use."""

from dataclasses import dataclass

from web.processes import Bounds

_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class ImportLimits:
    """
    ``upload_bytes`` bounds a request, ``files`` the files of one upload; the rest bounds what a zip archive holds.

    Sizes are bounded, never ratios: an honest workbook of repeated text shrinks a thousandfold. ``depth`` counts the
    folders above a member. ``memory_bytes`` and ``seconds`` are for reading, in a process of its own.
    """

    upload_bytes: int = 512 * _MIB
    files: int = 100
    members: int = 20_000
    member_bytes: int = 1024 * _MIB
    total_bytes: int = 4096 * _MIB
    depth: int = 16
    memory_bytes: int = 6144 * _MIB
    seconds: float = 900.0
    kept_s: float = 24 * 3600.0
    pending: int = 8

    @property
    def bounds(self) -> Bounds:
        """For the process that reads."""
        return Bounds(memory_bytes=self.memory_bytes, seconds=self.seconds, file_bytes=self.total_bytes)


DEFAULTS = ImportLimits()
