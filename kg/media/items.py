"""What a media item is to those who look at it: its IRI, its modality and its file on this machine."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pyoxigraph as ox
from numpy.typing import NDArray

Modality = Literal["image", "video", "audio"]
"""A video may be a film or an image sequence: keyframes in their order."""
Picture = NDArray[np.uint8]
"""``[height, width, 3]``, RGB; what was transparent is white."""


@dataclass(frozen=True, slots=True)
class Sound:
    """Mono samples, ``float32 [n]`` between -1 and 1, and how many there are in a second."""

    samples: NDArray[np.float32]
    rate: int


@dataclass(frozen=True, slots=True)
class MediaItem:
    """
    One media item whose bytes are here.

    ``files`` is its one file; of an image sequence the files of its keyframes in their order. ``sha256`` is that of the
    file; of a sequence that of its keyframes' digests, one a line.
    """

    iri: ox.NamedNode
    modality: Modality
    files: tuple[Path, ...]
    sha256: str
    media_type: str
