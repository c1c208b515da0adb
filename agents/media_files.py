"""Media files of a question, told by their bytes and read as what they are."""

from collections.abc import Iterable
from pathlib import Path

from agents.errors import MediaUnreadable
from kg.media.decoding import read_picture, read_sound, sample_frames
from kg.media.errors import BadMedia
from kg.media.items import Picture, Sound
from kg.media.probing import probe
from retrieval.media_index import SOUND_RATE
from retrieval.search import MediaQuery


def read_media(paths: Iterable[Path]) -> MediaQuery:
    """
    The files as a query: pictures, films as frames (two a second, ten at most), and sounds, those of films among them.

    Raises MediaUnreadable, which names the file.
    """
    pictures: list[Picture] = []
    films: list[tuple[Picture, ...]] = []
    sounds: list[Sound] = []
    for path in paths:
        try:
            found = probe(path)
            if found.modality == "image":
                pictures.append(read_picture(path))
            if found.modality == "video":
                films.append(tuple(sample_frames(path)))
            if found.has_audio:
                sounds.append(read_sound(path, rate=SOUND_RATE))
        except BadMedia as error:
            raise MediaUnreadable(f"{path} cannot be looked at: {error}") from error
    return MediaQuery(tuple(pictures), tuple(films), tuple(sounds))
