"""The pages without JavaScript: every way through the site works by links, forms and reloads."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from tests.web.flows.conftest import Visitor
from tests.web.flows.premises import TOKEN

pytestmark = pytest.mark.browser


@pytest.fixture
def plain(visitor: Visitor) -> Iterator[Visitor]:
    """Someone whose browser runs no scripts of pages."""
    visitor.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    yield visitor
    visitor.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_search_leads_to_an_entity_that_says_all_in_words(plain: Visitor) -> None:
    plain.go("/")
    plain.one("#q").send_keys("wasserkocher")
    plain.click("Search", within="main form")
    plain.click("Kettle", within="main")
    plain.until(lambda: plain.path == "/id/kitchen/kettle")
    assert plain.all("canvas") == []
    assert "The lists below say the same in words." in plain.text
    assert "begins with" in plain.text
    assert len(plain.all("main img, video, audio")) == 5
    plain.click("Fill with water", within="main")
    assert plain.one("h1").text == "Fill with water"


def test_lists_are_narrowed_sorted_and_paged(plain: Visitor) -> None:
    plain.go("/browse")
    plain.click("Attack Action", within="main")
    plain.one("#facets details[open] ul a").click()
    plain.until(lambda: plain.one("#found").text != "265 entities")
    total = int(plain.one("#found").text.split()[0])
    assert 0 < total < 265
    choice = Select(plain.one("#sort"))
    choice.select_by_index(1)
    plain.click("Sort")
    plain.until(lambda: "sort=" in plain.path)
    assert str(Select(plain.one("#sort")).first_selected_option.get_attribute("value")) in plain.path
    assert plain.one("#found").text.startswith(f"{total} ")


def test_a_query_is_answered_and_a_fault_keeps_it(plain: Visitor) -> None:
    plain.allowed = ["/query"]  # Chromium notes an answer of 400
    plain.go("/query")
    field = plain.one("textarea#query")
    field.clear()
    field.send_keys("SELECT ?s { ?s a <http://example.org/kitchen/Step> } ORDER BY ?s")
    plain.one("#run").click()
    plain.until(lambda: len(plain.all(".answers tbody tr")) == 4, "four rows")
    field = plain.one("textarea#query")
    field.clear()
    field.send_keys("SELECT ?s { ?s\n nowhere:p ?o }")
    plain.one("#run").click()
    assert plain.one("#problem .place").text.startswith("Line 2")
    assert "nowhere:p" in str(plain.one("textarea#query").get_attribute("value"))


def test_a_question_is_asked_and_the_page_looks_again_until_the_answer(plain: Visitor) -> None:
    model = plain.premises.model
    with model.held():
        plain.go("/ask")
        plain.one("#question").send_keys("Which step is seen without scripts?")
        plain.one("#topic").send_keys("Kettle")
        Select(plain.one("#policy")).select_by_value("llm")
        plain.click("Ask", within="main form")
        model.await_question(1)
        assert "This page looks again every two seconds." in plain.text
        model.let(1000)
        plain.until(lambda: plain.all(".answer"), "the answer, by itself")
    assert "Boil, then pour." in plain.one(".answer").text
    assert plain.one("svg.routes").is_displayed()


def test_files_are_taken_along_and_brought(plain: Visitor, tmp_path: Path) -> None:
    plain.allowed = ["Password forms should have"]
    plain.go("/download")
    Select(plain.one("#iri")).select_by_visible_text("Kitchen step (4)")
    Select(plain.one("#format")).select_by_visible_text("N-Triples")
    plain.click("Download", within="main form")
    names = plain.until(lambda: [path.name for path in plain.downloads.glob("*.nt")], "a file")
    assert b"http://example.org/kitchen/boil" in plain.downloaded(names[0])
    plain.go("/import")
    plain.one("#token").send_keys(TOKEN)
    plain.click("Sign in")
    table = tmp_path / "plain.csv"
    table.write_text("head,relation,tail\nSpoon,stirs,Cup\n", encoding="utf-8")
    plain.one("#files").send_keys(str(table))
    plain.click("Send and check")
    plain.until(lambda: plain.one("h1").text == "Checked: nothing is changed yet", "the trial, by reloads")
    triples = plain.browser.find_element(By.XPATH, "//dt[.='triples']/../dd").text
    assert re.fullmatch(r"[1-9]\d*", triples)
    plain.click("Discard")
    plain.one("#files")
