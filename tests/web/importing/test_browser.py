"""The import pages in a real browser: a bad file and a good one, with scripts and without, for every kind of reader."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.wait import WebDriverWait

from kg.home import Home
from kg.sources import recorded
from tests.web.browsing import complaints, faults_for_readers, look, opened_chromium, require_packages, served
from tests.web.importing.conftest import TOKEN
from tests.web.test_browser import LOW_CONTRAST

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[WebDriver]:
    with opened_chromium() as browser:
        yield browser


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    with served(app) as url:
        yield url


def main_text(browser: WebDriver) -> str:
    """What the page says; nothing while it gives way to the next one."""
    try:
        return browser.find_element(By.TAG_NAME, "main").text
    except (NoSuchElementException, StaleElementReferenceException):
        return ""


def sign_in(browser: WebDriver, address: str) -> None:
    browser.get(f"{address}/import")
    browser.delete_all_cookies()  # one of an earlier test would do, since the token is the same
    browser.get(f"{address}/import")
    browser.find_element(By.ID, "token").send_keys(TOKEN)
    browser.find_element(By.CSS_SELECTOR, "main button").click()
    WebDriverWait(browser, 20).until(lambda found: found.find_elements(By.ID, "files"))


def send(browser: WebDriver, address: str, path: Path) -> None:
    browser.get(f"{address}/import")
    browser.find_element(By.ID, "files").send_keys(str(path))
    browser.find_element(By.CSS_SELECTOR, "form[data-upload] button").click()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_bad_file_and_a_good_one(
    chromium: WebDriver, address: str, home: Home, tmp_path: Path, scripts: bool
) -> None:
    look(chromium)
    complaints(chromium)
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not scripts})
    try:
        sign_in(chromium, address)
        bad, good = tmp_path / "bad.ttl", tmp_path / "good.ttl"
        bad.write_text("<!doctype html><html><body><script>alert(1)</script></body></html>")
        good.write_text("<http://example.org/m> <http://example.org/madeOf> <http://example.org/s> .")
        send(chromium, address, bad)
        WebDriverWait(chromium, 60).until(lambda found: "Not imported" in main_text(found))
        assert "bad.ttl is an HTML page" in main_text(chromium)
        send(chromium, address, good)
        WebDriverWait(chromium, 60).until(lambda found: "nothing is changed yet" in main_text(found))
        assert "made of" in main_text(chromium)
        chromium.find_element(By.CSS_SELECTOR, "form[action$='/publish'] button").click()
        WebDriverWait(chromium, 60).until(lambda found: "The graph holds the source good now." in main_text(found))
    finally:
        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    with home.snapshot() as snapshot:
        assert [source.slug for source in recorded(snapshot)] == ["first", "good"]
    assert complaints(chromium) == []


def test_a_form_that_will_not_do_is_told_where_it_stands(chromium: WebDriver, address: str, tmp_path: Path) -> None:
    look(chromium)
    sign_in(chromium, address)
    path = tmp_path / "g.ttl"
    path.write_text("<urn:a> <urn:b> <urn:c> .")
    chromium.find_element(By.ID, "name").send_keys("!!!")
    chromium.find_element(By.ID, "files").send_keys(str(path))
    chromium.find_element(By.CSS_SELECTOR, "form[data-upload] button").click()
    told = WebDriverWait(chromium, 30).until(lambda found: found.find_element(By.CSS_SELECTOR, "[role=alert]").text)
    assert "letter or a digit" in told
    assert chromium.find_element(By.ID, "files").get_attribute("value")  # what was chosen is still there


@pytest.mark.parametrize("width", [360, 768, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_fit_and_can_be_read(
    chromium: WebDriver, address: str, tmp_path: Path, width: int, scheme: str
) -> None:
    look(chromium, width=width, scheme=scheme)
    sign_in(chromium, address)
    rows = "\n".join(f"A{i},leads to a place with a long name {i},{'x' * 60}{i}" for i in range(5))
    table = tmp_path / "rows.csv"
    table.write_text(f"head,relation,tail\n{rows}\nA,,B\n")
    send(chromium, address, table)
    WebDriverWait(chromium, 60).until(lambda found: "Rejected rows" in main_text(found))
    upload = chromium.current_url
    for page in (upload, f"{address}/import", f"{address}/download", f"{address}/ontology", f"{address}/ontology/mhw"):
        chromium.get(page)
        assert chromium.execute_script("return document.documentElement.scrollWidth") <= width, page
        assert chromium.execute_script(LOW_CONTRAST) == [], page
        loaded = chromium.execute_script("return performance.getEntriesByType('resource').map(r => r.name)")
        assert all(name.startswith(address + "/") for name in loaded), page


def test_an_anchor_of_the_vocabulary(chromium: WebDriver, address: str) -> None:
    look(chromium)
    complaints(chromium)
    chromium.get(f"{address}/ontology/mhw#isAngry")
    entry = chromium.find_element(By.CSS_SELECTOR, ":target")
    assert entry.text.startswith("is angry")
    top = "return arguments[0].getBoundingClientRect().top"
    WebDriverWait(chromium, 10).until(lambda browser: 0 <= browser.execute_script(top, entry) < 900)
    assert complaints(chromium) == []


def test_readers_who_do_not_look(chromium: WebDriver, address: str, tmp_path: Path) -> None:
    require_packages()
    look(chromium)
    sign_in(chromium, address)
    table = tmp_path / "rows.csv"
    table.write_text("head,relation,tail\nA,leads to,B\nA,,B\n")
    send(chromium, address, table)
    WebDriverWait(chromium, 60).until(lambda found: "Rejected rows" in main_text(found))
    upload = chromium.current_url
    for page in (upload, f"{address}/import", f"{address}/download", f"{address}/ontology", f"{address}/ontology/ns"):
        chromium.get(page)
        found = [fault for fault in faults_for_readers(chromium) if fault[1] in ("serious", "critical")]
        assert found == [], page
