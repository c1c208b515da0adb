"""One server and one browser for all flows; after each, the console has to be clean and no other host asked for."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from tests.web.browsing import complaints, look, opened_chromium, requested, require_packages
from tests.web.flows.premises import Premises, premises

WAIT_S = 30
T = TypeVar("T")


@dataclass
class Visitor:
    """Someone at the pages. What the console may complain of is said beforehand, by a part of the message."""

    browser: WebDriver
    premises: Premises
    downloads: Path
    allowed: list[str] = field(default_factory=list)
    asked_for: set[str] = field(default_factory=set)

    def go(self, path: str) -> None:
        """Opens a page of the server."""
        self.browser.get(self.premises.url + path)

    def settle(self, path: str) -> None:
        """Opens a page, and waits until what scripts bring is there."""
        self.go(path)
        if path.startswith("/query"):
            self.until(lambda: self.run("return document.getElementById('editor-page').dataset.ready === 'yes'"))
            if "run=1" in path:
                self.until(lambda: any(one.is_displayed() for one in self.all("#results, #fault")), "an answer")
        if self.all("[data-graph]"):
            self.one(".graph-canvas canvas")
        if self.all("[data-replay]"):
            self.until(lambda: self.one("#said").text == "That was the walk.", "the replay")

    def one(self, selector: str) -> WebElement:
        """The first element, once it is there and shown."""
        return self.until(lambda: next((one for one in self.all(selector) if one.is_displayed()), None), selector)

    def all(self, selector: str) -> list[WebElement]:
        """All elements that are there now."""
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def click(self, text: str, within: str = "body") -> None:
        """Presses the link, button or summary of exactly this text."""

        def find() -> WebElement | None:
            there = self.all(f"{within} :is(a, button, summary)")
            return next((one for one in there if one.text == text and one.is_displayed()), None)

        found = self.until(find, text)
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", found)
        found.click()

    def until(self, find: Callable[[], T | None], what: object = "") -> T:
        """What ``find`` gives as soon as it gives something."""
        passing = [WebDriverException]  # the page was just about to change, which drivers say in several ways
        waiting = WebDriverWait(self.browser, WAIT_S, 0.05, ignored_exceptions=passing)
        found: T | None = waiting.until(lambda _: find(), message=f"waited in vain: {what}")
        if found is None:
            raise TypeError("what is waited for is never None")
        return found

    def run(self, script: str, *words: object) -> object:
        """What a script gives in the page."""
        return self.browser.execute_script(script, *words)

    @property
    def path(self) -> str:
        """Where the browser is, from the server's root."""
        return self.browser.current_url.removeprefix(self.premises.url)

    @property
    def text(self) -> str:
        """What the page says."""
        return self.browser.find_element(By.TAG_NAME, "main").text

    def downloaded(self, name: str) -> bytes:
        """The content of a file, once it has been downloaded as a whole; it is taken away."""
        path = self.downloads / name
        self.until(lambda: path.exists() and not list(self.downloads.glob("*.crdownload")), name)
        content = path.read_bytes()
        path.unlink()
        return content


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Premises]:
    """The server, with its three sources."""
    require_packages()
    with premises(tmp_path_factory.mktemp("flows")) as found:
        yield found


@pytest.fixture(scope="session")
def browsing(place: Premises, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """The browser, for all tests."""
    downloads = tmp_path_factory.mktemp("downloads")
    with opened_chromium(network=True, downloads=downloads) as browser:
        yield Visitor(browser, place, downloads)


@pytest.fixture
def visitor(browsing: Visitor) -> Iterator[Visitor]:
    """Someone who has not been here before; what happens behind the pages is looked at when they leave."""
    browser = browsing.browser
    browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
    look(browser, width=1280, still=True)
    browsing.allowed, browsing.asked_for = ["/favicon.ico"], set()  # asked for beside what is no page
    yield browsing
    browser.get("about:blank")
    time.sleep(0.05)
    browsing.asked_for.update(requested(browser))
    said = complaints(browser)
    own = (f"{browsing.premises.url}/", f"blob:{browsing.premises.url}/", "about:", "data:")
    strange = {address for address in browsing.asked_for if not address.startswith(own)}
    assert strange == set(), "asked for elsewhere"
    assert [text for text in said if not any(part in text for part in browsing.allowed)] == []


@pytest.fixture(scope="session")
def finished_run(place: Premises) -> str:
    """The address of a walk over the bundled graph that is over."""
    return place.ask("Which attack follows a Triple Rush Attack of Rathian?", topic="Rathian")


@pytest.fixture(scope="session")
def odd_run(place: Premises) -> str:
    """The address of a walk through the hostile graph that is over."""
    return place.ask("<script>document.title='caught'</script> where to?", topic="http://example.org/top", policy="llm")
