"""What encoders are given, checked: an item that no encoder could look at is an error that names its place."""

from collections.abc import Sequence
from math import gcd

import numpy as np
from numpy.typing import NDArray

from kg.media.items import Picture, Sound
from retrieval.errors import BadItem


def check_pictures(items: Sequence[Picture]) -> None:
    """Raises BadItem unless each is ``uint8 [height, width, 3]`` with a pixel at least."""
    for place, item in enumerate(items):
        if item.dtype != np.uint8 or item.ndim != 3 or item.shape[2] != 3 or not item.size:
            raise BadItem(f"picture {place} is {item.dtype} {list(item.shape)}, not uint8 [height, width, 3]")


def check_films(items: Sequence[Sequence[Picture]]) -> None:
    """Raises BadItem for a film without frames, and for a frame that is no picture."""
    for place, item in enumerate(items):
        if not len(item):
            raise BadItem(f"film {place} has no frames")
        try:
            check_pictures(item)
        except BadItem as error:
            raise BadItem(f"film {place}: {error}") from error


def samples_at(items: Sequence[Sound], rate: int) -> list[NDArray[np.float32]]:
    """The samples of each sound at ``rate`` a second. Raises BadItem for none, and for what is no number."""
    found = []
    for place, item in enumerate(items):
        if item.samples.ndim != 1 or not item.samples.size:
            raise BadItem(f"sound {place} has no samples")
        if not np.isfinite(item.samples).all():
            raise BadItem(f"sound {place} has samples that are no numbers")
        found.append(_resampled(item, rate))
    return found


def _resampled(sound: Sound, rate: int) -> NDArray[np.float32]:
    """Read at another rate than is listened at; reading at the encoder's own ``rate`` spares this."""
    samples = np.asarray(sound.samples, dtype=np.float32)
    if sound.rate == rate:
        return samples
    from scipy.signal import resample_poly  # noqa: PLC0415  # a quarter of a second to import

    common = gcd(sound.rate, rate)
    return np.asarray(resample_poly(samples, rate // common, sound.rate // common), dtype=np.float32)
