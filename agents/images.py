"""Reads the images that a model is to see."""

import base64
import hashlib
import mimetypes
from pathlib import Path

from agents.errors import MediaUnreadable


def read_image(path: Path) -> bytes:
    """The file's bytes. Raises MediaUnreadable where there is no such file or it is no image by its name."""
    media_type(path)
    try:
        return path.read_bytes()
    except OSError as error:
        raise MediaUnreadable(f"cannot read image {path}: {error.strerror or error}") from error


def media_type(path: Path) -> str:
    """The media type by the file's name, ``image/png`` for example. Raises MediaUnreadable where it is no image."""
    guessed = mimetypes.guess_type(path.name)[0] or ""
    if not guessed.startswith("image/"):
        raise MediaUnreadable(f"{path} is no image by its name: models are shown images; give keyframes of a video")
    return guessed


def is_image(path: Path) -> bool:
    """Whether a model can be shown the file, by its name."""
    return (mimetypes.guess_type(path.name)[0] or "").startswith("image/")


def data_url(path: Path) -> str:
    """The image as a ``data:`` URL. Raises MediaUnreadable."""
    return f"data:{media_type(path)};base64,{base64.b64encode(read_image(path)).decode('ascii')}"


def digest(path: Path) -> str:
    """SHA-256 of the image's bytes, hex. Raises MediaUnreadable."""
    return hashlib.sha256(read_image(path)).hexdigest()
