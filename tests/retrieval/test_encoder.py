"""The packaged text encoder: unit rows, the same every time, without a network."""

import socket

import numpy as np
import pytest

from retrieval import encoder as module
from retrieval.encoder import WordLlamaEncoder
from retrieval.errors import EncoderUnavailable, RetrievalError


@pytest.fixture(scope="module")
def encoder() -> WordLlamaEncoder:
    return WordLlamaEncoder()


def test_rows_are_unit_vectors_of_float32(encoder: WordLlamaEncoder) -> None:
    vectors = encoder.encode(["a kettle", "The kettle whistles when the water boils.", "日本語", "42"])
    assert vectors.shape == (4, 256)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("blank", ["", " ", "\n\t "])
def test_a_blank_text_is_like_nothing(encoder: WordLlamaEncoder, blank: str) -> None:
    vectors = encoder.encode([blank, "a kettle"])
    assert not vectors[0].any()
    assert np.linalg.norm(vectors[1]) == pytest.approx(1.0, abs=1e-5)


def test_no_texts_are_no_rows(encoder: WordLlamaEncoder) -> None:
    assert encoder.encode([]).shape == (0, 256)


def test_the_same_text_has_the_same_vector_alone_and_in_company(encoder: WordLlamaEncoder) -> None:
    alone = encoder.encode(["the lid is open"])[0]
    beside = encoder.encode(["one", "a much longer text that makes the batch wide", "the lid is open"])[2]
    assert np.array_equal(alone, WordLlamaEncoder().encode(["the lid is open"])[0])
    assert beside == pytest.approx(alone, abs=1e-6)


def test_like_is_nearer_than_unlike(encoder: WordLlamaEncoder) -> None:
    water, rain, tax = encoder.encode(["hot water runs out", "warm water is flowing", "the tax office sent a letter"])
    assert water @ rain > water @ tax


def test_it_needs_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no network here")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    module._load_wordllama.cache_clear()
    assert WordLlamaEncoder().encode(["a kettle"]).any()


def test_weights_that_cannot_be_read_say_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WEIGHTS", "weights/no-such-file")
    module._load_wordllama.cache_clear()
    with pytest.raises(EncoderUnavailable, match="pip install --force-reinstall wordllama"):
        WordLlamaEncoder()
    assert issubclass(EncoderUnavailable, RetrievalError)


def test_the_fingerprint_names_version_and_width(encoder: WordLlamaEncoder) -> None:
    name, version, *_, width = encoder.fingerprint.split()
    assert (name, width) == ("wordllama", "256")
    assert version[0].isdigit()
