"""
Encoders of the models extra: CLIP and SigLIP, video models, CLAP and sentence encoders, through transformers.

Each takes the id or the folder of a model. What a model was trained to be given (size, mean, padding of texts) comes
from the processor that is saved beside it. Where a processor would choose at random, as CLAP's does which ten seconds
of a longer sound it takes, the choice is made here, so that the same bytes always give the same vector.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from kg.media.items import Modality, Picture, Sound
from retrieval.encoders.base import Fingerprint, Vectors
from retrieval.encoders.inputs import check_films, check_pictures, samples_at
from retrieval.encoders.loading import LoadedModel, library, load_model, pooled_output, units
from retrieval.encoders.pooling import PooledVideoEncoder
from retrieval.errors import EncoderUnavailable

_PIECES = 6
"""Windows of a sound that CLAP listens to: a minute of ten-second ones."""


class ClipImageEncoder:
    """CLIP, SigLIP and their like: pictures and texts in one space."""

    modality: Modality = "image"

    def __init__(self, name: str, *, batch: int = 32, download: bool = False) -> None:
        self.spec, self._batch = f"clip:{name}", batch
        self._loaded = load_model(
            name,
            processors=("AutoImageProcessor", "AutoTokenizer"),
            needs=("get_image_features", "get_text_features"),
            download=download,
        )
        config = self._loaded.model.config
        # SigLIP has no projection: its two towers end at one width.
        self._width = int(getattr(config, "projection_dim", None) or config.vision_config.hidden_size)
        self.fingerprint = _fingerprint(self._loaded, "pictures by the model's processor", self._width)

    def encode(self, items: Sequence[Picture]) -> Vectors:
        """``float32 [n, width]``, unit rows. Raises BadItem and EncoderUnavailable."""
        check_pictures(items)
        return _in_batches(items, self._some, self._batch, self._width)

    def encode_texts(self, texts: Sequence[str]) -> Vectors:
        """See :class:`retrieval.encoders.base.JointEncoder`; texts longer than the model takes are cut off."""
        return _in_batches(texts, self._some_texts, self._batch, self._width)

    def _some(self, items: Sequence[Picture]) -> Vectors:
        inputs = self._loaded.processors[0](images=[Image.fromarray(item) for item in items], return_tensors="pt")
        return self._run(self._loaded.model.get_image_features, inputs)

    def _some_texts(self, texts: Sequence[str]) -> Vectors:
        text_config = self._loaded.model.config.text_config
        # SigLIP was trained on texts padded to its full length, and never masks.
        padding = "max_length" if self._loaded.model.config.model_type.startswith("siglip") else True
        longest = text_config.max_position_embeddings
        inputs = self._loaded.processors[1](
            list(texts), padding=padding, truncation=True, max_length=longest, return_tensors="pt"
        )
        return self._run(self._loaded.model.get_text_features, _taken(inputs, "input_ids", "attention_mask"))

    def _run(self, features: Callable[..., Any], inputs: Any) -> Vectors:
        found = self._loaded.run(lambda **given: pooled_output(features(**given)), inputs)
        return units(found, self._loaded.name)


class PooledClipEncoder(PooledVideoEncoder):
    """Films as the mean of their frames' CLIP or SigLIP vectors, in one space with texts."""

    def __init__(self, images: ClipImageEncoder) -> None:
        super().__init__(images, spread=False)
        self._joint = images

    def encode_texts(self, texts: Sequence[str]) -> Vectors:
        """See :class:`retrieval.encoders.base.JointEncoder`."""
        return self._joint.encode_texts(texts)


class VideoModelEncoder:
    """A model of films (VideoMAE, ViViT, TimeSformer): the mean of its states over what it saw."""

    modality: Modality = "video"

    def __init__(self, name: str, *, batch: int = 4, download: bool = False) -> None:
        self.spec, self._batch = f"video:{name}", batch
        self._loaded = load_model(name, processors=("AutoImageProcessor",), needs=(), download=download)
        config = self._loaded.model.config
        frames = getattr(config, "num_frames", None)
        if not isinstance(frames, int) or self._loaded.model.main_input_name != "pixel_values":
            raise EncoderUnavailable(f"{name} is a {config.model_type} model, which is not one of films")
        self._frames, self._width = frames, int(config.hidden_size)
        self.fingerprint = _fingerprint(self._loaded, f"{frames} frames, spread evenly; mean of states", self._width)

    def encode(self, items: Sequence[Sequence[Picture]]) -> Vectors:
        """``float32 [n, width]``, unit rows; of fewer frames than the model takes some are shown more than once."""
        check_films(items)
        return _in_batches(items, self._some, self._batch, self._width)

    def _some(self, items: Sequence[Sequence[Picture]]) -> Vectors:
        torch = library("torch")
        # One film at a time through the processor: not every one of them takes nested lists.
        films = [self._loaded.processors[0](images=self._shown(item), return_tensors="pt") for item in items]
        pixels = torch.stack([film["pixel_values"].reshape(-1, *film["pixel_values"].shape[-3:]) for film in films])
        found = self._loaded.run(
            lambda **given: self._loaded.model(**given).last_hidden_state.mean(dim=1), {"pixel_values": pixels}
        )
        return units(found, self._loaded.name)

    def _shown(self, frames: Sequence[Picture]) -> list[Image.Image]:
        places = np.linspace(0, len(frames) - 1, self._frames).round().astype(int)
        return [Image.fromarray(frames[place]) for place in places]


class ClapAudioEncoder:
    """CLAP: sounds and texts in one space; of a long sound the mean over its windows, a minute at most."""

    modality: Modality = "audio"

    def __init__(self, name: str, *, batch: int = 16, download: bool = False) -> None:
        self.spec, self._batch = f"clap:{name}", batch
        self._loaded = load_model(
            name,
            processors=("AutoFeatureExtractor", "AutoTokenizer"),
            needs=("get_audio_features", "get_text_features"),
            download=download,
        )
        extractor = self._loaded.processors[0]
        self.rate = int(extractor.sampling_rate)
        self._window = int(extractor.nb_max_samples)
        self._width = int(self._loaded.model.config.projection_dim)
        how = f"{self.rate} Hz mono, mean over at most {_PIECES} windows of {self._window / self.rate:g} s"
        self.fingerprint = _fingerprint(self._loaded, how, self._width)

    def encode(self, items: Sequence[Sound]) -> Vectors:
        """``float32 [n, width]``, unit rows; sounds of other rates than ``rate`` are brought to it."""
        return _in_batches(samples_at(items, self.rate), self._some, self._batch, self._width)

    def encode_texts(self, texts: Sequence[str]) -> Vectors:
        """See :class:`retrieval.encoders.base.JointEncoder`."""
        return _in_batches(texts, self._some_texts, self._batch, self._width)

    def _some(self, items: Sequence[NDArray[np.float32]]) -> Vectors:
        pieces = [_windows(item, self._window) for item in items]
        flat = [piece for own in pieces for piece in own]
        rows = np.concatenate([self._listen(flat[at : at + self._batch]) for at in range(0, len(flat), self._batch)])
        ends = np.cumsum([len(own) for own in pieces])[:-1]
        return units(np.stack([own.mean(axis=0) for own in np.split(rows, ends)]), self._loaded.name)

    def _listen(self, pieces: Sequence[NDArray[np.float32]]) -> Vectors:
        inputs = self._loaded.processors[0](list(pieces), sampling_rate=self.rate, return_tensors="pt")
        # No window is longer than the model's; the extractor of a fusing model would call one of them so at random.
        inputs["is_longer"] = library("torch").zeros((len(pieces), 1), dtype=library("torch").bool)
        return self._run(self._loaded.model.get_audio_features, inputs)

    def _some_texts(self, texts: Sequence[str]) -> Vectors:
        # RoBERTa counts places from two on.
        longest = self._loaded.model.config.text_config.max_position_embeddings - 2
        inputs = self._loaded.processors[1](
            list(texts), padding=True, truncation=True, max_length=longest, return_tensors="pt"
        )
        return self._run(self._loaded.model.get_text_features, _taken(inputs, "input_ids", "attention_mask"))

    def _run(self, features: Callable[..., Any], inputs: Any) -> Vectors:
        found = self._loaded.run(lambda **given: pooled_output(features(**given)), inputs)
        return units(found, self._loaded.name)


class SentenceEncoder:
    """A sentence encoder: the mean of a text's token states. See :class:`retrieval.encoder.TextEncoder`."""

    def __init__(self, name: str, *, batch: int = 64, download: bool = False) -> None:
        self.spec, self._batch = f"sentence:{name}", batch
        self._loaded = load_model(name, processors=("AutoTokenizer",), needs=(), download=download)
        config = self._loaded.model.config
        if self._loaded.model.main_input_name != "input_ids" or not hasattr(config, "hidden_size"):
            raise EncoderUnavailable(f"{name} is a {config.model_type} model, which is not one of texts")
        self._width = int(config.hidden_size)
        self.fingerprint = str(_fingerprint(self._loaded, "mean of token states", self._width))

    def encode(self, texts: Sequence[str]) -> Vectors:
        """``float32 [n, width]``, unit rows; the row of a blank text is zero, so that it is like nothing."""
        spoken = np.array([bool(text.strip()) for text in texts], dtype=np.bool_)
        vectors = _in_batches([text.strip() or "." for text in texts], self._some, self._batch, self._width)
        return np.where(spoken[:, None], vectors, np.float32(0)).astype(np.float32)

    def _some(self, texts: Sequence[str]) -> Vectors:
        longest = getattr(self._loaded.model.config, "max_position_embeddings", 512)
        tokenizer = self._loaded.processors[0]
        inputs = tokenizer(
            list(texts),
            padding=True,
            truncation=True,
            max_length=min(longest, tokenizer.model_max_length, 512),
            return_tensors="pt",
        )

        def mean_state(**given: Any) -> Any:
            seen = given["attention_mask"].unsqueeze(-1)
            return (self._loaded.model(**given).last_hidden_state * seen).sum(dim=1) / seen.sum(dim=1).clamp(min=1)

        return units(self._loaded.run(mean_state, inputs), self._loaded.name)


def _fingerprint(loaded: LoadedModel, preprocessing: str, width: int) -> Fingerprint:
    return Fingerprint(loaded.name, loaded.revision, preprocessing, width)


def _in_batches(items: Sequence[Any], encode: Callable[[Sequence[Any]], Vectors], batch: int, width: int) -> Vectors:
    rows = [encode(items[at : at + batch]) for at in range(0, len(items), batch)]
    return np.concatenate([np.zeros((0, width), dtype=np.float32), *rows])


def _taken(inputs: Any, *names: str) -> dict[str, Any]:
    return {name: inputs[name] for name in names if name in inputs}


def _windows(samples: NDArray[np.float32], window: int) -> list[NDArray[np.float32]]:
    """The sound in windows, the last of which ends where it does; never none, and _PIECES at most."""
    if len(samples) <= window:
        return [samples]
    count = min(_PIECES, -(-len(samples) // window))
    end = min(len(samples), count * window)
    return [samples[start : start + window] for start in np.linspace(0, end - window, count).astype(int)]
