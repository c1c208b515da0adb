"""
Models of the hub's format, by id or by folder, on the device that is here; torch and transformers are imported late.

Nothing is downloaded unless it is asked for: an id is looked up in the local cache. What a model is for is known to the
encoders; here it is only read, put on its device, and told apart from others by the commit it came from or by the
digest of its weights.
"""

import hashlib
import importlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from retrieval.encoders.base import Vectors
from retrieval.errors import EncoderUnavailable

_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_PREPARED_BY = {"AutoImageProcessor": {"backend": "pil"}}
"""Pillow everywhere: torchvision rounds otherwise, and is not everywhere."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """
    A model in evaluation mode with what prepares its inputs.

    ``processors`` stand in the order in which they were asked for. On a GPU the model computes in bfloat16 (float16
    where the GPU has none), else in float32: vectors of both are compared with one another, so neither the device nor
    the number format is part of ``revision``, which is the hub's commit or the digest of the weights.
    """

    model: Any
    processors: tuple[Any, ...]
    name: str
    revision: str
    device: str
    dtype: str

    def run(self, compute: Callable[..., Any], inputs: Any) -> Vectors:
        """What ``compute`` makes of prepared inputs: ``float32 [n, d]``. Raises EncoderUnavailable out of memory."""
        torch = library("torch")
        try:
            with torch.inference_mode():
                found = compute(**{name: self._placed(value) for name, value in inputs.items()})
                return np.asarray(found.float().cpu().numpy(), dtype=np.float32)
        except torch.OutOfMemoryError as error:
            raise EncoderUnavailable(
                f"{self.name} needs more memory than {self.device} has: use a smaller batch"
            ) from error

    def _placed(self, value: Any) -> Any:
        floats = value.is_floating_point()
        return value.to(self.device, getattr(library("torch"), self.dtype)) if floats else value.to(self.device)


def library(name: str) -> ModuleType:
    """``torch`` or ``transformers``. Raises EncoderUnavailable where the extra is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise EncoderUnavailable(f"{name} is not here ({error}): pip install 'scoutfly[models]'") from error


def load_model(name: str, *, processors: Sequence[str], needs: Sequence[str], download: bool) -> LoadedModel:
    """
    The model ``name``, an id or a folder, with its ``processors`` (names of transformers' Auto classes).

    ``needs`` are methods that a model of the wanted kind has. Raises EncoderUnavailable.
    """
    transformers = library("transformers")
    device, dtype = _device()
    options = {"local_files_only": not download}
    try:
        model = transformers.AutoModel.from_pretrained(name, dtype=getattr(library("torch"), dtype), **options)
        found = tuple(
            getattr(transformers, each).from_pretrained(name, **options, **_PREPARED_BY.get(each, {}))
            for each in processors
        )
    except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
        raise EncoderUnavailable(_why_not(name, error, download=download)) from error
    lacking = [need for need in needs if not hasattr(model, need)]
    if lacking:
        raise EncoderUnavailable(f"{name} is a {model.config.model_type} model, which has no {', '.join(lacking)}")
    _log.info("%s on %s in %s", name, device, dtype)
    return LoadedModel(model.to(device).eval(), found, name, _revision(name, model), device, dtype)


def pooled_output(output: Any) -> Any:
    """The projected vectors of ``get_*_features``: a tensor before transformers 5, an output that holds it since."""
    return getattr(output, "pooler_output", output)


def units(vectors: Vectors, name: str) -> Vectors:
    """The rows, L2-normalised. Raises EncoderUnavailable where the model gave something that is no number."""
    if not np.isfinite(vectors).all():
        raise EncoderUnavailable(
            f"{name} gave values that are no numbers: its weights or its number format are at fault"
        )
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9), dtype=np.float32)


def _device() -> tuple[str, str]:
    torch = library("torch")
    if not torch.cuda.is_available():
        return "cpu", "float32"
    return "cuda", "bfloat16" if torch.cuda.is_bf16_supported(including_emulation=False) else "float16"


def _revision(name: str, model: Any) -> str:
    folder = Path(name)
    if not folder.is_dir():
        return str(getattr(model.config, "_commit_hash", None) or "unknown")
    digest = hashlib.sha256()
    for file in sorted(file for pattern in _WEIGHTS for file in folder.glob(pattern)):
        with file.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return f"sha256:{digest.hexdigest()[:16]}"


def _why_not(name: str, error: Exception, *, download: bool) -> str:
    said = " ".join(str(error).split())[:200]
    if Path(name).is_dir() or download:
        return f"{name} cannot be loaded: {said}"
    return f"{name} is neither a folder nor in the local cache of models; download it first, or ask for that ({said})"
