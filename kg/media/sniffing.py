"""Tells what a media file is by its first bytes, never by what its name ends in.

Covers what browsers and cameras write; anything else is None, and the caller says so.
"""

from pathlib import Path

HEAD_BYTES = 64

_STARTS: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"FLV\x01", "video/x-flv"),
    (b"\x00\x00\x01\xba", "video/mpeg"),
    (b"fLaC", "audio/flac"),
    (b"OggS", "application/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"\xff\xfb", "audio/mpeg"),
    (b"\xff\xf3", "audio/mpeg"),
)
_RIFF = {b"WEBP": "image/webp", b"AVI ": "video/x-msvideo", b"WAVE": "audio/wav"}
_BRANDS = {
    b"avif": "image/avif",
    b"heic": "image/heic",
    b"mif1": "image/heif",
    b"qt  ": "video/quicktime",
    b"M4A ": "audio/mp4",
}


def media_type(head: bytes) -> str | None:
    """The media type of a file that starts with ``head``, or None.

    >>> media_type(b"GIF89a..."), media_type(b"some text")
    ('image/gif', None)
    """
    if head[:4] == b"RIFF":
        return _RIFF.get(head[8:12])
    if head[4:8] == b"ftyp":
        return _BRANDS.get(head[8:12], "video/mp4")
    if head[:4] == b"\x1a\x45\xdf\xa3":
        return "video/webm" if b"webm" in head else "video/x-matroska"
    if head[:4] == b"OggS" and b"vorbis" in head:
        return "audio/ogg"
    return next((kind for magic, kind in _STARTS if head.startswith(magic)), None)


def media_type_of(path: Path) -> str | None:
    """The media type of a file by its content. Raises OSError."""
    with path.open("rb") as stream:
        return media_type(stream.read(HEAD_BYTES))
