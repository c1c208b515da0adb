"""Media files that tests make: sound ones, and such that mean harm."""

import struct
import wave
import zlib
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from PIL import Image


def picture(path: Path, *, seed: int = 0, size: tuple[int, int] = (64, 48)) -> Path:
    """A picture of coloured blocks, as the name's suffix says."""
    blocks = np.random.default_rng(seed).integers(0, 255, (6, 8, 3), dtype=np.uint8)
    Image.fromarray(blocks).resize(size, Image.Resampling.NEAREST).save(path)
    return path


def tone(path: Path, *, hertz: float = 440.0, seconds: float = 1.0, rate: int = 16_000) -> Path:
    """A WAV file of one tone."""
    samples = (np.sin(2 * np.pi * hertz * np.arange(int(seconds * rate)) / rate) * 20_000).astype("<i2")
    with wave.open(str(path), "wb") as stream:
        stream.setnchannels(1)
        stream.setsampwidth(2)
        stream.setframerate(rate)
        stream.writeframes(samples.tobytes())
    return path


def film(path: Path, *, seconds: float = 2.0, rate: int = 10, sound: bool = False) -> Path:
    """A film in which the picture gets lighter, with a tone or without."""
    with av.open(str(path), "w") as container:
        video = container.add_stream("mpeg4", rate=rate)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        audio = container.add_stream("aac", rate=16_000) if sound else None
        for number in range(int(seconds * rate)):
            shade = np.full((48, 64, 3), 20 + number * 5, dtype=np.uint8)
            frame = av.VideoFrame.from_ndarray(shade, format="rgb24")
            container.mux(video.encode(frame))
        container.mux(video.encode(None))
        if audio is not None:
            samples = np.sin(2 * np.pi * 440 * np.arange(int(seconds * 16_000)) / 16_000).astype(np.float32)
            for start in range(0, len(samples) - 1024, 1024):
                piece = av.AudioFrame.from_ndarray(samples[None, start : start + 1024], format="fltp", layout="mono")
                piece.sample_rate, piece.pts, piece.time_base = 16_000, start, Fraction(1, 16_000)
                container.mux(audio.encode(piece))
            container.mux(audio.encode(None))
    return path


def png_that_says(path: Path, width: int, height: int, *, rows: int = 0) -> Path:
    """A PNG whose head states a size; ``rows`` of zeros are in it, packed a thousand to one."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    body = zlib.compress(bytes((width + 1) * rows), 9) if rows else zlib.compress(b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b""))
    return path


def wav_that_says(path: Path, size: int) -> Path:
    """A WAV whose head states so many bytes of samples, of which there are 32."""
    head = (
        b"RIFF"
        + struct.pack("<I", min(size + 36, 0xFFFFFFFF))
        + b"WAVEfmt "
        + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
    )
    path.write_bytes(head + b"data" + struct.pack("<I", min(size, 0xFFFFFFFF)) + bytes(range(100, 132)))
    return path
