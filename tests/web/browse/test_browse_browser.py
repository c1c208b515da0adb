"""Search, lists and relations in a real browser: completion by keyboard, widths, contrast, what axe-core finds."""

from collections.abc import Iterator

import pytest
from flask import Flask
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.wait import WebDriverWait

from tests.web.browsing import complaints, faults_for_readers, look, opened_chromium, served
from tests.web.stage import site_of, stage
from web.app import create_app

pytestmark = pytest.mark.browser
MHW = "https%3A%2F%2Fw3id.org%2Fscoutfly%2Fmhw%23"
PAGES = (
    "/",
    "/browse",
    f"/browse?type={MHW}AttackAction&caption=yes",
    "/search?q=tail",
    "/search?q=zzzzzz",
    "/relations",
    f"/relations?iri={MHW}hasAttackActionOf",
    "/conditions",
)


@pytest.fixture(scope="module")
def chromium() -> Iterator[WebDriver]:
    with opened_chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def address(bundled_app: Flask) -> Iterator[str]:
    with served(bundled_app) as url:
        yield url


@pytest.fixture(scope="module")
def hostile_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(create_app(site_of(stage(tmp_path_factory.mktemp("runs"))))) as url:
        yield url


def options(browser: WebDriver) -> list[str]:
    """The names on offer, once there are any."""
    shown = "[role=listbox]:not([hidden]) [role=option]"
    WebDriverWait(browser, 10).until(lambda there: there.find_elements(By.CSS_SELECTOR, shown))
    return [option.text.split("\n")[0] for option in browser.find_elements(By.CSS_SELECTOR, shown)]


def press(browser: WebDriver, *keys: str) -> None:
    ActionChains(browser).send_keys(*keys).perform()


def test_a_name_is_completed_and_gone_to_by_keyboard(chromium: WebDriver, address: str) -> None:
    look(chromium)
    chromium.get(f"{address}/browse")
    field = chromium.find_element(By.CSS_SELECTOR, "header input[type=search]")
    assert field.aria_role == "combobox"
    field.send_keys("cherry blos")
    assert options(chromium) == ["Pink Rathian"]
    option = chromium.find_element(By.CSS_SELECTOR, "[role=option]")
    assert "Cherry Blossom Fire Wyvern" in option.text  # the name that fits is said beside the one that is shown
    assert field.get_attribute("aria-expanded") == "true"
    assert field.get_attribute("aria-activedescendant") is None
    press(chromium, Keys.ARROW_DOWN)
    assert field.get_attribute("aria-activedescendant") == option.get_attribute("id")
    assert option.get_attribute("aria-selected") == "true"
    press(chromium, Keys.ENTER)
    WebDriverWait(chromium, 10).until(lambda there: "/browse" not in there.current_url)
    assert chromium.find_element(By.TAG_NAME, "h1").text == "Pink Rathian"


def test_arrows_go_round_and_escape_closes(chromium: WebDriver, address: str) -> None:
    chromium.get(f"{address}/search")
    field = chromium.find_element(By.ID, "q")
    field.send_keys("rath")
    names = options(chromium)
    assert len(names) == 4
    for key, chosen in ((Keys.ARROW_UP, 3), (Keys.ARROW_DOWN, None), (Keys.ARROW_DOWN, 0), (Keys.ARROW_DOWN, 1)):
        press(chromium, key)
        selected = [
            each.get_attribute("aria-selected") for each in chromium.find_elements(By.CSS_SELECTOR, "[role=option]")
        ]
        assert selected == ["true" if place == chosen else "false" for place in range(4)], key
    press(chromium, Keys.ESCAPE)
    assert field.get_attribute("aria-expanded") == "false"
    assert not chromium.find_element(By.CSS_SELECTOR, "[role=listbox]").is_displayed()
    assert field.get_attribute("value") == "rath"
    press(chromium, Keys.ENTER)  # without a choice, the form is sent
    WebDriverWait(chromium, 10).until(lambda there: "q=rath" in there.current_url)


def test_a_choice_fills_the_field_of_the_topic(chromium: WebDriver, address: str) -> None:
    chromium.get(f"{address}/")
    topic = chromium.find_element(By.ID, "topic")
    topic.send_keys("queen of the l")
    assert options(chromium) == ["Rathian"]
    chromium.find_element(By.CSS_SELECTOR, "[role=option]").click()
    assert topic.get_attribute("value") == "Rathian"
    topic.clear()
    topic.send_keys("tail sweep")
    assert len(options(chromium)) == 8
    press(chromium, Keys.ARROW_DOWN, Keys.ENTER)
    assert (topic.get_attribute("value") or "").startswith("https://w3id.org/scoutfly/mhw/id/")  # many are called so
    assert chromium.current_url == f"{address}/"


def test_the_endpoint_can_be_copied(chromium: WebDriver, address: str) -> None:
    chromium.get(f"{address}/")
    chromium.execute_cdp_cmd(
        "Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    )
    chromium.find_element(By.CSS_SELECTOR, "[data-copy]").click()
    WebDriverWait(chromium, 10).until(lambda there: there.find_element(By.CSS_SELECTOR, "[data-copy]").text == "Copied")


def test_labels_that_are_markup_are_completed_as_text(chromium: WebDriver, hostile_address: str) -> None:
    chromium.get(f"{hostile_address}/browse")
    chromium.find_element(By.CSS_SELECTOR, "header input[type=search]").send_keys("top")
    assert options(chromium) == ["Top <script>alert('label')</script>"]
    assert chromium.find_elements(By.CSS_SELECTOR, "[role=option] script, [role=option] style") == []


@pytest.mark.parametrize("page", PAGES)
def test_pages_fit_are_readable_and_complain_of_nothing(chromium: WebDriver, address: str, page: str) -> None:
    for scheme in ("light", "dark"):
        for width in (360, 768, 1280):
            look(chromium, width=width, scheme=scheme)
            chromium.get(f"{address}{page}")
            assert chromium.execute_script("return document.documentElement.scrollWidth") <= width, (width, page)
        assert faults_for_readers(chromium) == [], (scheme, page)
    assert complaints(chromium) == []
