"""Texts that hold markup, in every place that shows texts of a graph: they are shown, and nothing else happens."""

from pathlib import Path
from urllib.parse import quote

import pytest
from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from tests.web.flows.conftest import Visitor
from tests.web.flows.premises import ODD, TOKEN

pytestmark = pytest.mark.browser
SCRIPT = "<script>document.title='caught'</script>"
_EX = quote(ODD, safe="")
_ALL = quote("SELECT * { ?s ?p ?o FILTER(STRSTARTS(STR(?s), 'http://example.org/')) }", safe="")
_DRAWN = quote(f"CONSTRUCT {{ ?s ?p ?o }} {{ ?s ?p ?o . FILTER(?s IN (<{ODD}top>, <{ODD}leaf>)) }}", safe="")
PAGES = {
    "home": "/",
    "search": "/search?q=top",
    "search for markup": "/search?q=" + quote(SCRIPT),
    "list": f"/browse?type={_EX}Kind",
    "filter that is not known": f"/browse?type={_EX}Kind&condition=" + quote(SCRIPT),
    "relations": "/relations?q=leads",
    "relation": f"/relations?iri={_EX}rel-c",
    "conditions": "/conditions?q=condition",
    "topic": "/id/odd/top",
    "leaf": "/id/odd/leaf",
    "class": "/id/odd/Kind",
    "edge": "/id/odd/rel-c",
    "fact": "/id/odd/fact",
    "odd address": f"/entity?iri={_EX}o'onmouseover%3D'alert(1)",
    "unknown address": "/entity?iri=" + quote(f"http://example.org/{SCRIPT}", safe=""),
    "results": f"/query?query={_ALL}&run=1",
    "drawn results": f"/query?query={_DRAWN}&run=1",
    "query that is markup": "/query?query=" + quote(SCRIPT) + "&run=1",
    "question": "/ask?question=" + quote(SCRIPT) + "&topic=" + quote(SCRIPT),
    "download": "/download",
    "ontology": "/ontology",
    "nowhere": "/" + quote(SCRIPT, safe=""),
}
# What markup out of a text would have made: a script of its own, a handler, a foreign frame, picture, link or style.
MADE = """
const own = location.origin + '/';
const all = [...document.querySelectorAll('*')];
return all.filter(one =>
  (one.localName === 'script' && !one.src.startsWith(own)) || one.localName === 'iframe' || one.localName === 'style'
  || [...one.attributes].some(attribute => attribute.name.startsWith('on'))
  || (one.localName === 'img' && !one.src.startsWith(own))
  || (one.localName === 'a' && one.href && !/^https?:/.test(one.protocol))
  || (one.localName === 'b' && one.textContent === 'caption') || (one.localName === 'u' && one.textContent === 'to')
).map(one => one.outerHTML.slice(0, 200));
"""


def hold(visitor: Visitor) -> None:
    """The page as it is made nothing of the texts in it."""
    with pytest.raises(NoAlertPresentException):
        visitor.browser.switch_to.alert.accept()
    assert visitor.run(MADE) == []
    assert visitor.browser.title != "caught"


@pytest.mark.parametrize("kind", PAGES)
def test_markup_in_texts_makes_nothing(visitor: Visitor, kind: str) -> None:
    visitor.allowed = ["404 (Not Found)", "400 (Bad Request)", "400 (BAD REQUEST)", "404 (NOT FOUND)"]
    visitor.settle(PAGES[kind])
    hold(visitor)


def test_the_texts_themselves_are_shown(visitor: Visitor) -> None:
    shown = {
        "/id/odd/top": "Top <script>alert('label')</script>",
        "/id/odd/leaf": "\"><svg onload=alert('leaf')>",
        f"/browse?type={_EX}Kind": "Kind <style>*{display:none}</style>",
        "/relations?q=leads": "leads <u>to</u>",
        "/conditions?q=condition": "condition </text></svg><script>alert('condition')</script>",
        PAGES["odd address"]: f"Odd </a>{SCRIPT} IRI",
    }
    for path, text in shown.items():
        visitor.go(path)
        assert text in visitor.text, path


def test_completion_and_results_show_markup_as_text(visitor: Visitor) -> None:
    visitor.go("/browse")
    visitor.one("header input[name=q]").send_keys("top <scr")
    assert "Top <script>alert('label')</script>" in visitor.one("[role=option]").text
    hold(visitor)
    visitor.go(PAGES["drawn results"])
    visitor.one("#results")
    for tab in ("graph", "raw", "table"):
        visitor.one(f"#tab-{tab}").click()
        visitor.one(f"#panel-{tab}")
        hold(visitor)
    assert "<img src=x onerror=alert('context')>" in visitor.one("#panel-table").text


def test_a_walk_through_it_is_watched_and_read(visitor: Visitor, odd_run: str) -> None:
    visitor.settle(f"{odd_run}?watch=1")
    hold(visitor)
    assert "Top <script>alert('label')</script>" in visitor.text
    for path in (odd_run, "/runs", f"/ask?run={odd_run.rpartition('/')[2]}"):
        visitor.go(path)
        hold(visitor)
    visitor.go(odd_run)
    assert visitor.one("h1").text == f"{SCRIPT} where to?"


def test_names_of_files_and_what_a_report_quotes_are_texts(visitor: Visitor, tmp_path: Path) -> None:
    visitor.allowed = ["Password forms should have"]
    visitor.go("/import")
    visitor.one("#token").send_keys(TOKEN)
    visitor.click("Sign in")
    bait = tmp_path / "<img src=x onerror=alert(1)>.csv"
    bait.write_text(f"head,relation,tail\n{SCRIPT},leads,{SCRIPT}\n{SCRIPT},,x\n", encoding="utf-8")
    visitor.one("#files").send_keys(str(bait))
    visitor.click("Send and check")
    visitor.until(lambda: visitor.path.startswith("/import/") and visitor.one("h1").text.startswith("Checked"))
    hold(visitor)
    assert "<img src=x onerror=alert(1)>.csv" in visitor.text
    visitor.click("Discard")
    visitor.one("#files")
    hold(visitor)
    visitor.go("/download")
    choices = [option.text for option in Select(visitor.browser.find_element(By.ID, "iri")).options]
    assert any("Kind <style>" in choice for choice in choices)
