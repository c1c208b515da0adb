"""Pictures, films and sounds out of files, and files that are not what they seem."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyoxigraph as ox
import pytest
from PIL import Image

from kg.media.decoding import frames_of, read_picture, read_sound, sample_frames
from kg.media.errors import BadMedia
from kg.media.items import MediaItem
from kg.media.probing import probe
from tests.kg.media.stage import film, picture, png_that_says, tone, wav_that_says


def test_what_is_transparent_is_white(tmp_path: Path) -> None:
    image = Image.new("RGBA", (4, 2), (255, 0, 0, 0))
    image.putpixel((0, 0), (0, 0, 255, 255))
    image.save(tmp_path / "a.png")
    found = read_picture(tmp_path / "a.png")
    assert found.shape == (2, 4, 3)
    assert found[0, 0].tolist() == [0, 0, 255]
    assert found[1, 3].tolist() == [255, 255, 255]


def test_a_photo_is_upright_and_a_deep_grey_one_keeps_its_shades(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    Image.new("RGB", (40, 20), "red").save(tmp_path / "a.jpg", exif=exif)
    assert read_picture(tmp_path / "a.jpg").shape == (40, 20, 3)
    deep = np.array([[0, 0x8000, 0xFFFF]], dtype=np.uint16)
    Image.fromarray(deep).save(tmp_path / "b.png")
    assert read_picture(tmp_path / "b.png")[0, :, 0].tolist() == [0, 0x80, 0xFF]


def test_of_an_animation_the_first_picture_is_seen(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    frames[0].save(tmp_path / "a.gif", save_all=True, append_images=frames[1:])
    assert read_picture(tmp_path / "a.gif")[0, 0].tolist() == [255, 0, 0]


def test_keyframes_are_two_a_second_and_ten_at_most(tmp_path: Path) -> None:
    short, long = film(tmp_path / "short.mp4", seconds=2.0), film(tmp_path / "long.mp4", seconds=9.0, rate=5)
    shades = [int(frame.mean()) for frame in sample_frames(short)]
    assert len(shades) == 4
    assert shades == sorted(shades)
    assert shades[0] < 30
    assert len(sample_frames(long)) == 10


def test_the_frames_of_a_sequence_are_thinned_evenly(tmp_path: Path) -> None:
    files = tuple(picture(tmp_path / f"{number}.png", seed=number) for number in range(12))
    item = MediaItem(ox.NamedNode("http://example.org/s"), "video", files, "", "image/png")
    found = frames_of(item, most=4)
    assert len(found) == 4
    assert np.array_equal(found[0], read_picture(files[0]))
    assert np.array_equal(found[-1], read_picture(files[-1]))


def test_sounds_are_mono_at_the_rate_asked_for(tmp_path: Path) -> None:
    found = read_sound(tone(tmp_path / "a.wav", seconds=1.0), rate=8_000)
    assert len(found.samples) == pytest.approx(8_000, abs=40)
    spectrum = np.abs(np.fft.rfft(found.samples))
    assert np.argmax(spectrum) / len(found.samples) * 8_000 == pytest.approx(440, abs=3)
    assert len(read_sound(tmp_path / "a.wav", rate=8_000, most_s=0.25).samples) == 2_000


def test_the_sound_of_a_film(tmp_path: Path) -> None:
    assert len(read_sound(film(tmp_path / "a.mp4", sound=True), rate=16_000).samples) > 20_000
    with pytest.raises(BadMedia, match=r"b\.mp4 has no sound track"):
        read_sound(film(tmp_path / "b.mp4"), rate=16_000)


def test_what_files_are(tmp_path: Path) -> None:
    seen = probe(picture(tmp_path / "a.png"))
    assert (seen.media_type, seen.modality, seen.width, seen.height) == ("image/png", "image", 64, 48)
    seen = probe(film(tmp_path / "b.mp4", sound=True))
    assert (seen.media_type, seen.modality, seen.width, seen.has_audio) == ("video/mp4", "video", 64, True)
    assert seen.duration_s == pytest.approx(2.0, abs=0.2)
    assert seen.frame_rate == pytest.approx(10, abs=0.1)
    seen = probe(tone(tmp_path / "c.wav", seconds=0.5))
    assert (seen.media_type, seen.modality, seen.width) == ("audio/wav", "audio", None)
    assert seen.duration_s == pytest.approx(0.5, abs=0.01)


def test_a_name_says_nothing(tmp_path: Path) -> None:
    film(tmp_path / "film.mp4").rename(tmp_path / "picture.png")
    assert probe(tmp_path / "picture.png").modality == "video"
    tone(tmp_path / "tone.wav").rename(tmp_path / "tone.jpg")
    assert probe(tmp_path / "tone.jpg").modality == "audio"
    (tmp_path / "text.png").write_text("I am a picture")
    with pytest.raises(BadMedia, match=r"text\.png is no picture, film or sound of a kind that is known"):
        probe(tmp_path / "text.png")


@pytest.mark.parametrize("kind", ["png", "jpg", "webp", "mp4", "wav"])
def test_files_that_are_cut_off(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"whole.{kind}"
    make: dict[str, Callable[[Path], Path]] = {"mp4": film, "wav": tone}
    make.get(kind, picture)(path)
    cut = tmp_path / f"cut.{kind}"
    cut.write_bytes(path.read_bytes()[: 40 if kind == "wav" else len(path.read_bytes()) // 2])
    with pytest.raises(BadMedia, match=rf"cut\.{kind}") as error:
        probe(cut)
    assert "\n" not in str(error.value)


def test_what_would_unpack_to_very_much_is_refused_unseen(tmp_path: Path) -> None:
    start = time.monotonic()
    for path in (
        png_that_says(tmp_path / "vast.png", 2_000_000_000, 2_000_000_000),
        png_that_says(tmp_path / "packed.png", 20_000, 20_000, rows=20_000),
    ):
        assert path.stat().st_size < 500_000
        with pytest.raises(BadMedia, match="more than the 50,000,000"):
            probe(path)
    assert time.monotonic() - start < 20


def test_a_sound_whose_head_never_ends(tmp_path: Path) -> None:
    endless = wav_that_says(tmp_path / "endless.wav", 0xFFFFFFFF)
    assert probe(endless).modality == "audio"
    assert len(read_sound(endless, rate=8_000).samples) <= 64


def test_nothing_at_all(tmp_path: Path) -> None:
    (tmp_path / "empty.png").touch()
    with pytest.raises(BadMedia, match=r"empty\.png is empty"):
        probe(tmp_path / "empty.png")
    with pytest.raises(BadMedia, match=r"none\.png cannot be read: No such file"):
        probe(tmp_path / "none.png")


def test_a_playlist_reaches_no_other_file(tmp_path: Path) -> None:
    tone(tmp_path / "secret.wav")
    (tmp_path / "list.wav").write_text(f"ffconcat version 1.0\nfile {tmp_path / 'secret.wav'}\n")
    with pytest.raises(BadMedia):
        read_sound(tmp_path / "list.wav", rate=8_000)
    (tmp_path / "list.m3u8").write_text(f"#EXTM3U\n#EXTINF:1,\nfile://{tmp_path / 'secret.wav'}\n#EXT-X-ENDLIST\n")
    with pytest.raises(BadMedia):
        read_sound(tmp_path / "list.m3u8", rate=8_000)
