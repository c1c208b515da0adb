"""
Media files of strangers, read in a child process that can be killed: what breaks a decoder breaks the child alone.

The child may use so much memory and time; it answers with arrays, which are not unpickled. It opens the one file that
it is given. What it says of a file that cannot be read is one line.
"""

import io
import os
import resource
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kg.media.decoding import read_picture, read_sound, sample_frames
from kg.media.errors import BadMedia
from kg.media.items import Picture, Sound
from kg.media.probing import probe

SECONDS = 20.0
MEMORY_BYTES = 3 << 30
AT_ONCE = 2
"""Children that read at once; others wait for their turn, within their time."""
_MOST_BYTES = 1 << 30
"""Of what a child answers: a picture of all the pixels that are read has a seventh of it."""
_BAD = 3
"""Exit status of a child whose file cannot be read; the reason is on stderr."""
_ROOT = Path(__file__).resolve().parents[2]
_TURNS = threading.BoundedSemaphore(AT_ONCE)
_PROGRAM = "import sys; sys.path.append(sys.argv[1]); from kg.media.safely import main; main(*sys.argv[2:])"


@dataclass(frozen=True, slots=True)
class Decoded:
    """What a file holds: one picture, or the frames of a film, or a sound; a film may have a sound, too."""

    picture: Picture | None = None
    frames: tuple[Picture, ...] = ()
    sound: Sound | None = None


def decode(path: Path, *, rate: int) -> Decoded:
    """The content of a file, in this process; sounds at ``rate`` samples a second. Raises BadMedia."""
    seen = probe(path)
    return Decoded(
        picture=read_picture(path) if seen.modality == "image" else None,
        frames=tuple(sample_frames(path)) if seen.modality == "video" else (),
        sound=read_sound(path, rate=rate) if seen.has_audio else None,
    )


def decode_safely(path: Path, *, rate: int, seconds: float = SECONDS, memory_bytes: int = MEMORY_BYTES) -> Decoded:
    """The same in a child. Raises BadMedia, also where it took too long or too much memory."""
    if not _TURNS.acquire(timeout=seconds):
        raise BadMedia(f"{path.name} had to wait longer than {seconds:g} s to be read: try again later")
    try:
        return _answer_of_child(path, rate, seconds, memory_bytes)
    finally:
        _TURNS.release()


def _answer_of_child(path: Path, rate: int, seconds: float, memory_bytes: int) -> Decoded:
    command = [sys.executable, "-I", "-c", _PROGRAM, str(_ROOT), str(path), str(rate), str(memory_bytes)]
    try:
        # No secrets in its environment, and one thread: each would take its share of the memory.
        environment = {"LANG": "C.UTF-8", "PATH": os.defpath, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        ended = subprocess.run(  # noqa: S603  # our own program, and a path
            command, capture_output=True, timeout=seconds, check=False, env=environment
        )
    except subprocess.TimeoutExpired as error:
        raise BadMedia(f"{path.name} takes longer than {seconds:g} s to read") from error
    if ended.returncode == _BAD:
        raise BadMedia(ended.stderr.decode("utf-8", "replace").strip().splitlines()[-1])
    if ended.returncode != 0 or len(ended.stdout) > _MOST_BYTES:
        raise BadMedia(f"{path.name} cannot be read within {memory_bytes >> 20} MiB")
    with np.load(io.BytesIO(ended.stdout), allow_pickle=False) as arrays:
        frames = tuple(arrays[name] for name in sorted(arrays) if name.startswith("frame"))
        sound = Sound(arrays["sound"], rate) if "sound" in arrays else None
        return Decoded(arrays.get("picture"), frames, sound)


def main(path: str, rate: str, memory_bytes: str) -> None:
    """What the child does."""
    resource.setrlimit(resource.RLIMIT_AS, (int(memory_bytes),) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        found = decode(Path(path), rate=int(rate))
    except BadMedia as error:
        sys.stderr.write(f"\n{error}\n")
        sys.exit(_BAD)
    arrays = {f"frame{number:04}": frame for number, frame in enumerate(found.frames)}
    if found.picture is not None:
        arrays["picture"] = found.picture
    if found.sound is not None:
        arrays["sound"] = found.sound.samples  # type: ignore[assignment]  # arrays of any type are written alike
    if sum(array.nbytes for array in arrays.values()) > _MOST_BYTES:
        sys.stderr.write(f"\n{Path(path).name} holds more than can be looked at\n")
        sys.exit(_BAD)
    answer = io.BytesIO()
    np.savez(answer, **arrays)  # type: ignore[arg-type]
    sys.stdout.buffer.write(answer.getvalue())
