"""Sites over a home on disk, with sources and media, as they are served."""

import functools
import struct
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

import pyoxigraph as ox
import pytest
from flask import Flask

from agents.engine import Engine
from agents.runs import RunFolder
from kg.home import Home
from kg.importing import import_path
from ontology import terms
from tests.web.stage import everything
from web.app import create_app
from web.site import Site

BASE = "http://example.org/id/"
PROLOGUE = "".join(f"PREFIX {p}: <{n}>\n" for p, n in {**terms.PREFIXES, "ex": "http://example.org/ns#"}.items())
MakeApp = Callable[..., Flask]


@pytest.fixture
def make_app(tmp_path: Path) -> MakeApp:
    """Imports Turtle documents (name → text after the usual prefixes) into a home, and gives its pages."""
    return functools.partial(imported, tmp_path)


def imported(folder: Path, sources: Mapping[str, str], *, media_root: Path | None = None) -> Flask:
    """The pages of a home in ``folder`` into which these Turtle documents were imported."""
    home = Home(folder / "home")
    for name, turtle in sources.items():
        path = folder / f"{name}.ttl"
        path.write_text(f"{PROLOGUE}BASE <{BASE}>\n{turtle}", encoding="utf-8")
        import_path(home, path, base_iri=BASE, media_root=media_root)
    return app_over(home, folder)


def app_over(home: Home, folder: Path) -> Flask:
    """The pages of a home; runs are kept in ``folder``."""
    runs = RunFolder(folder / "runs")
    return create_app(Site(lambda: Engine(home.reader(), everything, ("all",), runs), home))


def png(colour: tuple[int, int, int] = (10, 120, 80)) -> bytes:
    """A picture of two by two pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\x00" + bytes(colour) * 2) * 2
    header = struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def wav(seconds: float = 0.05) -> bytes:
    """Silence."""
    data = b"\x80" * int(8000 * seconds)
    fmt = struct.pack("<HHIIHH", 1, 1, 8000, 8000, 1, 8)
    return (
        b"RIFF"
        + struct.pack("<I", 36 + len(data))
        + b"WAVEfmt "
        + struct.pack("<I", 16)
        + fmt
        + b"data"
        + struct.pack("<I", len(data))
        + data
    )


def triples_of(body: bytes, media_type: str) -> set[ox.Triple]:
    """What a document says."""
    syntax = ox.RdfFormat.from_media_type(media_type)
    assert syntax is not None
    return {quad.triple for quad in ox.parse(body, syntax)}
