"""Text encoders: texts in, unit vectors out.

The packaged one is WordLlama: 256-wide static token embeddings distilled from a large model's input layer, whose
weights ship inside its PyPI wheel (16 MB, MIT), so that nothing is downloaded. Why it and not a packaged MiniLM: ADR
0003.
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib import metadata, resources
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file
from wordllama import WordLlama
from wordllama.inference import WordLlamaInference

from retrieval.errors import EncoderUnavailable

Vectors = NDArray[np.float32]

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"


class TextEncoder(Protocol):
    """Turns texts into vectors that can be compared by their dot product."""

    @property
    def fingerprint(self) -> str:
        """Name, version and width: two encoders with one fingerprint give the same vectors."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """``float32 [n, d]``, rows L2-normalised; the row of a blank text is zero, so that it is like nothing."""


class WordLlamaEncoder:
    """The packaged encoder.

    Mean of token vectors; deterministic; about 20 µs a short text on one core.
    """

    def __init__(self) -> None:
        self._model = _load_wordllama()

    @property
    def fingerprint(self) -> str:
        """See :class:`TextEncoder`."""
        return f"wordllama {metadata.version('wordllama')} l2_supercat 256"

    def encode(self, texts: Sequence[str]) -> Vectors:
        """See :class:`TextEncoder`."""
        if not texts:
            return np.zeros((0, 256), dtype=np.float32)
        # A blank text has no token to average: the model would divide by zero.
        spoken = np.array([[bool(text.strip())] for text in texts])
        vectors = np.asarray(self._model.embed([text.strip() or "." for text in texts], norm=False), dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit = vectors / np.where(lengths > 0, lengths, 1.0)
        return np.where(spoken, unit, np.float32(0.0)).astype(np.float32)


@lru_cache(maxsize=1)
def _load_wordllama() -> WordLlamaInference:
    """The model from the files of the installed wheel.

    Not ``WordLlama.load()``: it looks for the tokenizer in another folder than the one that the wheel fills, and then
    asks the network for it.
    """
    root = Path(str(resources.files("wordllama")))
    try:
        weights = load_file(root / _WEIGHTS)["embedding.weight"]
        tokenizer = WordLlama.load_tokenizer(root / _TOKENIZER)
    except (OSError, KeyError) as error:
        raise EncoderUnavailable(
            f"the packaged text encoder cannot be read ({error}): "
            "reinstall it with pip install --force-reinstall wordllama"
        ) from error
    return WordLlamaInference(np.asarray(weights, dtype=np.float32), tokenizer)
