"""
Whether the first bytes of a file agree with the media type that a graph states of it.

A graph may be written by whoever has the token, and then states any path below a source's folder, with any type: what
does not begin like a picture, a sound or a film is none, and stays where it is. Kinds that share a container (Ogg, ISO
base media, Matroska) are not told apart: the browser does that.
https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern
"""

import re
from collections.abc import Callable

_EBML = b"\x1a\x45\xdf\xa3"
# What may stand before the root of an SVG picture; matched one by one, so that no text makes it slow.
_BEFORE_SVG = re.compile(
    rb"\xef\xbb\xbf|\s+|<\?xml.*?\?>|<!--.*?-->|<!DOCTYPE\s+(?:svg|\w+:svg)\b[^\[>]*(?:\[.*?\]\s*)?>", re.DOTALL
)
_SVG = re.compile(rb"<(?:\w+:)?svg[\s>/]")


def is_of_type(head: bytes, media_type: str) -> bool:
    """
    Whether a file that starts with ``head`` (a few thousand bytes) can be of ``media_type``; False for unknown types.

    >>> is_of_type(b"GIF89a...", "image/gif"), is_of_type(b"GIF89a...", "image/png"), is_of_type(b"[a]", "image/png")
    (True, False, False)
    """
    agrees = _SIGNATURES.get(media_type)
    return agrees is not None and agrees(head)


def _starts(*beginnings: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(beginnings)


def _riff(kind: bytes) -> Callable[[bytes], bool]:
    return lambda head: head[:4] in (b"RIFF", b"RF64") and head[8:12] == kind


def _brand(*brands: bytes) -> Callable[[bytes], bool]:
    """ISO base media: one of the brands at its start, the main one or a compatible one."""

    def agrees(head: bytes) -> bool:
        size = int.from_bytes(head[:4], "big")
        listed = head[8 : max(12, min(size, 512))]
        return head[4:8] == b"ftyp" and any(listed[at : at + 4] in brands for at in range(0, len(listed), 4))

    return agrees


def _is_iso_media(head: bytes) -> bool:
    return head[4:8] == b"ftyp"


def _is_quicktime(head: bytes) -> bool:
    """Old films have no ``ftyp``."""
    return head[4:8] in (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot")


def _is_bitmap(head: bytes) -> bool:
    """``BM``, reserved zeros, and the size of a header that exists: two letters alone are the start of many texts."""
    sizes = (12, 16, 40, 52, 56, 64, 108, 124)
    return head[:2] == b"BM" and head[6:10] == bytes(4) and int.from_bytes(head[14:18], "little") in sizes


def _is_mpeg_audio(head: bytes) -> bool:
    """A tag, or the header of a frame: 11 bits for synchrony, a layer, a rate that exists."""
    if head.startswith(b"ID3"):
        return True
    frame = len(head) > 2 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0
    return frame and head[1] & 0x18 != 0x08 and head[1] & 0x06 != 0 and head[2] >> 4 != 0xF and head[2] & 0x0C != 0x0C


def _is_aac(head: bytes) -> bool:
    adts = len(head) > 1 and head[0] == 0xFF and head[1] & 0xF6 == 0xF0
    return adts or head.startswith((b"ADIF", b"ID3"))


def _is_svg(head: bytes) -> bool:
    place = 0
    while before := _BEFORE_SVG.match(head, place):
        place = before.end()
    return _SVG.match(head, place) is not None


_SIGNATURES: dict[str, Callable[[bytes], bool]] = {
    "image/png": _starts(b"\x89PNG\r\n\x1a\n"),
    "image/jpeg": _starts(b"\xff\xd8\xff"),
    "image/gif": _starts(b"GIF87a", b"GIF89a"),
    "image/webp": _riff(b"WEBP"),
    "image/avif": _brand(b"avif", b"avis"),
    "image/bmp": _is_bitmap,
    "image/svg+xml": _is_svg,
    "audio/mpeg": _is_mpeg_audio,
    "audio/ogg": _starts(b"OggS"),
    "audio/wav": _riff(b"WAVE"),
    "audio/x-wav": _riff(b"WAVE"),
    "audio/flac": _starts(b"fLaC", b"ID3"),
    "audio/mp4": _is_iso_media,
    "audio/aac": _is_aac,
    "audio/webm": _starts(_EBML),
    "video/mp4": _is_iso_media,
    "video/webm": _starts(_EBML),
    "video/ogg": _starts(b"OggS"),
    "video/quicktime": _is_quicktime,
}
