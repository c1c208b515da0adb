"""What an encoder of media is, and how two are told apart."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from kg.media.items import Modality

Vectors = NDArray[np.float32]
Medium_contra = TypeVar("Medium_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """
    What makes vectors comparable: two encoders with one fingerprint give the same vectors for the same bytes.

    ``name`` is "classical-image" or a model's id or path, ``revision`` the version of the code or the digest of the
    weights, ``preprocessing`` what is done to an item before, in a few words, ``width`` the length of a vector.
    """

    name: str
    revision: str
    preprocessing: str
    width: int

    def __str__(self) -> str:
        return f"{self.name} ({self.revision}, {self.preprocessing}, {self.width} wide)"


class MediaEncoder(Protocol[Medium_contra]):
    """
    Turns media of one modality into vectors that are compared by L2 distance.

    ``Medium_contra`` is kg.media.items.Picture for images, a sequence of pictures (frames in order) for videos,
    kg.media.items.Sound for audio.
    """

    spec: str
    """The name by which retrieval.encoders.registry makes it again."""

    @property
    def modality(self) -> Modality:
        """What it encodes."""

    @property
    def fingerprint(self) -> Fingerprint:
        """What makes its vectors comparable."""

    def encode(self, items: Sequence[Medium_contra]) -> Vectors:
        """``float32 [n, width]``, rows L2-normalised, finite. Raises retrieval.errors.RetrievalError."""


@runtime_checkable
class JointEncoder(Protocol):
    """An encoder whose space texts share with its media (CLIP, SigLIP, CLAP): the baseline of M3KG-RAG's Table 4."""

    def encode_texts(self, texts: Sequence[str]) -> Vectors:
        """``float32 [n, width]``, rows L2-normalised, comparable with those of the media."""
