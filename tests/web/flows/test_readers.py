"""Every kind of page for every reader: axe-core, widths, light and dark, and the keyboard alone."""

from functools import partial

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from tests.web.browsing import faults_for_readers, look
from tests.web.flows.conftest import Visitor
from tests.web.flows.kinds import LONG, PAGES

pytestmark = pytest.mark.browser
WIDTHS = (360, 768, 1280)
IN_SCHEME = ["color-contrast"]
"""The rule whose outcome depends on light or dark."""
OVERFLOW = "return document.documentElement.scrollWidth - innerWidth"
# What Tab should reach: all that can be seen and takes the focus, one of the radio buttons of a group.
WATCH = """
const seen = element => element.checkVisibility({visibilityProperty: true}) && element.getClientRects().length > 0;
window.expected = [...document.querySelectorAll(
  'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"], audio, video, iframe')]
  .filter(element => seen(element) && !element.disabled && element.tabIndex >= 0 && !element.closest('.CodeMirror'));
window.reached = new Set(), window.bare = [];
addEventListener('focusin', ({target}) => {
  window.reached.add(target);
  const {outlineStyle, outlineWidth, boxShadow} = getComputedStyle(target);
  if ((outlineStyle === 'none' || outlineWidth === '0px') && boxShadow === 'none' && !target.closest('.CodeMirror'))
    window.bare.push(target.outerHTML.slice(0, 120));
});
return window.expected.length;
"""
MISSED = "return window.expected.filter(one => !window.reached.has(one)).map(one => one.outerHTML.slice(0, 160))"


@pytest.fixture(params=[*PAGES, *LONG, "run", "walk"])
def page(request: pytest.FixtureRequest, visitor: Visitor, finished_run: str) -> str:
    """The address of each kind of page in turn."""
    kinds = PAGES | LONG | {"run": finished_run, "walk": f"{finished_run}?watch=1"}
    visitor.allowed = ["Password forms should have"]
    return kinds[request.param]


def test_a_page_suits_its_readers(visitor: Visitor, page: str) -> None:
    """Axe-core finds no serious fault, light and dark, narrow and wide, and nothing is wider than the window."""
    visitor.settle(page)
    faults: list[object] = []
    for width in WIDTHS:
        look(visitor.browser, width=width)
        if visitor.run(OVERFLOW) > 0:  # type: ignore[operator]
            faults.append(f"wider than {width} pixels by {visitor.run(OVERFLOW)}")
    for width in (1280, 360):
        look(visitor.browser, width=width, scheme="dark")
        faults += faults_for_readers(visitor.browser, only=IN_SCHEME)
        look(visitor.browser, width=width)
        faults += faults_for_readers(visitor.browser)
    assert faults == []


@pytest.mark.parametrize("kind", PAGES)
def test_tab_reaches_every_control_and_shows_where_it_is(visitor: Visitor, kind: str) -> None:
    visitor.allowed = ["Password forms should have"]
    visitor.settle(PAGES[kind])
    visitor.run("document.querySelectorAll('details').forEach(one => { one.open = false })")
    count = int(str(visitor.run(WATCH)))
    assert 8 < count < 150
    leave = (Keys.ESCAPE, Keys.TAB) if PAGES[kind].startswith("/query") else (Keys.TAB,)
    keys = ActionChains(visitor.browser, duration=0)
    for _ in range(count + 6):  # parts of players take the focus, too
        keys.send_keys(*leave)
    keys.perform()
    assert visitor.run(MISSED) == []
    assert visitor.run("return window.bare") == []


def test_the_first_tab_skips_to_the_content(visitor: Visitor) -> None:
    for path in ("/", "/browse", "/query"):
        visitor.go(path)
        ActionChains(visitor.browser).send_keys(Keys.TAB).perform()
        skip = visitor.browser.switch_to.active_element
        visitor.until(partial(_says, skip, "Skip to the content"), "the link")
        assert skip.rect["x"] >= 0, "it cannot be seen"
        skip.send_keys(Keys.ENTER)
        assert visitor.run("return document.activeElement.id || location.hash") in {"main", "#main"}
        ActionChains(visitor.browser).send_keys(Keys.TAB).perform()
        assert visitor.run("return document.activeElement.closest('main') !== null")


def test_a_page_that_is_not_there_says_so_to_all_readers(visitor: Visitor) -> None:
    visitor.allowed = ["404 (Not Found)"]
    visitor.go("/nowhere")
    for scheme in ("light", "dark"):
        look(visitor.browser, width=360, scheme=scheme)
        assert faults_for_readers(visitor.browser) == []
    assert visitor.one("h1").text


def _says(element: WebElement, text: str) -> bool:
    return element.text == text
