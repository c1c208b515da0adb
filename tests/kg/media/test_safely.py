"""Strangers' files, read in a child: the same content, within time and memory, and no child is left."""

from pathlib import Path

import numpy as np
import pytest

from kg.media.errors import BadMedia
from kg.media.safely import decode, decode_safely
from tests.kg.media.stage import film, picture, tone


def test_a_child_reads_what_this_process_reads(tmp_path: Path) -> None:
    for path in (picture(tmp_path / "a.png"), film(tmp_path / "b.mp4", sound=True), tone(tmp_path / "c.wav")):
        here, there = decode(path, rate=16_000), decode_safely(path, rate=16_000)
        assert (here.picture is None) == (there.picture is None)
        if here.picture is not None and there.picture is not None:
            assert np.array_equal(here.picture, there.picture)
        assert len(here.frames) == len(there.frames)
        assert all(np.array_equal(one, other) for one, other in zip(here.frames, there.frames, strict=True))
        if here.sound is not None and there.sound is not None:
            assert np.array_equal(here.sound.samples, there.sound.samples)


def test_what_is_wrong_with_a_file_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_text("no picture")
    with pytest.raises(BadMedia, match=r"^a\.png is no picture, film or sound of a kind that is known$"):
        decode_safely(tmp_path / "a.png", rate=16_000)


def test_a_child_that_takes_too_long_or_too_much_is_ended(tmp_path: Path) -> None:
    path = picture(tmp_path / "a.png")
    with pytest.raises(BadMedia, match=r"a\.png takes longer than 0\.01 s to read"):
        decode_safely(path, rate=16_000, seconds=0.01)
    with pytest.raises(BadMedia, match=r"a\.png (cannot be read within 20 MiB|is damaged: MemoryError)"):
        decode_safely(path, rate=16_000, memory_bytes=20 << 20)
