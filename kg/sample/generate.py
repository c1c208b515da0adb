"""Makes the sample's own media: sounds of instruments by synthesis, and drawings of them.

``python -m kg.sample.generate FOLDER`` writes them there. They are made from nothing but the numbers below, so nobody
else has a right in them. Sounds are 16-bit mono at 22,050 Hz; the plucked string follows Karplus and Strong (1983,
doi:10.2307/3680062), the bells and bars add decaying partials. It knows nothing of the graph.
"""

import sys
import wave
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

RATE = 22_050
SIZE = (480, 360)
Wave = NDArray[np.float64]
_PAPER, _INK, _BRASS, _WOOD, _RED, _STEEL = "#f6f1e4", "#2b2b33", "#d9a63a", "#a3683a", "#b8453a", "#9aa7b5"


def _time(seconds: float) -> Wave:
    return np.arange(int(seconds * RATE)) / RATE


def _partials(base: float, ratios: Sequence[float], *, seconds: float, decay: float) -> Wave:
    """Sine partials at multiples of ``base`` (Hz), the higher ones softer and sooner gone."""
    t = _time(seconds)
    return sum((np.sin(2 * np.pi * base * r * t) * np.exp(-decay * r**0.7 * t) / r for r in ratios), np.zeros_like(t))


def _noise(seconds: float, seed: int) -> Wave:
    return np.random.default_rng(seed).uniform(-1, 1, int(seconds * RATE))


def _bell() -> Wave:
    return _partials(660, (0.5, 1, 1.2, 1.5, 2, 2.7, 4.1), seconds=2.2, decay=2.0)


def _gong() -> Wave:
    t = _time(2.8)
    made: Wave = _partials(110, (1, 1.48, 2.11, 2.74, 3.6, 4.9), seconds=2.8, decay=1.1) * (1 - np.exp(-14 * t))
    return made


def _xylophone() -> Wave:
    tones = [_partials(pitch, (1, 3, 6.2), seconds=0.4, decay=9) for pitch in (523, 659, 784, 1047)]
    return np.concatenate(tones)


def _drum_hard() -> Wave:
    t = _time(0.9)
    skin = np.sin(2 * np.pi * (70 * t + 5 * (1 - np.exp(-18 * t)))) * np.exp(-5 * t)
    made: Wave = skin + 0.5 * _noise(0.9, 1) * np.exp(-45 * t)
    return made


def _drum_soft() -> Wave:
    t = _time(0.9)
    made: Wave = 0.35 * np.sin(2 * np.pi * 78 * t) * np.exp(-7 * t) * (1 - np.exp(-90 * t))
    return made


def _monochord() -> Wave:
    line = _noise(1 / 147, 2)
    out = np.empty(int(1.8 * RATE))
    for index in range(out.size):
        place = index % line.size
        out[index] = line[place]
        line[place] = 0.498 * (line[place] + line[(place + 1) % line.size])
    return out


def _whistle() -> Wave:
    t = _time(1.1)
    trill = 2300 * t + 3 * np.sin(2 * np.pi * 28 * t)
    breath = 0.06 * _noise(1.1, 3)
    made: Wave = (np.sin(2 * np.pi * trill) + breath) * np.minimum(1, np.minimum(t, 1.1 - t) * 30)
    return made


def _organ_pipe() -> Wave:
    t = _time(1.6)
    tone = sum((np.sin(2 * np.pi * 262 * k * t) / k**1.4 for k in range(1, 8)), np.zeros_like(t))
    made: Wave = tone * np.minimum(1, np.minimum(t, 1.6 - t) * 14)
    return made


def _maraca() -> Wave:
    t = _time(1.2)
    shakes = sum((np.exp(-60 * np.abs(t - at)) for at in (0.1, 0.35, 0.6, 0.85)), np.zeros_like(t))
    return np.diff(_noise(1.2, 4), prepend=0) * shakes


SOUNDS: dict[str, Callable[[], Wave]] = {
    "bell": _bell,
    "gong": _gong,
    "xylophone": _xylophone,
    "drum-hard": _drum_hard,
    "drum-soft": _drum_soft,
    "monochord": _monochord,
    "whistle": _whistle,
    "organ-pipe": _organ_pipe,
    "maraca": _maraca,
}


def _draw_bell(pen: ImageDraw.ImageDraw) -> None:
    pen.rectangle((226, 40, 254, 130), fill=_WOOD, outline=_INK, width=4)
    pen.polygon([(205, 130), (275, 130), (300, 240), (335, 280), (145, 280), (180, 240)], fill=_BRASS, outline=_INK)
    pen.ellipse((220, 270, 260, 310), fill=_STEEL, outline=_INK, width=4)


def _draw_gong(pen: ImageDraw.ImageDraw) -> None:
    pen.line([(90, 330), (90, 40), (390, 40), (390, 330)], fill=_WOOD, width=14)
    pen.line([(170, 40), (190, 110)], fill=_INK, width=4)
    pen.line([(310, 40), (290, 110)], fill=_INK, width=4)
    for radius, colour in ((105, _BRASS), (82, "#e4bb60"), (30, _BRASS)):
        pen.ellipse((240 - radius, 195 - radius, 240 + radius, 195 + radius), fill=colour, outline=_INK, width=3)


def _draw_xylophone(pen: ImageDraw.ImageDraw) -> None:
    pen.polygon([(50, 100), (430, 140), (430, 240), (50, 290)], fill=_WOOD, outline=_INK)
    for index, colour in enumerate((_RED, "#d9773a", _BRASS, "#6a9a4a", "#3f8fa0", "#4a62a8", "#7a4a98")):
        x, half = 70 + 50 * index, 120 - 9 * index
        pen.rounded_rectangle((x, 195 - half, x + 36, 195 + half), radius=8, fill=colour, outline=_INK, width=3)


def _draw_drum(pen: ImageDraw.ImageDraw) -> None:
    pen.rectangle((110, 130, 370, 280), fill=_RED, outline=_INK, width=4)
    pen.ellipse((110, 240, 370, 320), fill=_RED, outline=_INK, width=4)
    pen.rectangle((114, 240, 366, 280), fill=_RED)
    for x in range(110, 370, 52):
        pen.line([(x, 140), (x + 26, 296), (x + 52, 140)], fill=_PAPER, width=4)
    pen.ellipse((110, 90, 370, 170), fill="#efe3c8", outline=_INK, width=5)


def _draw_monochord(pen: ImageDraw.ImageDraw) -> None:
    pen.rounded_rectangle((40, 170, 440, 250), radius=10, fill=_WOOD, outline=_INK, width=4)
    pen.ellipse((220, 192, 260, 232), fill=_INK)
    for x in (80, 380):
        pen.polygon([(x, 170), (x + 20, 170), (x + 10, 140)], fill="#6d4422", outline=_INK)
    pen.line([(50, 165), (90, 140), (390, 140), (430, 165)], fill=_STEEL, width=4)


def _draw_whistle(pen: ImageDraw.ImageDraw) -> None:
    pen.ellipse((90, 120, 270, 300), fill=_STEEL, outline=_INK, width=4)
    pen.rectangle((180, 120, 410, 190), fill=_STEEL, outline=_INK, width=4)
    pen.rectangle((182, 124, 262, 186), fill=_STEEL)
    pen.polygon([(235, 118), (290, 118), (250, 160)], fill=_INK)
    pen.ellipse((155, 190, 205, 240), fill=_WOOD, outline=_INK, width=3)


def _draw_organ_pipe(pen: ImageDraw.ImageDraw) -> None:
    pen.rectangle((200, 30, 280, 250), fill=_STEEL, outline=_INK, width=4)
    pen.polygon([(200, 250), (280, 250), (250, 340), (230, 340)], fill=_STEEL, outline=_INK)
    pen.polygon([(212, 232), (268, 232), (240, 180)], fill="#c4ced8", outline=_INK)
    pen.rectangle((210, 236, 270, 248), fill=_INK)


def _draw_maraca(pen: ImageDraw.ImageDraw) -> None:
    pen.line([(250, 200), (340, 320)], fill=_WOOD, width=24)
    pen.ellipse((120, 40, 300, 230), fill=_BRASS, outline=_INK, width=4)
    pen.arc((125, 80, 295, 220), 20, 160, fill=_RED, width=10)
    pen.arc((125, 20, 295, 170), 20, 160, fill=_RED, width=10)


DRAWINGS: dict[str, Callable[[ImageDraw.ImageDraw], None]] = {
    "bell": _draw_bell,
    "gong": _draw_gong,
    "xylophone": _draw_xylophone,
    "drum": _draw_drum,
    "monochord": _draw_monochord,
    "whistle": _draw_whistle,
    "organ-pipe": _draw_organ_pipe,
    "maraca": _draw_maraca,
}


def write_sound(path: Path, sound: Wave) -> None:
    """Write the sound as WAV; all but the soft ones reach nine tenths of full scale."""
    loudest = max(float(np.abs(sound).max()), 0.5)
    with wave.open(str(path), "wb") as stream:
        stream.setnchannels(1)
        stream.setsampwidth(2)
        stream.setframerate(RATE)
        stream.writeframes((sound / loudest * 0.9 * 32767).astype("<i2").tobytes())


def write_drawing(path: Path, draw: Callable[[ImageDraw.ImageDraw], None]) -> None:
    """Write the drawing as lossless WebP of 480 by 360 pixels."""
    picture = Image.new("RGB", SIZE, _PAPER)
    draw(ImageDraw.Draw(picture))
    picture.save(path, lossless=True)


def generate(folder: Path) -> list[Path]:
    """Write all sounds and drawings into ``folder``; returns their paths."""
    written = []
    for name, make in SOUNDS.items():
        written.append(folder / f"{name}.wav")
        write_sound(written[-1], make())
    for name, draw in DRAWINGS.items():
        written.append(folder / f"{name}.webp")
        write_drawing(written[-1], draw)
    return written


if __name__ == "__main__":
    generate(Path(sys.argv[1]))
