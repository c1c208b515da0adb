"""
Pictures and sounds out of files: Pillow for pictures, PyAV (FFmpeg) for films and sounds.

A file is a stranger's. Its head is believed in nothing but what to expect: a picture that would unpack to more pixels
than a page could show is refused before it is unpacked, and of films and sounds no more packets, frames and seconds are
read than are asked for. What cannot be read is a BadMedia with one line that says why.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import av
import numpy as np
from av.container import InputContainer
from PIL import Image, ImageOps, UnidentifiedImageError

from kg.media.errors import BadMedia
from kg.media.items import MediaItem, Picture, Sound

MOST_PIXELS = 50_000_000
"""Of a picture or of one frame of a film."""
MOST_FRAMES = 36_000
"""Frames of a film that are looked at: twenty minutes at thirty a second."""
MOST_PACKETS = 400_000
FRAMES_PER_SECOND, MOST_KEYFRAMES = 2.0, 10
"""How keyframes are sampled (M3KG-RAG and MH-MMKG, Table 5)."""
LONGEST_SOUND_S = 60.0
_COVER = av.stream.Disposition.attached_pic
_BIT_DEPTHS = {"I;16": 8, "I;16B": 8, "I;16L": 8, "I": 8}
"""Modes of 16-bit grey pictures → bits to drop; Pillow's own conversion cuts them off at white instead."""


@dataclass(frozen=True, slots=True)
class Film:
    """What the head of a film or sound says; ``width``, ``height`` and ``frame_rate`` are None for a sound."""

    width: int | None
    height: int | None
    duration_s: float | None
    frame_rate: float | None
    has_audio: bool


def read_picture(path: Path) -> Picture:
    """
    The picture, upright (EXIF), on white where it is transparent; of an animation the first one.

    Raises BadMedia for what is no picture, is cut off, or has more than MOST_PIXELS.
    """
    with _pillow(path) as image:
        return _as_rgb(image)


def picture_size(path: Path) -> tuple[int, int]:
    """Width and height in pixels, upright; the picture is unpacked to see that it is whole. Raises BadMedia."""
    height, width, _ = read_picture(path).shape
    return width, height


def sample_frames(path: Path, *, per_second: float = FRAMES_PER_SECOND, most: int = MOST_KEYFRAMES) -> list[Picture]:
    """
    Frames of a film, ``per_second`` of them, in order; where those would be more than ``most``, that many, evenly.

    Never none: a film shorter than one step gives its first frame. Raises BadMedia.
    """
    with _opened(path) as container:
        times = _film_times(container, path)
    step = 1 / per_second
    wanted = np.arange(times[0], times[-1] + 1e-6, step)
    if len(wanted) > most:
        wanted = np.linspace(times[0], times[-1], most)
    indices = np.unique(np.searchsorted(times, wanted - 1e-6).clip(0, len(times) - 1))
    return list(_frames_at(path, indices.tolist()))


def frames_of(item: MediaItem, *, most: int = MOST_KEYFRAMES) -> list[Picture]:
    """The frames that stand for a video item: sampled from a film, or the keyframes of a sequence. BadMedia."""
    if item.media_type.startswith("image/"):
        chosen = item.files
        if len(chosen) > most:
            chosen = tuple(chosen[index] for index in np.linspace(0, len(chosen) - 1, most).round().astype(int))
        return [read_picture(file) for file in chosen]
    return sample_frames(item.files[0], most=most)


def read_sound(path: Path, *, rate: int, most_s: float = LONGEST_SOUND_S) -> Sound:
    """
    The sound, mono, at ``rate`` samples a second, its first ``most_s`` seconds; of a film its first sound track.

    Raises BadMedia, also for a film without sound.
    """
    with _opened(path) as container:
        if not container.streams.audio:
            raise BadMedia(f"{path.name} has no sound track")
        resampler = av.AudioResampler(format="flt", layout="mono", rate=rate)
        pieces: list[np.ndarray] = []
        missing = int(most_s * rate)
        for frame in _decoded(container, path, audio=True):
            for piece in resampler.resample(frame):  # type: ignore[arg-type]
                pieces.append(piece.to_ndarray().reshape(-1))
                missing -= len(pieces[-1])
            if missing <= 0:
                break
        else:
            pieces += [piece.to_ndarray().reshape(-1) for piece in resampler.resample(None)]
    samples = np.concatenate(pieces)[: int(most_s * rate)] if pieces else np.zeros(0)
    if not len(samples):
        raise BadMedia(f"{path.name} holds no sound")
    return Sound(np.nan_to_num(samples).clip(-1, 1).astype(np.float32), rate)


def read_head(path: Path) -> Film:
    """What a film or sound says of itself, once its first frame has been decoded. Raises BadMedia."""
    with _opened(path) as container:
        # The picture of an album's cover is a track of its own, and makes no film of a song.
        films = [track for track in container.streams.video if not track.disposition & _COVER]
        sounds = container.streams.audio
        if not films and not sounds:
            raise BadMedia(f"{path.name} holds neither picture nor sound")
        if films and films[0].width * films[0].height > MOST_PIXELS:
            raise BadMedia(_too_many(path, films[0].width, films[0].height))
        next(_decoded(container, path, audio=not films))
        lasts = container.duration / av.time_base if container.duration and container.duration > 0 else None
        rate = float(films[0].average_rate) if films and films[0].average_rate else None
        width, height = (films[0].width, films[0].height) if films else (None, None)
        return Film(width, height, lasts, rate, bool(sounds))


@contextmanager
def _pillow(path: Path) -> Iterator[Image.Image]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # our own bound is lower
            with Image.open(path) as image:
                if image.width * image.height > MOST_PIXELS:
                    raise BadMedia(_too_many(path, image.width, image.height))
                yield image
    except Image.DecompressionBombError as error:
        raise BadMedia(f"{path.name} has more than the {MOST_PIXELS:,} pixels that are read") from error
    except UnidentifiedImageError as error:
        raise BadMedia(f"{path.name} is no picture that can be read") from error
    except (OSError, SyntaxError, ValueError, EOFError, OverflowError, MemoryError) as error:
        raise BadMedia(f"{path.name} is damaged: {_line(error)}") from error


def _as_rgb(image: Image.Image) -> Picture:
    if image.mode in _BIT_DEPTHS:
        grey = (np.asarray(image).astype(np.int64) >> _BIT_DEPTHS[image.mode]).clip(0, 255).astype(np.uint8)
        image = Image.fromarray(grey)
    upright = ImageOps.exif_transpose(image)
    if upright.mode in ("RGBA", "LA", "PA") or "transparency" in upright.info:
        with_alpha = upright.convert("RGBA")
        upright = Image.new("RGBA", with_alpha.size, "white")
        upright.alpha_composite(with_alpha)
    return np.asarray(upright.convert("RGB"))


@contextmanager
def _opened(path: Path) -> Iterator[InputContainer]:
    try:
        # Only the file itself is read: a playlist or a stream description could name other files and servers.
        with av.open(
            path, options={"protocol_whitelist": "file"}, metadata_errors="replace", timeout=(30.0, 30.0)
        ) as container:
            yield container
    except (av.FFmpegError, OSError, ValueError, MemoryError) as error:
        raise BadMedia(f"{path.name} cannot be read as a film or a sound: {_line(error)}") from error


def _decoded(container: InputContainer, path: Path, *, audio: bool) -> Iterator[av.AudioFrame | av.VideoFrame]:
    """The frames of the first track of a kind; a damaged packet in the middle is passed over, if others are sound."""
    stream = container.streams.audio[0] if audio else container.streams.video[0]
    found, fault = False, None
    for number, packet in enumerate(container.demux(stream)):
        if number > MOST_PACKETS:
            raise BadMedia(f"{path.name} has more than {MOST_PACKETS:,} packets")
        try:
            frames = packet.decode()
        except av.InvalidDataError as error:
            fault = error
            continue
        for frame in frames:
            found = True
            yield frame  # type: ignore[misc]
    if not found:
        raise BadMedia(f"{path.name} is damaged: {_line(fault) if fault else 'nothing in it can be decoded'}")


def _film_times(container: InputContainer, path: Path) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """The time of each frame in seconds, in order."""
    _film(container, path)
    times: list[float] = []
    for number, frame in enumerate(_decoded(container, path, audio=False)):
        if number >= MOST_FRAMES:
            break
        times.append(frame.time if frame.time is not None else (times[-1] + 0.04 if times else 0.0))
    return np.maximum.accumulate(np.asarray(times))


def _film(container: InputContainer, path: Path) -> None:
    if not container.streams.video:
        raise BadMedia(f"{path.name} has no moving picture")
    video = container.streams.video[0]
    if video.width * video.height > MOST_PIXELS:
        raise BadMedia(_too_many(path, video.width, video.height))


def _frames_at(path: Path, indices: list[int]) -> Iterator[Picture]:
    """Decoded again from the start: seeking goes to key frames only, and not in every container."""
    wanted = set(indices)
    with _opened(path) as container:
        for number, frame in enumerate(_decoded(container, path, audio=False)):
            if number in wanted:
                yield np.asarray(frame.to_ndarray(format="rgb24"))  # type: ignore[call-arg]
            if number >= indices[-1]:
                return


def _too_many(path: Path, width: int, height: int) -> str:
    return f"{path.name} has {width:,} by {height:,} pixels, more than the {MOST_PIXELS:,} that are read"


def _line(error: BaseException) -> str:
    said = " ".join(str(error).split()) or type(error).__name__
    return said.replace("[Errno ", "[")[:200]
