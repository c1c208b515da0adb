"""
Takes the pictures of the README: ``make screenshots``, or ``python -m docs.screenshots [FOLDER]``.

The real server serves the bundled graph out of a new home, and a real Chromium looks at it. What differs from one time
to the next (the port, dates, seconds) is written over, so that the same code gives nearly the same pictures. Needs
Debian's chromium and chromium-driver, and the page's JavaScript packages.
"""

import base64
import logging
import struct
import sys
import tempfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.wait import WebDriverWait

from kg.bundled import ensure_bundled
from kg.home import Home
from tests.web.browsing import look, opened_chromium
from tests.web.flows.premises import PatientModel, Premises, serving
from web.frontend import vendored

FOLDER = Path(__file__).parent / "images"
WIDTH, SHARPNESS = 1120, 1.1
QUESTION = "Which attack follows a Triple Rush Attack of Rathian?"
_LOG = logging.getLogger(__name__)
_WAIT_S = 60
_MOST_BYTES = 300_000
_STEADY = """
for (const time of document.querySelectorAll('time')) time.parentElement.textContent = 'Question';
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = walker.currentNode;
  text.data = text.data.replace(/127\\.0\\.0\\.1:\\d+/, '127.0.0.1:8000').replace(/, \\d+\\.\\d+ s\\s*$/, '');
}
for (const field of document.querySelectorAll('input[readonly]'))
  field.value = field.value.replace(/127\\.0\\.0\\.1:\\d+/, '127.0.0.1:8000');
document.activeElement?.blur();
"""
_BOTTOM = "return document.querySelector(arguments[0]).getBoundingClientRect().bottom + scrollY + 16"


@dataclass(frozen=True, slots=True)
class Picture:
    """
    A page, and what of it is taken: all above the lower edge of the element ``down_to``, and ``most`` pixels at most.

    ``ready``: a script that says whether the page is as it should be, asked until it is.
    """

    name: str
    path: str
    down_to: str
    ready: str = "return true"
    most: int = 1400


def pictures(run: str) -> list[Picture]:
    """The four; ``run`` is the address of a walk that is over."""
    drawn = "return document.querySelector('.graph-canvas canvas') !== null"
    answered = "return / s$/.test(document.getElementById('summary').textContent.trim())"
    return [
        Picture("home", "/", "[aria-labelledby=queries]", most=1100),
        Picture("entity", "/id/bundled-mhw/rathian", "[aria-labelledby=around]", drawn),
        Picture("query", "/query?example=1&run=1", "#results", answered),
        Picture("run", run, "svg.routes"),
    ]


def take(browser: WebDriver, url: str, picture: Picture) -> bytes:
    """Looks at a page and gives the picture as PNG."""
    browser.get(url + picture.path)
    WebDriverWait(browser, _WAIT_S).until(lambda there: there.execute_script(picture.ready))
    browser.execute_script(_STEADY)
    browser.execute_async_script("document.fonts.ready.then(() => setTimeout(arguments[0], 500))")
    height = min(int(browser.execute_script(_BOTTOM, picture.down_to)), picture.most)
    clip = {"x": 0, "y": 0, "width": WIDTH, "height": height, "scale": 1}
    words = {"format": "png", "captureBeyondViewport": True, "clip": clip}
    return packed(base64.b64decode(browser.execute_cdp_cmd("Page.captureScreenshot", words)["data"]))


def packed(png: bytes) -> bytes:
    """The same picture in fewer bytes: its data compressed as well as zlib can."""
    parts, at, data = [png[:8]], 8, b""
    while at < len(png):
        (length,), name = struct.unpack(">I", png[at : at + 4]), png[at + 4 : at + 8]
        if name == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        elif name == b"IEND":
            content = b"IDAT" + zlib.compress(zlib.decompress(data), 9)
            parts += [struct.pack(">I", len(content) - 4), content, struct.pack(">I", zlib.crc32(content))]
        if name != b"IDAT":
            parts.append(png[at : at + 12 + length])
        at += 12 + length
    return b"".join(parts)


def take_all(folder: Path, *, say: Callable[[str], None]) -> None:
    """Takes the pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        home = Home(Path(place) / "home")
        ensure_bundled(home)
        with serving(home.path) as url, opened_chromium() as browser:
            run = Premises(url, home.path, PatientModel()).ask(QUESTION, topic="Rathian")
            look(browser, width=WIDTH, sharpness=SHARPNESS)
            for picture in pictures(run):
                content = take(browser, url, picture)
                (folder / f"{picture.name}.png").write_bytes(content)
                say(f"{picture.name}.png: {len(content):,} bytes")
                if len(content) > _MOST_BYTES:
                    say(f"{picture.name}.png is larger than {_MOST_BYTES:,} bytes")


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    if not vendored("cytoscape.js"):
        sys.exit("the page's JavaScript packages are not installed: make frontend")
    take_all(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER, say=_LOG.info)
