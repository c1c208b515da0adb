"""The pages in a real browser: the form by keyboard, no script and no stranger's server, widths, contrast, forgery."""

import html
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from selenium import webdriver
from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.wait import WebDriverWait

from agents.roles import Question
from tests.web.browsing import look, opened_chromium, served
from tests.web.stage import site_of, stage
from web.app import create_app

pytestmark = pytest.mark.browser

# Contrast of every text with what it stands on (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio); those under 4.5.
LOW_CONTRAST = """
const channels = text => text.match(/[\\d.]+/g).map(Number);
const luminance = ([r, g, b]) => [r, g, b].map(v => v / 255)
  .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const ink = element => getComputedStyle(element)[element instanceof SVGElement ? 'fill' : 'color'];
const ground = element => {
  if (element.closest('g.box')) return getComputedStyle(element.closest('g.box').querySelector('rect')).fill;
  for (let e = element; e; e = e.parentElement) {
    const color = getComputedStyle(e).backgroundColor;
    if ((channels(color)[3] ?? 1) > 0) return color;
  }
  return 'rgb(255, 255, 255)';
};
return [...document.querySelectorAll('body *')].filter(e => e.checkVisibility() && e.getClientRects().length
    && !['title', 'desc', 'OPTION'].includes(e.tagName)
    && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => {
  const [a, b] = [ink(e), ground(e)].map(channels).map(luminance);
  return [e.tagName + ' ' + e.textContent.trim().slice(0, 40), (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
}).filter(([, ratio]) => ratio < 4.5);
"""
# Texts of the drawing that run over the right edge of the box or column that they stand in.
OVERRUNS = """
const right = box => box.x + box.width;
const boxes = [...document.querySelectorAll('svg.routes g.box rect')].map(rect => rect.getBBox());
return [...document.querySelectorAll('svg.routes text')].filter(text => {
  const extent = text.getBBox(), start = Math.max(0, extent.x);
  return right(extent) > right(boxes.find(box => box.x <= start && start <= right(box)));
}).map(text => text.textContent);
"""


@pytest.fixture(scope="module")
def address(bundled_app: Flask) -> Iterator[str]:
    with served(bundled_app) as url:
        yield url


@pytest.fixture(scope="module")
def hostile_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server of the hostile graph; its first run is there already."""
    engine = stage(tmp_path_factory.mktemp("runs"))
    engine.ask(Question("<script>alert('q')</script>" + "longword" * 40), policy="all")
    with served(create_app(site_of(engine))) as url:
        yield url


@pytest.fixture(scope="module")
def chromium() -> Iterator[WebDriver]:
    with opened_chromium() as browser:
        yield browser


def pages(browser: WebDriver, address: str) -> Iterator[str]:
    """Opens one page after the other: empty form, filled form, list, run, what is not there."""
    browser.get(f"{address}/runs")
    runs = [link.get_attribute("href") or "" for link in browser.find_elements(By.CSS_SELECTOR, ".runs a")]
    for page in (f"{address}/", f"{address}/ask?example=1", f"{address}/runs", *runs[:1], f"{address}/nowhere"):
        browser.get(page)
        yield page


def test_a_question_is_asked_by_keyboard_alone(chromium: WebDriver, address: str) -> None:
    look(chromium)
    chromium.get(f"{address}/ask")
    keys = webdriver.ActionChains(chromium)
    keys.send_keys(Keys.TAB).perform()
    assert chromium.switch_to.active_element.text == "Skip to the content"
    keys.send_keys(Keys.ENTER, Keys.TAB).perform()
    assert chromium.switch_to.active_element.get_attribute("id") == "question"
    keys.send_keys(
        *("Which attack is this?", Keys.TAB, "It spits three balls of fire in a fan."), Keys.TAB, "Rathian"
    ).perform()
    keys.send_keys(Keys.TAB * 5, Keys.ENTER).perform()
    WebDriverWait(chromium, 20).until(lambda browser: "/runs/" in browser.current_url)
    shown = chromium.find_element(By.TAG_NAME, "main").text
    assert "Triple Fireballs" in shown
    assert "The walk, step by step" in shown
    details = chromium.find_element(By.CSS_SELECTOR, "details")
    assert details.get_attribute("open") is None
    details.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    assert details.get_attribute("open") == "true"
    drawing = chromium.find_element(By.CSS_SELECTOR, "svg.routes")
    assert drawing.accessible_name == "The routes, drawn"
    assert drawing.aria_role in {"image", "img"}


def test_a_fault_is_told_and_the_field_at_fault_has_the_focus(chromium: WebDriver, address: str) -> None:
    look(chromium)
    chromium.get(f"{address}/ask")
    chromium.find_element(By.ID, "question").send_keys("   ")
    chromium.find_element(By.ID, "caption").send_keys("A tail.")
    chromium.find_element(By.CSS_SELECTOR, "main form[enctype] button[type=submit]").click()
    WebDriverWait(chromium, 20).until(lambda browser: browser.find_elements(By.CSS_SELECTOR, "[role=alert]"))
    assert chromium.find_element(By.CSS_SELECTOR, "[role=alert]").text.endswith("Write a question.")
    assert chromium.switch_to.active_element.get_attribute("id") == "question"
    assert chromium.find_element(By.ID, "caption").get_attribute("value") == "A tail."


def test_nothing_comes_from_elsewhere_and_the_policy_of_the_pages_is_kept(chromium: WebDriver, address: str) -> None:
    look(chromium)
    chromium.get_log("browser")  # type: ignore[attr-defined]
    for page in pages(chromium, address):
        loaded = chromium.execute_script("return performance.getEntriesByType('resource').map(r => r.name)")
        assert any(name.startswith(f"{address}/static/scoutfly.css") for name in loaded)
        assert all(name.startswith(address + "/") for name in loaded), page
        assert chromium.execute_script("return getComputedStyle(document.body).backgroundColor") == "rgb(244, 246, 243)"
    complaints = [entry["message"] for entry in chromium.get_log("browser")]  # type: ignore[attr-defined]
    assert [text for text in complaints if "/nowhere" not in text] == []


@pytest.mark.parametrize("width", [400, 1200])
def test_no_page_is_wider_than_the_window(chromium: WebDriver, address: str, hostile_address: str, width: int) -> None:
    look(chromium, width=width)
    for base in (address, hostile_address):
        for page in pages(chromium, base):
            assert chromium.execute_script("return document.documentElement.scrollWidth") <= width, page
            assert chromium.execute_script(OVERRUNS) == [], page


@pytest.mark.parametrize(("scheme", "background"), [("light", "rgb(244, 246, 243)"), ("dark", "rgb(15, 22, 19)")])
def test_every_text_can_be_read(chromium: WebDriver, address: str, scheme: str, background: str) -> None:
    look(chromium, scheme=scheme)
    for page in pages(chromium, address):
        assert chromium.execute_script("return getComputedStyle(document.body).backgroundColor") == background
        assert chromium.execute_script(LOW_CONTRAST) == [], page


def test_markup_in_a_graph_runs_nothing(chromium: WebDriver, hostile_address: str) -> None:
    look(chromium)
    for page in pages(chromium, hostile_address):
        with pytest.raises(NoAlertPresentException):
            chromium.switch_to.alert.accept()
        assert (
            chromium.find_elements(
                By.CSS_SELECTOR, "script:not([src^='/static/']), iframe, img:not([src^='/']), main style"
            )
            == []
        ), page


def test_a_strangers_page_cannot_ask(chromium: WebDriver, hostile_address: str) -> None:
    stranger = Flask("stranger")
    action = html.escape(f"{hostile_address}/ask")
    stranger.add_url_rule(
        "/",
        "forge",
        lambda: (
            f'<form method="post" action="{action}"><input name="question" value="forged"></form>'
            "<script>document.forms[0].submit()</script>"
        ),
    )
    with served(stranger) as elsewhere:
        chromium.get(f"{elsewhere}/")
        WebDriverWait(chromium, 20).until(lambda browser: browser.current_url.startswith(hostile_address))
    assert "came from the page of another site" in chromium.find_element(By.TAG_NAME, "main").text
    chromium.get(f"{hostile_address}/runs")
    assert "forged" not in chromium.page_source


@pytest.fixture(autouse=True)
def a_run_to_look_at(address: str, bundled_app: Flask, tmp_path: Path) -> None:
    """At least one run over the bundled graph, of several routes."""
    client = bundled_app.test_client()
    if "<li>" not in client.get("/runs").get_data(as_text=True):
        typed = {"question": "How do the fireballs of Rathian and Pink Rathian differ?", "topic": "Rathian"}
        assert client.post("/ask", data=typed).status_code == 303
