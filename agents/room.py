"""
How much room the pictures of questions may take on the disk of whoever runs a server.

Anybody who may ask may send pictures, and each stays with its run. Where there is no more room for them, questions with
pictures are turned down; none of those kept is deleted, which is for whoever runs the server. Questions that arrive in
the same moment may pass the bound by a few pictures.
"""

from agents.errors import PicturesFull
from agents.runs import RunFolder

MAX_BYTES = 1 << 30
"""Of the pictures of all runs."""
MIN_FREE_BYTES = 256 << 20
"""What pictures leave free on the disk."""
_MIB = 1 << 20


def check_room(runs: RunFolder, more_bytes: int) -> None:
    """Raises PicturesFull where pictures of ``more_bytes`` in all have no room; none always have."""
    if more_bytes == 0:
        return
    if runs.pictures_bytes() + more_bytes > MAX_BYTES:
        raise PicturesFull(
            f"this server keeps {MAX_BYTES // _MIB:,} MB of pictures, and that is used up: say in words what the "
            "picture shows, or ask whoever runs the server to delete old runs"
        )
    if runs.free_bytes() - more_bytes < MIN_FREE_BYTES:
        raise PicturesFull(
            "the disk of this server is too full to keep pictures: say in words what the picture shows, or ask "
            "whoever runs the server to make room"
        )
