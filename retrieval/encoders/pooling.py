"""Films by an encoder of pictures: the mean of their frames' vectors and, if wanted, how far these spread."""

from collections.abc import Sequence

import numpy as np

from kg.media.items import Modality, Picture
from retrieval.encoders.base import Fingerprint, MediaEncoder, Vectors
from retrieval.encoders.inputs import check_films


class PooledVideoEncoder:
    """
    The mean of a film's frames by an encoder of pictures; with ``spread`` also their deviation, twice as wide.

    Without ``spread`` a film lies in the space of its frames, so that texts of a joint encoder find it, too.
    """

    modality: Modality = "video"

    def __init__(self, images: MediaEncoder[Picture], *, spread: bool = True) -> None:
        self._images, self._spread = images, spread
        self.spec = images.spec

    @property
    def fingerprint(self) -> Fingerprint:
        """See :class:`retrieval.encoders.base.MediaEncoder`."""
        of = self._images.fingerprint
        how = "mean and deviation over frames" if self._spread else "mean over frames"
        width = of.width * (2 if self._spread else 1)
        return Fingerprint(f"pooled {of.name}", of.revision, f"{how}; {of.preprocessing}", width)

    def encode(self, items: Sequence[Sequence[Picture]]) -> Vectors:
        """``float32 [n, width]``, unit rows; a film of one frame has no spread. Raises BadItem for one of none."""
        check_films(items)
        width = self.fingerprint.width
        if not items:
            return np.zeros((0, width), dtype=np.float32)
        frames = self._images.encode([frame for item in items for frame in item])
        ends = np.cumsum([len(item) for item in items])
        rows = np.stack([self._pooled(own) for own in np.split(frames, ends[:-1])])
        # A mean of unit vectors that cancel out has no direction, which frames of one film do not bring about.
        return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9), dtype=np.float32)

    def _pooled(self, frames: Vectors) -> Vectors:
        mean = frames.mean(axis=0)
        return np.concatenate([mean, frames.std(axis=0)]) if self._spread else np.asarray(mean)
