"""Whether a file can be what a graph says it is: of each kind one that is, and the other kinds, which are not."""

import pytest

from tests.web.entity.conftest import png, wav
from web.entity.signatures import is_of_type

HEADS = {
    "image/png": png(),
    "image/jpeg": b"\xff\xd8\xff\xe0\x00\x10JFIF",
    "image/gif": b"GIF87a\x01\x00",
    "image/webp": b"RIFF\x00\x00\x00\x00WEBPVP8 ",
    "image/svg+xml": b'<?xml version="1.0"?>\n<!-- a drawing -->\n<svg xmlns="http://www.w3.org/2000/svg"/>',
    "audio/wav": wav(),
    "audio/mpeg": b"\xff\xfb\x90\x00\x00\x00",
    "audio/flac": b"fLaC\x00\x00",
    "audio/ogg": b"OggS\x00\x02",
    "video/mp4": b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom",
    "video/webm": b"\x1a\x45\xdf\xa3\x01\x00\x00\x00",
}
TEXTS = (
    b"",
    b"[table]\nkey = 1\n",
    b"BM is a word",
    b"<script>alert(1)</script>",
    b"<html><svg></svg></html>",
    b"%PDF-1.7",
)


@pytest.mark.parametrize("stated", HEADS)
def test_a_file_is_of_its_own_kind_and_of_no_other(stated: str) -> None:
    assert [kind for kind, head in HEADS.items() if is_of_type(head, stated)] == [stated]


@pytest.mark.parametrize("stated", HEADS)
@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_none_of_them(text: bytes, stated: str) -> None:
    assert not is_of_type(text, stated)


@pytest.mark.parametrize("stated", ["text/html", "application/pdf", "", "IMAGE"])
def test_a_kind_that_is_not_known_is_none(stated: str) -> None:
    assert not any(is_of_type(head, stated) for head in HEADS.values())


@pytest.mark.parametrize("part", [b"<!--", b"<!-- -->", b"<?xml ", b"<!DOCTYPE svg [", b" ", b"<!DOCTYPE svg <!--"])
def test_no_text_keeps_it_busy(part: bytes) -> None:
    """A pattern that tries all ways through these does not come back."""
    assert not is_of_type((part * 4096)[:4096], "image/svg+xml")
