"""
The pictures that come with a question: told by their first bytes, bounded, and named by us.

What a picture's sender calls it, and says of its type, is not looked at. Nothing here decodes a picture: its size in
pixels stands in its first bytes, and one that would unpack to very many is refused unseen.
"""

import struct
from collections.abc import Iterable
from typing import IO, Protocol

from agents.started import Picture
from web.errors import BadForm

MAX_PICTURES = 4
MAX_BYTES = 5 * 1024 * 1024
"""Of one picture."""
MAX_PIXELS = 50_000_000
TYPES = {"png": "image/png", "jpg": "image/jpeg", "webp": "image/webp", "gif": "image/gif"}
"""Ending of our name → media type."""
_FIELD = "images"
_JPEG_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}


class Upload(Protocol):
    """A file of a form (werkzeug's FileStorage): ``filename`` is only asked whether there is one."""

    filename: str | None
    stream: IO[bytes]


def read_pictures(uploads: Iterable[Upload]) -> list[Picture]:
    """The pictures of a form, in order; a file field that was left empty is none. Raises BadForm."""
    pictures: list[Picture] = []
    for number, upload in enumerate((upload for upload in uploads if upload.filename), 1):
        if number > MAX_PICTURES:
            raise BadForm(_FIELD, f"At most {MAX_PICTURES} pictures can be sent with a question.")
        pictures.append(read_picture(upload.stream.read(MAX_BYTES + 1), number))
    return pictures


def read_picture(content: bytes, number: int) -> Picture:
    """One picture, the ``number``-th, from its bytes. Raises BadForm."""
    if len(content) > MAX_BYTES:
        raise BadForm(_FIELD, f"Picture {number} is too large: {MAX_BYTES // 1024 // 1024} MB are the most.")
    suffix = kind_of(content)
    if suffix is None:
        raise BadForm(
            _FIELD,
            f"File {number} is no PNG, JPEG, WebP or GIF picture. Films and sounds can be searched by, and not asked "
            "about here: send keyframes as pictures, or say in the caption what it shows.",
        )
    size = size_of(content, suffix)
    if size is None or 0 in size:
        raise BadForm(_FIELD, f"Picture {number} is damaged: its size cannot be read.")
    if size[0] * size[1] > MAX_PIXELS:
        raise BadForm(_FIELD, f"Picture {number} is too large: it has {size[0]:,} by {size[1]:,} pixels.")
    return Picture(content, suffix)


def kind_of(content: bytes) -> str | None:
    """
    The ending for a picture's name, by its first bytes; None where it is none of the kinds we take.

    >>> kind_of(b"GIF89a..."), kind_of(b"<svg>")
    ('gif', None)
    """
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if content.startswith(b"\xff\xd8\xff"):
        return "jpg"
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return "webp"
    return "gif" if content.startswith((b"GIF87a", b"GIF89a")) else None


def size_of(content: bytes, suffix: str) -> tuple[int, int] | None:
    """Width and height in pixels as the picture's head says; None where it cannot be read."""
    try:
        return {"png": _png_size, "gif": _gif_size, "webp": _webp_size, "jpg": _jpeg_size}[suffix](content)
    except (struct.error, IndexError):
        return None


def _png_size(content: bytes) -> tuple[int, int] | None:
    """https://www.w3.org/TR/png-3/#11IHDR."""
    width, height = struct.unpack_from(">II", content, 16)
    return (width, height) if content[12:16] == b"IHDR" else None


def _gif_size(content: bytes) -> tuple[int, int]:
    width, height = struct.unpack_from("<HH", content, 6)
    return width, height


def _webp_size(content: bytes) -> tuple[int, int] | None:
    """https://developers.google.com/speed/webp/docs/riff_container."""
    kind = content[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(content[24:27], "little"), 1 + int.from_bytes(content[27:30], "little")
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", content, 26)
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", content, 21)
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    return None


def _jpeg_size(content: bytes) -> tuple[int, int] | None:
    """From the first frame's header (ITU-T T.81, B.2.2)."""
    at = 2
    while content[at] == 0xFF:
        marker = content[at + 1]
        if marker == 0xFF:  # padding
            at += 1
            continue
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", content, at + 5)
            return width, height
        (length,) = struct.unpack_from(">H", content, at + 2)
        at += 2 + length
    return None
