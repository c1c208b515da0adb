"""Encoders by the name that settings, indexes and commands call them: ``classical``, ``clip:PATH_OR_ID``, …"""

from collections.abc import Callable
from typing import Any

from kg.media.items import Modality
from retrieval.encoder import TextEncoder, WordLlamaEncoder
from retrieval.encoders.base import MediaEncoder
from retrieval.encoders.classical import (
    ClassicalAudioEncoder,
    ClassicalImageEncoder,
    ClassicalVideoEncoder,
    ColourHistogramEncoder,
)
from retrieval.encoders.pooling import PooledVideoEncoder
from retrieval.encoders.transformers_encoders import (
    ClapAudioEncoder,
    ClipImageEncoder,
    PooledClipEncoder,
    SentenceEncoder,
    VideoModelEncoder,
)
from retrieval.errors import UnknownEncoder

DEFAULT_SPEC = "classical"
DEFAULT_TEXT_SPEC = "wordllama"
_EMBEDDED: dict[tuple[str, str], Callable[[], MediaEncoder[Any]]] = {
    ("image", "classical"): ClassicalImageEncoder,
    ("video", "classical"): ClassicalVideoEncoder,
    ("audio", "classical"): ClassicalAudioEncoder,
    ("image", "colour-histogram"): ColourHistogramEncoder,
    ("video", "colour-histogram"): lambda: PooledVideoEncoder(ColourHistogramEncoder()),
}
_MODELS: dict[tuple[str, str], Callable[[str, bool], MediaEncoder[Any]]] = {
    ("image", "clip"): lambda name, download: ClipImageEncoder(name, download=download),
    ("video", "clip"): lambda name, download: PooledClipEncoder(ClipImageEncoder(name, download=download)),
    ("video", "video"): lambda name, download: VideoModelEncoder(name, download=download),
    ("audio", "clap"): lambda name, download: ClapAudioEncoder(name, download=download),
}


def encoder_for(modality: Modality, spec: str = DEFAULT_SPEC, *, download: bool = False) -> MediaEncoder[Any]:
    """
    The encoder ``spec`` of a modality; see :func:`specs`. ``clip:`` encodes films, too, frame by frame.

    Raises UnknownEncoder, and EncoderUnavailable where its model is not here; ``download`` lets that be fetched.
    """
    embedded = _EMBEDDED.get((modality, spec))
    if embedded:
        return embedded()
    kind, _, name = spec.partition(":")
    model = _MODELS.get((modality, kind))
    if not model or not name:
        raise UnknownEncoder(f"no encoder of {modality} is called {spec!r}: there are {', '.join(specs(modality))}")
    return model(name, download)


def text_encoder_for(spec: str = DEFAULT_TEXT_SPEC, *, download: bool = False) -> TextEncoder:
    """``wordllama``, the packaged one, or ``sentence:PATH_OR_ID``. Raises UnknownEncoder and EncoderUnavailable."""
    kind, _, name = spec.partition(":")
    if spec == DEFAULT_TEXT_SPEC:
        return WordLlamaEncoder()
    if kind == "sentence" and name:
        return SentenceEncoder(name, download=download)
    raise UnknownEncoder(f"no encoder of texts is called {spec!r}: there are {DEFAULT_TEXT_SPEC}, sentence:PATH_OR_ID")


def specs(modality: Modality) -> list[str]:
    """
    What encoders of a modality may be called.

    >>> specs("audio")
    ['classical', 'clap:PATH_OR_ID']
    """
    embedded = [spec for of, spec in _EMBEDDED if of == modality]
    return embedded + [f"{kind}:PATH_OR_ID" for of, kind in _MODELS if of == modality]
