"""The premises of the flows: a home with three sources, a model that waits to be let on, and the server itself.

The sources are the bundled graph, a small kitchen with media of every kind, and a graph whose every text is an attack.
"""

import contextlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
import wave
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kg.bundled import ensure_bundled
from kg.home import Home
from kg.importing import import_path
from kg.media.listing import media_items
from kg.media_roots import MediaRoots
from ontology import terms
from retrieval.encoders.registry import encoder_for
from retrieval.media_index import MediaIndexes
from tests.fakes import FakeEndpoint, Response, says
from tests.web.stage import GRAPH

ROOT = Path(__file__).parents[3]
DATA = ROOT / "tests" / "data"
TOKEN = "open-the-kitchen"
KITCHEN = "http://example.org/kitchen/"
ODD = "http://example.org/"
MHW = "https://w3id.org/scoutfly/mhw#"
RATHIAN = "https://w3id.org/scoutfly/mhw/id/rathian"
_START_S = 120
# Values that are addresses of scripts, and an IRI with what ends an attribute.
_ODDER = f"""
ex:leaf rdfs:seeAlso <javascript:document.title='caught'>, <data:text/html,%3Cscript%3Ealert(1)%3C/script%3E> .
<{ODD}o'onmouseover='alert(1)> a ex:Kind ; rdfs:label "Odd </a><script>document.title='caught'</script> IRI" .
"""


def draw_png(path: Path, *, width: int = 96, height: int = 72, colour: tuple[int, int, int] = (47, 125, 91)) -> None:
    """Writes a picture of one colour."""
    rows = b"".join(b"\0" + bytes(colour) * width for _ in range(height))

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    )


def write_kitchen(folder: Path) -> Path:
    """Writes the kitchen, media and all, into a new folder; gives the folder."""
    (folder / "media").mkdir(parents=True)
    shutil.copy(DATA / "kitchen.ttl", folder)
    draw_png(folder / "media" / "kettle.png")
    for number, name in enumerate(("frame-0", "frame-5")):
        draw_png(folder / "media" / f"{name}.png", colour=(47, 125 + 60 * number, 91))
    (folder / "media" / "kettle.webm").write_bytes((DATA / "film.webm").read_bytes())
    with wave.open(str(folder / "media" / "kettle.wav"), "wb") as sound:
        sound.setparams((1, 1, 8000, 0, "NONE", "not compressed"))
        sound.writeframes(bytes(128 + 60 * (n // 8 % 2) for n in range(2000)))
    return folder


def write_odd(folder: Path) -> Path:
    """Writes the hostile graph as Turtle; gives the file."""
    names = {**terms.PREFIXES, "ex": ODD}
    prologue = "".join(f"@prefix {prefix}: <{namespace}> .\n" for prefix, namespace in names.items())
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "odd.ttl"
    path.write_text(prologue + GRAPH + _ODDER, encoding="utf-8")
    return path


@dataclass
class PatientModel:
    """
    Answers a walk's questions as one who follows the first two neighbours and is never satisfied.

    While it is held, each answer waits to be let on by the test; an answer that waits too long is given all the same.
    """

    asked: int = 0
    _held: bool = False
    _passes: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    _arrived: threading.Condition = field(default_factory=threading.Condition)

    def __call__(self, body: Mapping[str, Any]) -> Response:
        with self._arrived:
            self.asked += 1
            self._arrived.notify_all()
        if self._held:
            self._passes.acquire(timeout=30)
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
        return says(_answer(schema.get("properties", {})), tokens=(120, 8))

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Answers wait, until the end of the block."""
        self._held, self._passes, self.asked = True, threading.Semaphore(0), 0
        try:
            yield
        finally:
            self._held = False
            self._passes.release(1000)

    def let(self, answers: int = 1) -> None:
        """So many answers are given."""
        self._passes.release(answers)

    def await_question(self, number: int) -> None:
        """Waits until so many questions have come since it was held."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: self.asked >= number, 20), f"asked {self.asked} times only"


def _answer(properties: Mapping[str, Any]) -> str:
    if "choices" in properties:
        return json.dumps({"choices": properties["choices"]["items"]["enum"][:2]})
    if "choice" in properties:
        return '{"choice": 1}'
    if "answer" in properties:
        return '{"missing": "more", "answer": "no"}'
    return "Boil, then pour."


@dataclass(frozen=True, slots=True)
class Premises:
    """What the flows go through: the server's address, its home, and the model behind it."""

    url: str
    home: Path
    model: PatientModel

    def ask(self, question: str, *, topic: str = "", policy: str = "builtin") -> str:
        """Asks as a program does, waits for the end of the walk, and gives the address of the run."""
        typed = urllib.parse.urlencode({"question": question, "topic": topic, "policy": policy}).encode()
        request = urllib.request.Request(f"{self.url}/ask", data=typed)
        with urllib.request.urlopen(request, timeout=60) as response:
            address: str = response.url
        deadline = time.monotonic() + 60
        while "data-events" in urllib.request.urlopen(address, timeout=60).read().decode():
            assert time.monotonic() < deadline, f"{address} does not end"
            time.sleep(0.1)
        return address.removeprefix(self.url)


@contextlib.contextmanager
def serving(home: Path, *words: str, token: str = "") -> Iterator[str]:
    """Runs ``scoutfly serve`` over a home, in a process of its own; gives its address."""
    command = [sys.executable, "-m", "scoutfly", "--home", str(home), "serve", "--port", "0", *words]
    log = home.parent / "serve.log"
    environ = {**os.environ, "SCOUTFLY_TOKEN": token, "PYTHONUNBUFFERED": "1"}
    with log.open("w") as said:
        process = subprocess.Popen(command, cwd=ROOT, stdout=said, stderr=said, env=environ)
    try:
        yield _address(process, log)
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _address(process: "subprocess.Popen[bytes]", log: Path) -> str:
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline and process.poll() is None:
        found = re.search(r"Scoutfly is at (http://127\.0\.0\.1:\d+) ", log.read_text())
        if found:
            return found[1]
        time.sleep(0.05)
    raise RuntimeError(f"the server did not start: {log.read_text()}")


def index_media(home: Home) -> None:
    """Has the pictures of a home indexed, as ``scoutfly index build --modality image`` does."""
    with home.snapshot() as snapshot:
        items = media_items(snapshot, MediaRoots(home.path).read())
    MediaIndexes(home.path / "indexes", home.path / "cache" / "vectors").build(items, {"image": encoder_for("image")})


@contextlib.contextmanager
def premises(folder: Path) -> Iterator[Premises]:
    """Fills a home, and serves it with the built-in policy and one that asks a model."""
    home, model = folder / "home", PatientModel()
    filled = Home(home)
    ensure_bundled(filled)
    kitchen = write_kitchen(folder / "kitchen")
    import_path(filled, kitchen / "kitchen.ttl", name="kitchen", base_iri=KITCHEN, media_root=kitchen)
    import_path(filled, write_odd(folder / "odd"), name="odd", base_iri=ODD)
    index_media(filled)
    with FakeEndpoint(model) as endpoint:
        words = ("--model", "seer-1", "--base-url", endpoint.base_url, "--no-cache")
        with serving(home, *words, token=TOKEN) as url:
            yield Premises(url, home, model)
