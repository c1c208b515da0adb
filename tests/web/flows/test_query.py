"""A query in the editor of the whole site: results, downloads, a fault with its place, and the step to an entity."""

import csv
import io

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.web.flows.conftest import Visitor

pytestmark = pytest.mark.browser
READY = "const page = document.getElementById('editor-page'); return page.dataset.ready === 'yes' && !page.ariaBusy"
WRITE = "document.querySelector('.CodeMirror').CodeMirror.setValue(arguments[0])"
QUERY = """PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
SELECT ?step ?label WHERE { ?step a <http://example.org/kitchen/Step> ; rdfs:label ?label } ORDER BY ?label"""


def write_and_run(visitor: Visitor, query: str) -> None:
    visitor.until(lambda: visitor.run(READY))
    visitor.run(WRITE, query)
    visitor.one(".CodeMirror").click()
    ActionChains(visitor.browser).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(Keys.CONTROL).perform()


def test_a_query_runs_and_its_results_are_downloaded(visitor: Visitor) -> None:
    visitor.go("/query")
    write_and_run(visitor, QUERY)
    visitor.until(lambda: len(visitor.all(".answers tbody tr")) == 4)
    visitor.click("CSV", within="#downloads")
    rows = list(csv.reader(io.StringIO(visitor.downloaded("result.csv").decode())))
    assert rows[0] == ["step", "label"]
    assert [row[1] for row in rows[1:]] == ["Boil", "Fill with water", "Pour", "Wait"]
    visitor.one(".answers td a").click()
    visitor.until(lambda: visitor.path == "/id/kitchen/boil")
    assert visitor.one("h1").text == "Boil"


def test_a_fault_is_told_with_line_and_column_and_mended(visitor: Visitor) -> None:
    visitor.allowed = ["/sparql"]  # Chromium notes an answer of 400
    visitor.go("/query")
    write_and_run(visitor, "SELECT * {\n  ?s ?p ?o .\n  ?s nowhere:p ?o\n}")
    told = visitor.until(lambda: next((one for one in visitor.all("#fault") if one.text), None)).text
    assert told.startswith("Line 3, column ")
    assert visitor.all(".fault-line")
    write_and_run(visitor, "ASK { ?s ?p ?o }")
    visitor.until(lambda: [one.text for one in visitor.all(".yes-no")] == ["Yes"])
    assert not visitor.all("#fault")[0].is_displayed()
