"""What is done to a picture or a sound before it is asked about: changes that leave it recognisable to a person."""

from collections.abc import Callable, Mapping

import numpy as np
from PIL import Image

from kg.media.items import Picture, Sound

Alter = Callable[[Picture, np.random.Generator], Picture]
AlterSound = Callable[[Sound, np.random.Generator], Sound]
_SMALLER = 0.7
_HUE_SHIFT, _DARKER = 20, 0.9
"""Of 256 steps of hue (28 degrees), and of brightness."""
_GRAIN = 12.0
"""Standard deviation of the noise, of 255."""
_HISS_DB = 20.0
"""How far below the sound the noise lies."""
_FASTER = 1.06
"""A semitone up, and as much shorter."""


def _unaltered(picture: Picture, _random: np.random.Generator) -> Picture:
    return picture


def mirrored(picture: Picture, _random: np.random.Generator) -> Picture:
    """Left is right."""
    return np.ascontiguousarray(picture[:, ::-1])


def rescaled(picture: Picture, _random: np.random.Generator) -> Picture:
    """At 0.7 of its size, and at least one pixel."""
    image = Image.fromarray(picture)
    size = (max(1, round(image.width * _SMALLER)), max(1, round(image.height * _SMALLER)))
    return np.asarray(image.resize(size, Image.Resampling.BILINEAR))


def recoloured(picture: Picture, _random: np.random.Generator) -> Picture:
    """All hues turned by 28 degrees, and a tenth darker."""
    hsv = np.array(Image.fromarray(picture).convert("HSV"))
    hsv[..., 0] += np.uint8(_HUE_SHIFT)  # wraps around, as hues do
    hsv[..., 2] = (hsv[..., 2] * _DARKER).astype(np.uint8)
    return np.asarray(Image.frombytes("HSV", (hsv.shape[1], hsv.shape[0]), hsv.tobytes()).convert("RGB"))


def noised(picture: Picture, random: np.random.Generator) -> Picture:
    """With Gaussian noise on every pixel."""
    return np.clip(picture + random.normal(0, _GRAIN, picture.shape), 0, 255).astype(np.uint8)


def altogether(picture: Picture, random: np.random.Generator) -> Picture:
    """All four, one after the other."""
    for alter in (mirrored, rescaled, recoloured, noised):
        picture = alter(picture, random)
    return picture


PICTURES: Mapping[str, Alter] = {
    "unaltered": _unaltered,
    "mirrored": mirrored,
    "rescaled": rescaled,
    "recoloured": recoloured,
    "noised": noised,
    "altogether": altogether,
}


def _unaltered_sound(sound: Sound, _random: np.random.Generator) -> Sound:
    return sound


def hissing(sound: Sound, random: np.random.Generator) -> Sound:
    """With white noise 20 dB below it."""
    level = float(np.sqrt(np.mean(sound.samples**2))) * 10 ** (-_HISS_DB / 20)
    noisy = sound.samples + random.normal(0, max(level, 1e-6), len(sound.samples))
    return Sound(noisy.clip(-1, 1).astype(np.float32), sound.rate)


def cropped(sound: Sound, _random: np.random.Generator) -> Sound:
    """Its first three fifths."""
    return Sound(sound.samples[: max(1, len(sound.samples) * 3 // 5)], sound.rate)


def sped_up(sound: Sound, _random: np.random.Generator) -> Sound:
    """Played a semitone higher, and shorter by as much."""
    length = max(1, round(len(sound.samples) / _FASTER))
    at = np.linspace(0, len(sound.samples) - 1, length)
    return Sound(np.interp(at, np.arange(len(sound.samples)), sound.samples).astype(np.float32), sound.rate)


SOUNDS: Mapping[str, AlterSound] = {
    "unaltered": _unaltered_sound,
    "hissing": hissing,
    "cropped": cropped,
    "sped up": sped_up,
}
