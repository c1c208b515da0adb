"""The sound of a film as a file of its own."""

import wave
from pathlib import Path

from kg.media.decoding import read_sound

RATE = 48_000
LONGEST_S = 600.0


def write_sound_track(film: Path, target: Path) -> None:
    """Write the first ten minutes of a film's sound as a WAV file, mono, 16 bits. Raises BadMedia without sound."""
    sound = read_sound(film, rate=RATE, most_s=LONGEST_S)
    with wave.open(str(target), "wb") as stream:
        stream.setnchannels(1)
        stream.setsampwidth(2)
        stream.setframerate(RATE)
        stream.writeframes((sound.samples * 32767).astype("<i2").tobytes())
