"""Media files of a question, told by their bytes and read as what they are."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from agents.errors import MediaUnreadable
from kg.media.errors import BadMedia
from kg.media.safely import Decoded, decode
from retrieval.media_index import SOUND_RATE
from retrieval.search import MediaQuery

Decode = Callable[[Path], Decoded]
"""How a file is read; raises BadMedia."""


_HERE: Decode = partial(decode, rate=SOUND_RATE)


def read_media(paths: Iterable[Path], *, decoding: Decode = _HERE) -> MediaQuery:
    """
    The files as a query: pictures, films as frames (two a second, ten at most), and sounds, those of films among them.

    Raises MediaUnreadable, which names the file.
    """
    found: list[Decoded] = []
    for path in paths:
        try:
            found.append(decoding(path))
        except BadMedia as error:
            raise MediaUnreadable(f"{path} cannot be looked at: {error}") from error
    return MediaQuery(
        tuple(one.picture for one in found if one.picture is not None),
        tuple(one.frames for one in found if one.frames),
        tuple(one.sound for one in found if one.sound is not None),
    )
