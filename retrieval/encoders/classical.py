"""
Encoders that need no model: shape and colour of pictures, their course over the frames of a film, timbre of sounds.

The embedded default. They see what something looks or sounds like and nothing of what it is, and are named for that:
"classical". Gradients (HOG, Dalal and Triggs 2005) are taken of what stands out from the ground, brought to one size,
and averaged with those of its mirror image, so that a flip changes nothing; colours are counted softly, so that a small
shift changes little. What was chosen, and how much each choice gives, is in ADR 8.
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib import metadata
from itertools import product

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from kg.media.items import Modality, Picture, Sound
from retrieval.encoders.base import Fingerprint, Vectors
from retrieval.encoders.inputs import check_pictures, samples_at
from retrieval.encoders.pooling import PooledVideoEncoder

_SIDE = 64
"""Pixels of the square in which shapes are looked at."""
_CELL = 8
_ORIENTATIONS = 9
_BINS = (6, 8, 8)
"""Of lightness, green to red, and blue to yellow."""
_LAB_LOW, _LAB_HIGH = np.array([0.0, -60.0, -60.0]), np.array([100.0, 60.0, 60.0])
_COLOUR_SIDE = 128
"""Larger pictures are looked at in steps."""
_GROUND_TOLERANCE = 24
"""How far, of 255, a channel may be from the ground's colour and still be ground."""
RATE = 16_000
"""Samples a second at which sounds are listened to."""
_MELS, _COEFFICIENTS = 40, 20
_HOP = 256
_RANGE_DB = 40.0
"""Below the loudest a sound is taken for silence, so that hiss does not fill it."""
_QUIET = 0.05
"""Of the greatest sample: what is trimmed at both ends."""
_EPSILON = 1e-9
Floats = NDArray[np.float32]


class ClassicalImageEncoder:
    """HOG of a picture's content and of its mirror image, and its colours; each half the vector's length."""

    spec = "classical"
    modality: Modality = "image"

    @property
    def fingerprint(self) -> Fingerprint:
        """See :class:`retrieval.encoders.base.MediaEncoder`."""
        preprocessing = f"content box in {_SIDE} px on grey, HOG {_CELL} px x {_ORIENTATIONS}, CIELAB {_BINS}"
        return Fingerprint("classical-image", f"1, scikit-image {_version('scikit-image')}", preprocessing, _WIDTH)

    def encode(self, items: Sequence[Picture]) -> Vectors:
        """``float32 [n, width]``, unit rows; a picture of one colour has colours and no shape."""
        check_pictures(items)
        rows = [
            np.concatenate([_unit(_shape(content)), _unit(_colours(content, mask))])
            for content, mask in map(_content, items)
        ]
        return _units(rows, _WIDTH)


class ColourHistogramEncoder:
    """The colours of a whole picture, counted: a baseline that knows no shape and no ground."""

    spec = "colour-histogram"
    modality: Modality = "image"

    @property
    def fingerprint(self) -> Fingerprint:
        """See :class:`retrieval.encoders.base.MediaEncoder`."""
        return Fingerprint("colour-histogram", "1", "RGB, 4 x 4 x 4 bins, square roots", 64)

    def encode(self, items: Sequence[Picture]) -> Vectors:
        """``float32 [n, 64]``, unit rows."""
        check_pictures(items)
        rows = []
        for item in items:
            codes = (item.reshape(-1, 3) >> 6).astype(np.int64) @ np.array([16, 4, 1])
            rows.append(np.sqrt(np.bincount(codes, minlength=64)).astype(np.float32))
        return _units(rows, 64)


class ClassicalVideoEncoder(PooledVideoEncoder):
    """The mean of the frames' :class:`ClassicalImageEncoder` vectors and how far they spread."""

    def __init__(self) -> None:
        super().__init__(ClassicalImageEncoder())


class ClassicalAudioEncoder:
    """Statistics over a sound of its mel cepstrum, how that moves, and where its energy lies (librosa)."""

    spec = "classical"
    modality: Modality = "audio"
    rate = RATE

    @property
    def fingerprint(self) -> Fingerprint:
        """See :class:`retrieval.encoders.base.MediaEncoder`."""
        preprocessing = f"{RATE} Hz mono, trimmed, loudness taken out, {_MELS} mels, {_COEFFICIENTS} MFCC"
        return Fingerprint("classical-audio", f"2, librosa {_version('librosa')}", preprocessing, _AUDIO_WIDTH)

    def encode(self, items: Sequence[Sound]) -> Vectors:
        """``float32 [n, width]``, unit rows; silence is like silence. Other rates than ``rate`` are brought to it."""
        return _units([_timbre(samples) for samples in samples_at(items, RATE)], _AUDIO_WIDTH)


_HOG_WIDTH = ((_SIDE // _CELL) - 1) ** 2 * 4 * _ORIENTATIONS
_COLOUR_WIDTH = int(np.prod(_BINS))
_WIDTH = _HOG_WIDTH + _COLOUR_WIDTH
_AUDIO_WIDTH = 4 * _COEFFICIENTS + 2 * _MELS + 8


def _content(picture: Picture) -> tuple[Picture, NDArray[np.bool_]]:
    """What stands out from the ground, and where in it; the whole picture where there is no one ground."""
    calm = np.asarray(Image.fromarray(picture).filter(ImageFilter.MedianFilter(3)))  # grain is no content
    edge = np.concatenate([calm[0], calm[-1], calm[:, 0], calm[:, -1]]).astype(np.int16)
    ground = np.median(edge, axis=0)
    has_ground = (np.abs(edge - ground) <= _GROUND_TOLERANCE).all(axis=1).mean() > 0.5
    stands_out = (np.abs(calm.astype(np.int16) - ground) > _GROUND_TOLERANCE).any(axis=2)
    mask = _opened(stands_out)
    if not has_ground or not mask.any():
        return calm, np.ones(calm.shape[:2], dtype=np.bool_)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    box = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    content = calm[box].copy()
    content[~mask[box]] = 128
    return content, mask[box]


def _opened(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The mask without specks, which would stretch its box; as it is where nothing else would be left."""
    image = _as_image(mask).filter(ImageFilter.MinFilter(3)).filter(ImageFilter.MaxFilter(3))
    found = np.asarray(image) > 0
    return found if found.any() else mask


def _inner(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The mask without its rim, whose colours are mixed with the ground's; whole where little else would be left."""
    found = np.asarray(_as_image(mask).filter(ImageFilter.MinFilter(3))) > 0
    return found if found.sum() > 0.3 * mask.sum() else mask


def _as_image(mask: NDArray[np.bool_]) -> Image.Image:
    return Image.fromarray((mask * 255).astype(np.uint8))


def _shape(content: Picture) -> Floats:
    from skimage.feature import hog  # noqa: PLC0415  # a second to import

    grey = Image.fromarray(content).convert("L")
    scale = _SIDE / max(grey.size)
    size = (max(1, round(grey.width * scale)), max(1, round(grey.height * scale)))
    square = np.full((_SIDE, _SIDE), 128.0, dtype=np.float32)
    top, left = (_SIDE - size[1]) // 2, (_SIDE - size[0]) // 2
    square[top : top + size[1], left : left + size[0]] = np.asarray(grey.resize(size, Image.Resampling.BILINEAR))

    def gradients(image: Floats) -> Floats:
        found = hog(
            image,
            orientations=_ORIENTATIONS,
            pixels_per_cell=(_CELL, _CELL),
            cells_per_block=(2, 2),
            block_norm="L2-Hys",
        )
        return np.asarray(found, dtype=np.float32)

    return gradients(square) + gradients(square[:, ::-1])


def _colours(content: Picture, mask: NDArray[np.bool_]) -> Floats:
    """A soft histogram in CIELAB: each pixel counts for the bins around it, the nearer the more."""
    from skimage.color import rgb2lab  # noqa: PLC0415  # a second to import

    step = max(1, round(max(content.shape[:2]) / _COLOUR_SIDE))
    some, where = content[::step, ::step], _inner(mask)[::step, ::step]
    pixels = rgb2lab(some)[where] if where.any() else rgb2lab(content).reshape(-1, 3)
    place = np.clip((pixels - _LAB_LOW) / (_LAB_HIGH - _LAB_LOW), 0, 1) * (np.array(_BINS) - 1.0)
    lower = np.minimum(place.astype(np.int64), np.array(_BINS) - 2)
    part = place - lower
    counts = np.zeros(_COLOUR_WIDTH)
    for corner in product((0, 1), repeat=3):
        at = np.array(corner)
        codes = np.ravel_multi_index(tuple((lower + at).T), _BINS)
        counts += np.bincount(codes, weights=np.where(at, part, 1 - part).prod(axis=1), minlength=_COLOUR_WIDTH)
    return np.sqrt(counts).astype(np.float32)


def _timbre(sound: Floats) -> Floats:
    import librosa  # noqa: PLC0415  # a second to import
    from scipy.fft import dct  # noqa: PLC0415

    samples = _trimmed(sound)
    spectrum = np.abs(librosa.stft(samples, n_fft=1024, hop_length=_HOP)) ** 2
    mels = np.asarray(librosa.power_to_db(_mel_bank() @ spectrum + 1e-10, top_db=_RANGE_DB))
    cepstrum = dct(mels, axis=0, type=2, norm="ortho")[1 : _COEFFICIENTS + 1]  # the first is loudness
    moves = np.diff(cepstrum, axis=1) if cepstrum.shape[1] > 1 else np.zeros_like(cepstrum)
    frequencies = np.linspace(0, 1, spectrum.shape[0])
    energy = spectrum.sum(axis=0) + 1e-10
    centroid = frequencies @ spectrum / energy
    spread = np.sqrt(np.maximum(frequencies**2 @ spectrum / energy - centroid**2, 0))
    flatness = np.exp(np.log(spectrum + 1e-10).mean(axis=0)) / (spectrum.mean(axis=0) + 1e-10)
    course = energy / energy.max()
    parts = [
        _unit(np.concatenate([cepstrum.mean(axis=1), cepstrum.std(axis=1)])),
        0.5 * _unit(np.concatenate([moves.mean(axis=1), moves.std(axis=1)])),
        0.5 * _unit(np.concatenate([(mels - mels.mean()).mean(axis=1), mels.std(axis=1)])),
        0.5
        * np.array(
            [
                centroid.mean(),
                centroid.std(),
                spread.mean(),
                spread.std(),
                flatness.mean(),
                flatness.std(),
                course.mean(),
                min(1.0, len(samples) / RATE / 5),
            ]
        ),
    ]
    return np.concatenate(parts).astype(np.float32)


def _trimmed(samples: Floats) -> Floats:
    """The sound at one loudness, without the silence around it, and at least one window long."""
    loud = np.flatnonzero(np.abs(samples) > _QUIET * (np.abs(samples).max(initial=0.0) or 1.0))
    if len(loud):
        samples = samples[loud[0] : loud[-1] + 1]
    level = float(np.sqrt(np.mean(samples**2))) if len(samples) else 0.0
    if level > 0:
        samples = samples / level * 0.1
    return np.pad(samples, (0, max(0, 2048 - len(samples)))).astype(np.float32)


@lru_cache(maxsize=1)
def _mel_bank() -> Floats:
    import librosa  # noqa: PLC0415

    return np.asarray(librosa.filters.mel(sr=RATE, n_fft=1024, n_mels=_MELS), dtype=np.float32)


def _unit(vector: NDArray[np.floating]) -> NDArray[np.floating]:
    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length) if length > _EPSILON else vector


def _units(rows: Sequence[NDArray[np.floating]], width: int) -> Vectors:
    """The rows, L2-normalised; one without any length points where no other does, so that likes find each other."""
    stacked: Vectors = np.asarray(rows, dtype=np.float32).reshape(len(rows), width)
    lengths = np.linalg.norm(stacked, axis=1, keepdims=True)
    found = np.where(lengths > _EPSILON, stacked / np.maximum(lengths, _EPSILON), 1 / np.sqrt(width))
    return np.asarray(found, dtype=np.float32)


def _version(package: str) -> str:
    return metadata.version(package)
