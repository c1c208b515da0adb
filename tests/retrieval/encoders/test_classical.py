"""Encoders without a model: what an altered picture or sound stays near to, and what has nothing in it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from kg.media.items import Picture, Sound
from retrieval.encoders.base import Vectors
from retrieval.encoders.classical import (
    RATE,
    ClassicalAudioEncoder,
    ClassicalImageEncoder,
    ClassicalVideoEncoder,
    ColourHistogramEncoder,
)
from retrieval.errors import BadItem

COLOURS = ["#b03030", "#3050b0", "#309040", "#c0a020", "#803090", "#202020"]


def figure(number: int) -> Picture:
    """A many-cornered figure of two colours on white, another one for each number."""
    rng = np.random.default_rng(number)
    image = Image.new("RGB", (72, 72), "white")
    draw = ImageDraw.Draw(image)
    corners = [tuple(map(int, corner)) for corner in rng.integers(12, 60, (5, 2))]
    draw.polygon(corners, fill=COLOURS[number % 6])
    draw.ellipse([20, 20, 32, 36], fill=COLOURS[(number // 6 + 1 + number) % 6])
    return np.asarray(image)


def mirrored(picture: Picture) -> Picture:
    return np.ascontiguousarray(picture[:, ::-1])


def rescaled(picture: Picture) -> Picture:
    return np.asarray(Image.fromarray(picture).resize((50, 50), Image.Resampling.BILINEAR))


def recoloured(picture: Picture) -> Picture:
    colours = np.array(Image.fromarray(picture).convert("HSV"))
    colours[..., 0] += 12  # of 256; the byte goes round as the hue does
    return np.asarray(Image.fromarray(colours, "HSV").convert("RGB"))


def noised(picture: Picture) -> Picture:
    return (picture + np.random.default_rng(0).normal(0, 10, picture.shape)).clip(0, 255).astype(np.uint8)


def framed(picture: Picture) -> Picture:
    return np.pad(picture, ((30, 4), (0, 50), (0, 0)), constant_values=255)


def first_found(queries: Vectors, vectors: Vectors) -> list[int]:
    return [int(place) for place in (queries @ vectors.T).argmax(axis=1)]


@pytest.mark.parametrize("altered", [mirrored, rescaled, noised, framed])
def test_an_altered_picture_finds_the_one_it_was_made_from(altered: Callable[[Picture], Picture]) -> None:
    encoder, pictures = ClassicalImageEncoder(), [figure(number) for number in range(30)]
    found = first_found(encoder.encode([altered(each) for each in pictures]), encoder.encode(pictures))
    assert sum(place == number for number, place in enumerate(found)) >= 28


def test_a_small_shift_of_hue_matters_less_than_to_counted_colours() -> None:
    pictures = [figure(number) for number in range(30)]

    def right(encoder: Any) -> int:
        found = first_found(encoder.encode([recoloured(each) for each in pictures]), encoder.encode(pictures))
        return sum(place == number for number, place in enumerate(found))

    assert right(ClassicalImageEncoder()) >= 26
    assert right(ClassicalImageEncoder()) > right(ColourHistogramEncoder())


def test_a_mirror_image_has_nearly_the_same_vector() -> None:
    encoder = ClassicalImageEncoder()
    one, other = encoder.encode([figure(3)]), encoder.encode([mirrored(figure(3))])
    assert np.linalg.norm(one - other) < 0.15


@pytest.mark.parametrize("encoder", [ClassicalImageEncoder(), ColourHistogramEncoder()], ids=lambda each: each.spec)
def test_rows_are_finite_unit_vectors_the_same_alone_and_in_company(encoder: Any) -> None:
    odd = [np.full((height, width, 3), 255, np.uint8) for height, width in [(1, 1), (1, 400), (300, 2), (40, 40)]]
    pictures = [figure(1), np.zeros((9, 9, 3), np.uint8), noised(odd[3]), *odd]
    vectors = encoder.encode(pictures)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(pictures), encoder.fingerprint.width)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert np.array_equal(vectors, np.concatenate([encoder.encode([each]) for each in pictures]))
    assert encoder.encode([]).shape == (0, encoder.fingerprint.width)


@pytest.mark.parametrize(
    "bad", [np.zeros((0, 4, 3), np.uint8), np.zeros((4, 4), np.uint8), np.zeros((4, 4, 3), np.float32)]
)
def test_what_is_no_picture_is_told_with_its_place(bad: Any) -> None:
    for encoder in (ClassicalImageEncoder(), ColourHistogramEncoder()):
        with pytest.raises(BadItem, match="picture 1 "):
            encoder.encode([figure(0), bad])
    with pytest.raises(BadItem, match="film 2: picture 0 "):
        ClassicalVideoEncoder().encode([[figure(0)], [figure(1)], [bad]])


def test_films_are_the_course_of_their_frames() -> None:
    encoder = ClassicalVideoEncoder()
    films = [[figure(number), figure(number + 1)] for number in range(0, 12, 2)]
    vectors = encoder.encode([*films, films[0][:1]])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert first_found(encoder.encode([film[::-1] for film in films]), vectors[:6]) == [0, 1, 2, 3, 4, 5]
    half = encoder.fingerprint.width // 2
    assert not vectors[6, half:].any()
    assert encoder.encode([]).shape == (0, 2 * half)
    with pytest.raises(BadItem, match="film 1 has no frames"):
        encoder.encode([films[0], []])


def tone(pitch: float, *, overtone: float = 2.0, rate: int = RATE) -> Sound:
    time = np.arange(rate) / rate
    wave = np.sin(2 * np.pi * pitch * time) + 0.5 * np.sin(2 * np.pi * pitch * overtone * time)
    return Sound((0.3 * wave * np.exp(-3 * time)).astype(np.float32), rate)


TONES = [tone(pitch, overtone=overtone) for pitch in (150, 300, 600, 1200) for overtone in (2.0, 3.5)]


def quieter(sound: Sound) -> Sound:
    return Sound(sound.samples * np.float32(0.2), sound.rate)


def late(sound: Sound) -> Sound:
    return Sound(np.pad(sound.samples, (RATE // 2, RATE // 3)), sound.rate)


def hissing(sound: Sound) -> Sound:
    hiss = np.random.default_rng(0).normal(0, 0.002, sound.samples.shape)
    return Sound((sound.samples + hiss).astype(np.float32), sound.rate)


@pytest.mark.parametrize("altered", [quieter, late, hissing])
def test_an_altered_sound_finds_the_one_it_was_made_from(altered: Callable[[Sound], Sound]) -> None:
    encoder = ClassicalAudioEncoder()
    assert first_found(encoder.encode([altered(each) for each in TONES]), encoder.encode(TONES)) == list(range(8))


def test_a_sound_of_another_rate_finds_itself() -> None:
    encoder = ClassicalAudioEncoder()
    others = [tone(pitch, overtone=overtone, rate=44_100) for pitch in (150, 300, 600, 1200) for overtone in (2.0, 3.5)]
    assert first_found(encoder.encode(others), encoder.encode(TONES)) == list(range(8))


def test_silence_and_a_click_have_vectors() -> None:
    encoder = ClassicalAudioEncoder()
    silences = [Sound(np.zeros(length, np.float32), RATE) for length in (1, 5000, 50_000)]
    click = Sound(np.array([1.0], np.float32), RATE)
    vectors = encoder.encode([*silences, click, TONES[0]])
    assert np.isfinite(vectors).all()
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert first_found(vectors[:1], vectors[1:]) in ([0], [1])
    assert np.array_equal(vectors[4:], encoder.encode([TONES[0]]))


@pytest.mark.parametrize(
    ("samples", "why"), [(np.zeros(0), "no samples"), (np.array([0.0, np.nan]), "no numbers"), (np.zeros((2, 2)), "no")]
)
def test_what_is_no_sound_is_told_with_its_place(samples: Any, why: str) -> None:
    with pytest.raises(BadItem, match=f"sound 1 .*{why}"):
        ClassicalAudioEncoder().encode([TONES[0], Sound(samples.astype(np.float32), RATE)])
