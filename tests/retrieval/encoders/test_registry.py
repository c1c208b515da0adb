"""Encoders by name: what there is, what there is not, and what a missing extra says."""

import importlib
from typing import Any

import pytest

from retrieval.encoder import WordLlamaEncoder
from retrieval.encoders.registry import encoder_for, specs, text_encoder_for
from retrieval.errors import EncoderUnavailable, UnknownEncoder

EMBEDDED: list[tuple[Any, str]] = [
    ("image", "classical"), ("video", "classical"), ("audio", "classical"),
    ("image", "colour-histogram"), ("video", "colour-histogram"),
]  # fmt: skip


@pytest.mark.parametrize(("modality", "spec"), EMBEDDED)
def test_an_encoder_knows_its_name_and_modality(modality: Any, spec: str) -> None:
    encoder = encoder_for(modality, spec)
    assert (encoder.modality, encoder.spec) == (modality, spec)
    assert encoder_for(modality, encoder.spec).fingerprint == encoder.fingerprint


def test_no_two_encoders_have_one_fingerprint() -> None:
    assert len({encoder_for(*each).fingerprint for each in EMBEDDED}) == len(EMBEDDED)


@pytest.mark.parametrize(
    ("modality", "spec"),
    [("image", "clasical"), ("audio", "colour-histogram"), ("audio", "clip:x"), ("image", "clip:"), ("image", "")],
)
def test_a_name_that_nothing_has_is_told_with_those_that_are(modality: Any, spec: str) -> None:
    with pytest.raises(UnknownEncoder) as caught:
        encoder_for(modality, spec)
    assert all(each in str(caught.value) for each in specs(modality))


@pytest.mark.parametrize("missing", ["torch", "transformers"])
@pytest.mark.parametrize(
    ("modality", "kind"), [("image", "clip"), ("video", "clip"), ("video", "video"), ("audio", "clap")]
)
def test_without_the_extra_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, missing: str, modality: Any, kind: str
) -> None:
    def without(name: str) -> Any:
        if name == missing:
            raise ImportError(f"No module named {name!r}")
        return importlib.__import__(name)

    monkeypatch.setattr("retrieval.encoders.loading.importlib.import_module", without)
    with pytest.raises(EncoderUnavailable, match=r"pip install 'scoutfly\[models\]'"):
        encoder_for(modality, f"{kind}:some/model")


def test_texts() -> None:
    assert isinstance(text_encoder_for(), WordLlamaEncoder)
    for spec in ("classical", "sentence:", ""):
        with pytest.raises(UnknownEncoder, match="sentence:PATH_OR_ID"):
            text_encoder_for(spec)
