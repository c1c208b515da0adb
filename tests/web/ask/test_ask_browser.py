"""Asking and watching a walk in a real browser: as it happens, stopped, without scripts, scripts in every label."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.wait import WebDriverWait

from agents.engine import Engine
from agents.runs import RunFolder
from tests.fakes import FakeRoles
from tests.web.ask.conftest import Gate
from tests.web.browsing import complaints, faults_for_readers, look, opened_chromium, served
from tests.web.stage import finish, hostile_store, site_of
from web.app import create_app
from web.ask.stream import Streams
from web.ask.walks import walks_of

pytestmark = pytest.mark.browser
TOP = "Top <script>alert('label')</script>"
LEAF = "\"><svg onload=alert('leaf')>"


@pytest.fixture(scope="module")
def chromium() -> Iterator[WebDriver]:
    with opened_chromium() as browser:
        yield browser


@pytest.fixture
def hostile(gate: Gate, tmp_path: Path) -> Iterator[Flask]:
    """The graph whose every text is an attack, walked through the gate."""
    roles = FakeRoles(before=gate.before)
    engine = Engine(hostile_store(), lambda _: roles.policy, ("fake",), RunFolder(tmp_path / "runs"))
    app = create_app(site_of(engine))
    yield app
    gate.open()
    assert walks_of(app).close()


@pytest.fixture
def address(hostile: Flask) -> Iterator[str]:
    with served(hostile) as url:
        yield url


def text(browser: WebDriver, selector: str) -> str:
    return " ".join(browser.find_element(By.CSS_SELECTOR, selector).text.split())


def wait(browser: WebDriver, selector: str, said: str) -> None:
    """Wait until a place of the page says something."""
    WebDriverWait(browser, 15).until(
        lambda b: any(said in " ".join(e.text.split()) for e in b.find_elements(By.CSS_SELECTOR, selector)), said
    )


def ask(browser: WebDriver, address: str) -> None:
    browser.get(f"{address}/ask")
    browser.find_element(By.ID, "question").send_keys("<script>alert('q')</script>")
    browser.find_element(By.ID, "topic").send_keys("http://example.org/top")
    browser.find_element(By.CSS_SELECTOR, "main form[enctype] button[type=submit]").click()
    WebDriverWait(browser, 15).until(lambda b: "/runs/" in b.current_url)


def check_harmless(browser: WebDriver) -> None:
    with pytest.raises(NoAlertPresentException):
        browser.switch_to.alert.accept()
    assert browser.find_elements(By.CSS_SELECTOR, "#steps :is(script, img, svg, iframe, style, u, b)") == []


def test_a_walk_is_asked_for_watched_and_answered(chromium: WebDriver, address: str, gate: Gate) -> None:
    look(chromium)
    complaints(chromium)
    ask(chromium, address)
    run = chromium.current_url
    wait(chromium, "#steps", "The walk starts at " + TOP)
    wait(chromium, "#steps", "Round 1")
    assert text(chromium, "[data-count=rounds]") == "1"
    gate.await_call(f"expander {TOP}")
    gate.let()
    wait(chromium, "#steps", f"{TOP} 1 of 1 followed")
    assert "when </title><script>alert('fact')</script>" in text(chromium, "#steps")
    gate.let()
    wait(chromium, "#steps", "not enough yet")
    wait(chromium, "#said", "Round 2: 1 open.")
    wait(chromium, ".graph-list", "A label so long that it cannot stand on one line")
    assert text(chromium, "[data-count=calls]") == "2"
    check_harmless(chromium)
    check_page(chromium, 1200)
    gate.open()
    wait(chromium, "h2#answer", "Answer")
    assert chromium.current_url == run
    assert LEAF in text(chromium, "main")
    assert chromium.find_element(By.CSS_SELECTOR, "svg.routes").accessible_name == "The routes, drawn"
    links = [link.get_attribute("href") or "" for link in chromium.find_elements(By.CSS_SELECTOR, ".step-links a")]
    assert any("/query?query=" in link for link in links)
    assert any("/entity?iri=http%3A%2F%2Fexample.org%2Ffact" in link for link in links)
    check_harmless(chromium)
    assert faults_for_readers(chromium) == []
    assert complaints(chromium) == []


def test_a_walk_is_stopped_by_its_button(chromium: WebDriver, address: str, gate: Gate) -> None:
    look(chromium)
    ask(chromium, address)
    wait(chromium, "#steps", "Round 1")
    chromium.find_element(By.CSS_SELECTOR, "#stop button").click()
    wait(chromium, ".answer", "The walk was stopped before an answer was written.")  # while the call goes on
    gate.open()
    chromium.refresh()
    wait(chromium, ".answer", "The walk was stopped before an answer was written.")


def test_a_walk_can_be_watched_again(chromium: WebDriver, address: str, gate: Gate, hostile: Flask) -> None:
    look(chromium, width=360)
    gate.open()
    ask(chromium, address)
    finish(hostile, chromium.current_url)
    chromium.get(chromium.current_url + "?watch=1")
    wait(chromium, "#steps", "Round 1")
    wait(chromium, "#said", "That was the walk.")
    check_harmless(chromium)
    assert "watch=1" in chromium.current_url
    chromium.find_element(By.LINK_TEXT, "The answer").click()
    wait(chromium, "h2#answer", "Answer")


def test_a_walk_is_followed_without_scripts(chromium: WebDriver, address: str, gate: Gate) -> None:
    look(chromium)
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        ask(chromium, address)
        gate.await_call(f"expander {TOP}")
        gate.let()
        wait(chromium, "#steps", f"{TOP} 1 of 1 followed")
        assert "This page looks again every two seconds." in text(chromium, "main")
        gate.open()
        wait(chromium, "h2#answer", "Answer")
    finally:
        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


@pytest.mark.parametrize("width", [360, 768, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_fit_and_can_be_read(
    chromium: WebDriver, address: str, gate: Gate, hostile: Flask, *, width: int, scheme: str
) -> None:
    look(chromium, width=width, scheme=scheme)
    ask(chromium, address)
    gate.await_call(f"expander {TOP}")
    gate.let()
    wait(chromium, "#steps", "1 of 1 followed")
    pages = [chromium.current_url]
    check_page(chromium, width)
    gate.open()
    wait(chromium, "h2#answer", "Answer")
    for page in (*pages, f"{address}/ask", f"{address}/runs"):
        chromium.get(page)
        check_page(chromium, width)


def check_page(browser: WebDriver, width: int) -> None:
    WebDriverWait(browser, 15).until(lambda b: b.execute_script("return document.getAnimations().length === 0"))
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width, browser.current_url
    assert faults_for_readers(browser) == [], browser.current_url


def test_a_stream_that_ends_is_taken_up_where_it_was(
    chromium: WebDriver, address: str, gate: Gate, hostile: Flask
) -> None:
    hostile.extensions["scoutfly.streams"] = Streams(4, look_s=0.02, life_s=0.3)
    look(chromium)
    ask(chromium, address)
    wait(chromium, "#steps", "Round 1")
    time.sleep(3)  # it has ended and been taken up again, at least once
    gate.await_call(f"expander {TOP}")
    gate.let(2)
    wait(chromium, "#steps", "Round 2")
    headings = [heading.text.split(" at ")[0] for heading in chromium.find_elements(By.CSS_SELECTOR, "#steps h3")]
    assert headings == ["Round 1", "Round 2"]
    assert text(chromium, "[data-count=calls]") == "2"
    gate.open()
    wait(chromium, "h2#answer", "Answer")
