"""What tests in a real browser share: a headless Chromium, a server in a thread, what the window is like, axe-core."""

import contextlib
import json
import shutil
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from flask import Flask
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.webdriver import WebDriver
from werkzeug.serving import make_server

from web.frontend import FOLDER, vendored

AXE = FOLDER / "node_modules" / "axe-core" / "axe.min.js"
_RUN_AXE = """
const done = arguments[arguments.length - 1];
const options = arguments[0].length ? {runOnly: arguments[0]} : {};
const drawn = new Promise(next => requestAnimationFrame(() => requestAnimationFrame(next)));
drawn.then(() => axe.run(document, options)).then(result => done(JSON.stringify(result.violations.map(
  violation => [violation.id, violation.impact, violation.nodes.slice(0, 3).map(node => node.html.slice(0, 200))]))));
"""


@contextlib.contextmanager
def served(app: Flask) -> Iterator[str]:
    """The address of a server of ``app`` in a thread."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextlib.contextmanager
def opened_chromium(*, network: bool = False, downloads: Path | None = None) -> Iterator[WebDriver]:
    """
    A headless Chromium; skips the test where there is none.

    ``network``: what it asks for is recorded (see ``requested``). ``downloads``: the folder for what is downloaded.
    """
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("chromium and chromedriver are not installed (Debian: apt-get install chromium chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability(
        "goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"} if network else {"browser": "ALL"}
    )
    if downloads is not None:
        options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    browser = webdriver.Chrome(options=options, service=Service(driver))
    try:
        yield browser
    finally:
        browser.quit()


def look(
    browser: WebDriver, *, width: int = 1200, scheme: str = "light", sharpness: float = 1, still: bool = False
) -> None:
    """
    Sets the width of the window, in CSS pixels of ``sharpness`` dots, and what the reader prefers.

    ``still``: no motion; what is shown again is there at once.
    """
    size = {"width": width, "height": 900, "deviceScaleFactor": sharpness, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    motion = "reduce" if still else "no-preference"
    wishes = {"prefers-color-scheme": scheme, "prefers-reduced-motion": motion}
    wish = {"features": [{"name": name, "value": value} for name, value in wishes.items()]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", wish)


def complaints(browser: WebDriver) -> list[str]:
    """What the browser has complained of in its console since this was asked last, the page's policy included."""
    return [entry["message"] for entry in browser.get_log("browser")]  # type: ignore[attr-defined]


def requested(browser: WebDriver) -> list[str]:
    """The addresses that the browser has asked for since this was asked last, whether they were answered or not."""
    entries = browser.get_log("performance")  # type: ignore[attr-defined]
    events = [json.loads(entry["message"])["message"] for entry in entries]
    sent = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    sockets = [event["params"]["url"] for event in events if event["method"] == "Network.webSocketCreated"]
    return [*sent, *sockets]


def faults_for_readers(browser: WebDriver, *, only: Sequence[str] = ()) -> list[list[object]]:
    """
    What axe-core finds serious or critical on the page as it is; skips where axe-core is not installed.

    ``only``: the rules to hold the page to, all of them where none is named.
    """
    if not AXE.is_file():
        pytest.skip("axe-core is not installed (make frontend)")
    if not browser.execute_script("return 'axe' in window"):
        browser.execute_script(AXE.read_text(encoding="utf-8"))
    found: list[list[object]] = json.loads(browser.execute_async_script(_RUN_AXE, list(only)))
    return [violation for violation in found if violation[1] in {"serious", "critical"}]


def require_packages() -> None:
    """Skips where the page's JavaScript packages are not installed."""
    if not vendored("yasqe.js") or not vendored("cytoscape.js"):
        pytest.skip("the page's JavaScript packages are not installed (make frontend)")
