"""
What each part of the classical descriptors gives: an altered frame or sound of a game's unit, put to all others.

    python -m benchmarks.classical_descriptors --units units.json --media DATA_FOLDER --half 1

One frame of each attack is altered and searched for among the frames of the units of one half, with every copy of that
frame left out; right is a nearest frame that belongs to the same unit. Choices were made on half 0 and are reported on
half 1. A sound is altered and searched for among all sounds as they are; right is the sound itself.
"""

import argparse
import hashlib
import json
import random
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import numpy as np
from PIL import Image

from kg.media.decoding import read_picture, read_sound
from kg.media.items import Picture, Sound
from retrieval.encoders import classical
from retrieval.encoders.base import Vectors
from retrieval.encoders.classical import RATE, ClassicalAudioEncoder, ClassicalImageEncoder, ColourHistogramEncoder

Encode = Callable[[list[Picture]], Vectors]
_SHAPE = classical._HOG_WIDTH


def mirrored(picture: Picture) -> Picture:
    return np.ascontiguousarray(picture[:, ::-1])


def rescaled(picture: Picture) -> Picture:
    height, width, _ = picture.shape
    size = (max(1, int(width * 0.7)), max(1, int(height * 0.7)))
    return np.asarray(Image.fromarray(picture).resize(size, Image.Resampling.BILINEAR))


def recoloured(picture: Picture) -> Picture:
    """Hue shifted by 28 degrees, a tenth darker."""
    colours = np.array(Image.fromarray(picture).convert("HSV"))
    colours[..., 0] += 20
    colours[..., 2] = (colours[..., 2] * 0.9).astype(np.uint8)
    return np.asarray(Image.fromarray(colours, "HSV").convert("RGB"))


def noised(picture: Picture) -> Picture:
    """Gaussian, standard deviation 12 of 255."""
    return (picture + np.random.default_rng(0).normal(0, 12, picture.shape)).clip(0, 255).astype(np.uint8)


ALTERED: dict[str, Callable[[Picture], Picture]] = {
    "as it is": lambda picture: picture,
    "mirrored": mirrored,
    "rescaled": rescaled,
    "recoloured": recoloured,
    "noised": noised,
    "all four": lambda picture: noised(recoloured(rescaled(mirrored(picture)))),
}


def quieter(sound: Sound) -> Sound:
    return Sound(sound.samples * np.float32(0.3), sound.rate)


def hissing(sound: Sound) -> Sound:
    """Noise 20 dB below the sound."""
    level = 0.1 * float(np.sqrt(np.mean(sound.samples**2)))
    hiss = np.random.default_rng(0).normal(0, level, sound.samples.shape)
    return Sound((sound.samples + hiss).astype(np.float32), sound.rate)


def cut(sound: Sound) -> Sound:
    """Its first two thirds."""
    return Sound(sound.samples[: max(1, len(sound.samples) * 2 // 3)], sound.rate)


def encoders() -> dict[str, Encode]:
    """Each by what is said of it in the table."""
    image = ClassicalImageEncoder()

    def whole(picture: Picture) -> tuple[Picture, np.ndarray]:
        return picture, np.ones(picture.shape[:2], dtype=np.bool_)

    def without_box(pictures: list[Picture]) -> Vectors:
        with mock.patch.object(classical, "_content", whole):
            return image.encode(pictures)

    return {
        "classical": image.encode,
        "shape alone": lambda pictures: _part(image.encode(pictures)[:, :_SHAPE]),
        "colours alone": lambda pictures: _part(image.encode(pictures)[:, _SHAPE:]),
        "without content box": without_box,
        "colour-histogram": ColourHistogramEncoder().encode,
    }


def pictures_table(units: list[dict], media: Path) -> None:  # type: ignore[type-arg]
    owners: dict[str, set[str]] = defaultdict(set)
    for unit in units:
        for frame in _frames(unit, media):
            owners[frame].add(unit["id"])
    paths = sorted(owners)
    chance = random.Random(0)
    asked = [
        (unit["id"], chance.choice(some))
        for unit in units
        for attack in unit["attacks"]
        if len(some := _frames({"attacks": [attack]}, media)) > 1
    ]
    pictures = {path: read_picture(media / path) for path in paths}
    sums = np.array([hashlib.sha256((media / path).read_bytes()).hexdigest() for path in paths])
    copies = np.stack([sums == sums[paths.index(path)] for _, path in asked])
    print(f"{len(paths)} frames, {len(asked)} queries; Recall@1 of the unit")
    print("| encoder | " + " | ".join(ALTERED) + " | pictures/s |")
    print("| --- |" + " ---: |" * (len(ALTERED) + 1))
    for name, encode in encoders().items():
        began = time.perf_counter()
        vectors = encode([pictures[path] for path in paths])
        speed = len(paths) / (time.perf_counter() - began)
        cells = []
        for altered in ALTERED.values():
            likeness = encode([altered(pictures[path]) for _, path in asked]) @ vectors.T
            nearest = np.where(copies, -2, likeness).argmax(axis=1)
            right = [unit in owners[paths[place]] for (unit, _), place in zip(asked, nearest, strict=True)]
            cells.append(f"{np.mean(right):.3f}")
        print(f"| {name} | " + " | ".join(cells) + f" | {speed:.0f} |", flush=True)


def sounds_table(units: list[dict], media: Path) -> None:  # type: ignore[type-arg]
    names = {name for unit in units for attack in unit["attacks"] for name in attack["sounds"]}
    files = {
        hashlib.sha256(file.read_bytes()).hexdigest(): file
        for name in sorted(names)
        if (file := media / name).is_file()
    }
    sounds = [read_sound(file, rate=RATE) for file in files.values()]
    encoder = ClassicalAudioEncoder()
    encoder.encode(sounds[:1])
    began = time.perf_counter()
    vectors = encoder.encode(sounds)
    speed = len(sounds) / (time.perf_counter() - began)
    print(f"{len(sounds)} sounds, {speed:.0f} a second; the sound itself is found first")
    for altered in (quieter, hissing, cut):
        found = (encoder.encode([altered(sound) for sound in sounds]) @ vectors.T).argmax(axis=1)
        print(f"{altered.__name__}: {np.mean(found == np.arange(len(sounds))):.3f}")


def _frames(unit: dict, media: Path) -> list[str]:  # type: ignore[type-arg]
    return [frame for attack in unit["attacks"] for frame in attack["frames"] if (media / frame).is_file()]


def _part(vectors: Vectors) -> Vectors:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--units", type=Path, required=True)
    parser.add_argument("--media", type=Path, required=True)
    parser.add_argument("--half", type=int, choices=(0, 1), default=1)
    options = parser.parse_args()
    units = json.loads(options.units.read_text(encoding="utf-8"))[options.half :: 2]
    pictures_table(units, options.media)
    sounds_table(units, options.media)


if __name__ == "__main__":
    main()
