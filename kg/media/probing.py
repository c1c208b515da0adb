"""What a media file is, by its content: its type, its size, how long it lasts. It is read, to see that it is whole."""

from dataclasses import dataclass
from pathlib import Path

from kg.media.decoding import picture_size, read_head
from kg.media.errors import BadMedia
from kg.media.items import Modality
from kg.media.sniffing import media_type_of

MOST_BYTES = 4 << 30
"""Of one file."""
_SUBTYPES = {"application/ogg": "ogg"}


@dataclass(frozen=True, slots=True)
class Probe:
    """
    ``width`` and ``height`` are in pixels (None for sounds), ``duration_s`` in seconds and ``frame_rate`` in frames a
    second (None for pictures, and where the file does not say).
    """

    media_type: str
    modality: Modality
    width: int | None = None
    height: int | None = None
    duration_s: float | None = None
    frame_rate: float | None = None
    has_audio: bool = False


def probe(path: Path) -> Probe:
    """
    What the file is. A picture is unpacked; of a film or sound the first frame is.

    Raises BadMedia for a file that is empty, too large, damaged, or of no kind that can be read.
    """
    try:
        size = path.stat().st_size
        kind = media_type_of(path)
    except OSError as error:
        raise BadMedia(f"{path.name} cannot be read: {error.strerror or error}") from error
    if size == 0:
        raise BadMedia(f"{path.name} is empty")
    if size > MOST_BYTES:
        raise BadMedia(f"{path.name} is larger than {MOST_BYTES >> 30} GiB")
    if kind is None:
        raise BadMedia(f"{path.name} is no picture, film or sound of a kind that is known")
    if kind.startswith("image/"):
        width, height = picture_size(path)
        return Probe(kind, "image", width, height)
    return _probe_film(path, kind)


def _probe_film(path: Path, kind: str) -> Probe:
    film = read_head(path)
    family = "video" if film.width is not None else "audio"
    return Probe(
        f"{family}/{_SUBTYPES.get(kind, kind.partition('/')[2])}",
        "video" if film.width is not None else "audio",
        film.width,
        film.height,
        film.duration_s,
        film.frame_rate,
        has_audio=film.has_audio,
    )
