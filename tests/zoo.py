"""A small multimodal graph for tests: animals with pictures, frames and sounds, imported by a mapping."""

import json
from pathlib import Path

from kg.home import Home
from kg.importers.mapping import MappedSource
from kg.importing import import_path
from kg.report import ImportReport
from tests.kg.media.stage import picture, tone

BASE = "https://w3id.org/scoutfly/data/zoo/"
MAPPING = """
title = "A zoo"
language = "en"

[classes]
"Animal" = "A living thing of the zoo."

[[entity]]
file = "zoo.json"
each = "animals.*"
iri = "{name}"
class = "Animal"
topic = true
label = "{name}"
alt = ["{nick}"]
context = ["{about}"]
media = [{ file = "{photo}", creator = "A. Painter" }]

[[entity]]
file = "zoo.json"
each = "animals.*.calls.*"
iri = "{^name}/{name}"
class = "Call"
label = "{name} of {^name}"
media = [{ each = "frames.*", kind = "sequence" }, { file = "{sound}" }]

[[entity]]
file = "places.csv"
iri = "place/{place}"
class = "Place"
label = "{place}"

[[relation]]
file = "zoo.json"
each = "animals.*.calls.*"
head = "{^name}"
relation = "has call"
tail = "{^name}/{name}"
condition = "{when}"
evidence = [{ file = "{sound}" }]

[[relation]]
file = "zoo.json"
each = "animals.*"
head = "{name}"
relation = "lives in"
tail = "place/{home}"
information = "since {since}"

[[relation]]
file = "zoo.json"
each = "animals.*.likes.*"
above = 0
head = "{^^name}"
relation = "likes"
tail = "{#}"
"""


def animals() -> list[dict[str, object]]:
    """What the source says; tests change it."""
    lion: dict[str, object] = {
        "name": "Lion",
        "nick": "King of beasts",
        "about": "A big cat with a mane.",
        "photo": "lion.png",
        "home": "savanna",
        "since": 2001,
        "likes": {"Zebra": 5, "Parrot": -1},
        "calls": [
            {
                "name": "Roar",
                "when": "is angry",
                "frames": ["roar1.png", "roar2.png", "roar3.png"],
                "sound": "roar.wav",
            },
            {"name": "Purr", "when": None, "frames": [], "sound": "purr.wav"},
        ],
    }
    zebra: dict[str, object] = {"name": "Zebra", "photo": "zebra.png", "home": "savanna", "calls": [], "likes": {}}
    parrot: dict[str, object] = {
        "name": "Parrot",
        "photo": "parrot.png",
        "home": "jungle",
        "calls": [{"name": "Squawk", "frames": ["squawk1.png", "squawk2.png"], "sound": "squawk.wav"}],
    }
    return [lion, zebra, parrot]


def write_zoo(folder: Path, said: list[dict[str, object]] | None = None, *, mapping: str = MAPPING) -> Path:
    """The source in ``folder``, its media and its mapping below it; the path of the mapping."""
    source, media = folder / "source", folder / "media"
    source.mkdir(parents=True, exist_ok=True)
    media.mkdir(exist_ok=True)
    (source / "zoo.json").write_text(json.dumps({"animals": said or animals()}), encoding="utf-8")
    (source / "places.csv").write_text("﻿place\nsavanna\njungle\n", encoding="utf-8")
    names = ("lion", "zebra", "parrot", "roar1", "roar2", "roar3", "squawk1", "squawk2")
    for seed, name in enumerate(names):
        picture(media / f"{name}.png", seed=seed)
    for name, hertz in (("roar", 90.0), ("purr", 40.0), ("squawk", 2_500.0)):
        tone(media / f"{name}.wav", hertz=hertz)
    (folder / "zoo.toml").write_text(mapping, encoding="utf-8")
    return folder / "zoo.toml"


def import_zoo(folder: Path, home: Home, **more: object) -> ImportReport:
    """The source of ``folder``, imported as the source "zoo"."""
    return import_path(
        home,
        folder / "source",
        name="zoo",
        media_root=folder / "media",
        importer=MappedSource(folder / "zoo.toml"),
        **more,  # type: ignore[arg-type]
    )
