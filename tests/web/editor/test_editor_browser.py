"""The editor in a real browser: a query runs, a fault is marked, texts stay texts, and nothing is asked elsewhere."""

import json
from collections.abc import Iterator
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from flask import Flask
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.wait import WebDriverWait

from tests.web.browsing import complaints, faults_for_readers, look, opened_chromium, require_packages, served
from tests.web.editor.conftest import BAIT, HTML
from web.editor.queries import BUNDLED, load_queries

pytestmark = pytest.mark.browser
READY = """
const page = document.getElementById("editor-page");
return page.dataset.ready === "yes" && !page.hasAttribute("aria-busy");
"""
CODE = "document.querySelector('.CodeMirror').CodeMirror"
CONSTRUCT = next(number for number, example in enumerate(load_queries(BUNDLED), 1) if "CONSTRUCT" in example.query)


@pytest.fixture(scope="module")
def chromium() -> Iterator[WebDriver]:
    with opened_chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def address(bundled_editor: Flask) -> Iterator[str]:
    require_packages()
    with served(bundled_editor) as url:
        yield url


def wait(browser: WebDriver) -> None:
    """Until the page is ready and nothing runs."""
    WebDriverWait(browser, 15).until(lambda there: there.execute_script(READY))


def visit(browser: WebDriver, address: str, *, query: str | None = None, run: bool = True) -> None:
    """Opens the editor, with a query that runs."""
    asked = "" if query is None else f"?query={quote(query)}" + ("&run=1" if run else "")
    browser.get(f"{address}/query{asked}")
    wait(browser)


def write(browser: WebDriver, text: str, *, line: int = 0, column: int = 0) -> None:
    """Puts a text into YASQE, and the cursor at a place in it."""
    browser.execute_script(
        f"const code = {CODE}; code.setValue(arguments[0]); code.focus(); code.setCursor(arguments[1], arguments[2]);",
        text,
        line,
        column,
    )


def written(browser: WebDriver) -> str:
    text: str = browser.execute_script(f"return {CODE}.getValue()")
    return text


def press(browser: WebDriver, *keys: str) -> None:
    ActionChains(browser).send_keys(*keys).perform()


def hints(browser: WebDriver) -> list[str]:
    """What is offered for completion, once something is."""
    selector = ".CodeMirror-hint .hint-name"
    WebDriverWait(browser, 5).until(lambda there: there.find_elements(By.CSS_SELECTOR, selector))
    return [hint.text for hint in browser.find_elements(By.CSS_SELECTOR, selector)]


def cells(browser: WebDriver) -> list[str]:
    return [cell.text for cell in browser.find_elements(By.CSS_SELECTOR, ".answers td")]


def test_a_query_is_written_and_run_by_keyboard_alone(chromium: WebDriver, address: str) -> None:
    look(chromium)
    complaints(chromium)
    visit(chromium, address)
    write(chromium, "")
    press(chromium, "SELECT ?n { ?m a <https://w3id.org/scoutfly/mhw#Monster> ; ")
    press(chromium, "<http://www.w3.org/2000/01/rdf-schema#label> ?n ")
    press(chromium, "} ORDER BY ?n LIMIT 2")
    ActionChains(chromium).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(Keys.CONTROL).perform()
    WebDriverWait(chromium, 10).until(cells)
    assert cells(chromium) == ["Anjanath en", "Azure Rathalos en"]
    assert chromium.find_element(By.ID, "summary").text.startswith("2 rows, ")
    press(chromium, Keys.ESCAPE)
    press(chromium, Keys.TAB)
    assert chromium.switch_to.active_element.get_attribute("id") == "run"
    assert complaints(chromium) == []


def test_tab_stays_in_the_editor_until_escape(chromium: WebDriver, address: str) -> None:
    look(chromium)
    visit(chromium, address)
    write(chromium, "ASK {}")
    press(chromium, Keys.TAB)
    assert written(chromium).strip() == "ASK {}"
    assert written(chromium) != "ASK {}"
    assert chromium.switch_to.active_element.get_attribute("aria-label") == "Query"
    press(chromium, Keys.ESCAPE, "x", Keys.TAB)  # typing on takes it back
    assert chromium.switch_to.active_element.get_attribute("aria-label") == "Query"


def test_completion_offers_classes_and_relations_of_the_graph_and_writes_their_prefix(
    chromium: WebDriver, address: str
) -> None:
    """Row B23."""
    look(chromium)
    visit(chromium, address)
    write(chromium, "SELECT * {\n  ?s a \n}", line=1, column=7)
    press(chromium, "mhw:Mons")
    assert hints(chromium) == ["mhw:Monster"]
    press(chromium, Keys.ENTER)
    assert "?s a mhw:Monster" in written(chromium)
    assert written(chromium).startswith("PREFIX mhw: <https://w3id.org/scoutfly/mhw#>")
    press(chromium, " ; mhw:continuesWith")
    offered = hints(chromium)
    assert offered[0] == "mhw:continuesWithAttackActionOf" or "mhw:continuesWithAttackActionOf" in offered
    assert all(name.startswith("mhw:continuesWith") for name in offered)
    asked = chromium.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
    assert all(name.startswith(address + "/") for name in asked), asked


def test_a_fault_is_told_with_its_place_and_marked(chromium: WebDriver, address: str) -> None:
    """Row B24."""
    look(chromium)
    visit(chromium, address, query="SELECT * {\n  ?s ?p ?o .\n  ?s nowhere:p ?o\n}")
    told = chromium.find_element(By.ID, "fault")
    assert told.get_attribute("role") == "alert"
    assert told.text.startswith("Line 3, column ")
    assert "Prefix not found" in told.text
    assert told.text.casefold().count("line 3, column") == 1
    assert chromium.execute_script(f"return {CODE}.getCursor().line") == 2
    assert len(chromium.find_elements(By.CSS_SELECTOR, ".fault-line")) == 1
    assert chromium.find_elements(By.CSS_SELECTOR, ".fault-mark")
    told.find_element(By.TAG_NAME, "button").click()
    press(chromium, "x")
    assert chromium.find_elements(By.CSS_SELECTOR, ".fault-mark, .fault-line") == []


def test_texts_of_a_graph_run_nothing(chromium: WebDriver, hostile_editor: Flask) -> None:
    """Row B18: a literal, markup in an rdf:HTML literal, an IRI and a caption are texts in every view of the answer."""
    require_packages()
    look(chromium)
    complaints(chromium)
    bait = BAIT.replace("\\", "\\\\").replace('"', '\\"')
    select = f'SELECT ?s ?p ?o ("{bait}"^^<{HTML}> AS ?html) (<javascript:alert(1)> AS ?iri) {{ ?s ?p ?o }}'
    construct = f'CONSTRUCT {{ ?s ?p ?o . ?s <javascript:alert(2)> "{bait}" }} {{ ?s ?p ?o }}'
    with served(hostile_editor) as address:
        for query in (select, construct):
            visit(chromium, address, query=query)
            title = chromium.title
            for tab in ("table", "graph", "raw"):
                chromium.find_element(By.ID, f"tab-{tab}").click()
                shown = chromium.find_element(By.ID, f"panel-{tab}")
                if tab == "graph":
                    WebDriverWait(chromium, 10).until(lambda browser: browser.find_elements(By.CSS_SELECTOR, "canvas"))
                assert shown.is_displayed()
                assert shown.find_elements(By.CSS_SELECTOR, "script, img, svg, iframe, style") == []
                links = shown.find_elements(By.CSS_SELECTOR, "a")
                assert all((link.get_attribute("href") or "").startswith(f"{address}/") for link in links)
            assert "<script>document.title='caught'</script>" in shown.text
            assert chromium.title == title != "caught"
    assert complaints(chromium) == []


def test_names_of_variables_are_texts(chromium: WebDriver, address: str) -> None:
    """Row B18: no server of ours answers so, since a name is letters; the page does not count on it."""
    look(chromium)
    visit(chromium, address)
    said = {"head": {"vars": [BAIT]}, "results": {"bindings": [{BAIT: {"type": "literal", "value": BAIT}}]}}
    answer = "new Response(arguments[0], {headers: {'Content-Type': 'application/sparql-results+json'}})"
    chromium.execute_script(f"const answer = {answer}; window.fetch = async () => answer;", json.dumps(said))
    title = chromium.title
    chromium.find_element(By.ID, "run").click()
    wait(chromium)
    assert chromium.find_element(By.CSS_SELECTOR, ".answers th").text == BAIT
    assert cells(chromium) == [BAIT]
    assert chromium.title == title


def test_a_graph_is_drawn_and_walked_through_by_keyboard(chromium: WebDriver, address: str) -> None:
    look(chromium)
    complaints(chromium)
    chromium.get(f"{address}/query?example={CONSTRUCT}&run=1")
    wait(chromium)
    WebDriverWait(chromium, 10).until(lambda browser: browser.find_elements(By.CSS_SELECTOR, ".canvas canvas"))
    canvas = chromium.find_element(By.CSS_SELECTOR, ".canvas")
    assert "nodes" in canvas.accessible_name
    canvas.send_keys(Keys.ARROW_RIGHT)
    link = chromium.find_element(By.CSS_SELECTOR, ".about a")
    assert "zinogre" in (link.get_attribute("title") or "")
    canvas.send_keys(Keys.ENTER)
    WebDriverWait(chromium, 10).until(lambda browser: "/query" not in browser.current_url)
    assert parse_qs(urlsplit(chromium.current_url).query).get("iri") or "/id/" in chromium.current_url
    assert [text for text in complaints(chromium) if "/entity" not in text and "/id/" not in text] == []


def test_tabs_go_by_arrow_keys_and_raw_has_every_format(chromium: WebDriver, address: str) -> None:
    look(chromium)
    visit(chromium, address, query="ASK { ?s ?p ?o }")
    assert chromium.find_element(By.CSS_SELECTOR, ".yes-no").text == "Yes"
    tab = chromium.find_element(By.ID, "tab-table")
    tab.send_keys(Keys.ARROW_RIGHT)
    assert chromium.switch_to.active_element.get_attribute("id") == "tab-raw"  # there is nothing to draw
    raw = chromium.find_element(By.CSS_SELECTOR, "#panel-raw pre")
    assert json.loads(raw.text)["boolean"] is True
    choice = chromium.find_element(By.ID, "raw-format")
    assert [option.text for option in choice.find_elements(By.TAG_NAME, "option")] == ["JSON", "XML", "CSV", "TSV"]
    choice.send_keys("XML")
    WebDriverWait(chromium, 10).until(lambda browser: "<boolean>true</boolean>" in raw.text)


def test_a_link_leads_back_to_the_query_and_its_answer(chromium: WebDriver, address: str) -> None:
    look(chromium)
    visit(chromium, address)
    query = 'ASK { ?s ?p "é & # + %" }'
    write(chromium, query)
    chromium.find_element(By.ID, "share").click()
    WebDriverWait(chromium, 5).until(lambda browser: browser.find_element(By.ID, "shared").text)
    link = chromium.current_url
    chromium.get("about:blank")
    chromium.get(link)
    wait(chromium)
    assert written(chromium).strip() == query
    assert chromium.find_element(By.CSS_SELECTOR, ".yes-no").text == "No"
    long = f"ASK {{ ?s ?p ?o }} # {'x' * 9000}"
    write(chromium, long)
    chromium.find_element(By.ID, "run").click()
    wait(chromium)
    assert len(urlsplit(chromium.current_url).query) == 0
    link = chromium.current_url
    chromium.get("about:blank")
    chromium.get(link)
    wait(chromium)
    assert written(chromium) == long


def test_a_link_with_a_query_runs_it_and_a_graph_is_drawn_at_once(chromium: WebDriver, address: str) -> None:
    look(chromium)
    for asked in ("query=CONSTRUCT+WHERE+{+?s+?p+?o+}+LIMIT+5", "example=1"):
        chromium.get(f"{address}/query?{asked}")
        wait(chromium)
        WebDriverWait(chromium, 30).until(lambda browser: browser.find_element(By.ID, "summary").text)
    visit(chromium, address, query="SELECT ?s { ?s ?p ?o } LIMIT 5")
    write(chromium, "CONSTRUCT WHERE { ?s ?p ?o } LIMIT 5")
    chromium.find_element(By.ID, "run").click()
    WebDriverWait(chromium, 30).until(lambda browser: "triples" in browser.find_element(By.ID, "summary").text)
    assert chromium.find_element(By.ID, "tab-graph").get_attribute("aria-selected") == "true"


def test_rows_are_shown_a_page_at_a_time(chromium: WebDriver, address: str) -> None:
    look(chromium)
    visit(chromium, address, query="SELECT ?s ?p { ?s ?p ?o } LIMIT 250")
    assert len(cells(chromium)) == 200
    later = chromium.find_elements(By.CSS_SELECTOR, ".pager button")[1]
    later.click()
    assert "101 to 200 of 250 rows" in chromium.find_element(By.CSS_SELECTOR, ".pager").text
    assert chromium.switch_to.active_element.text == "Next"
    press(chromium, Keys.ENTER)
    assert len(cells(chromium)) == 100
    assert chromium.switch_to.active_element.text == "Previous"


def test_a_query_that_takes_long_is_stopped(chromium: WebDriver, address: str) -> None:
    look(chromium)
    visit(chromium, address)
    chromium.execute_script("window.fetch = (url, { signal }) => new Promise((_, no) => "
                            "signal.addEventListener('abort', () => no(signal.reason)))")  # fmt: skip
    button = chromium.find_element(By.ID, "run")
    button.click()
    assert button.text == "Stop"
    button.click()
    WebDriverWait(chromium, 5).until(lambda browser: browser.find_element(By.ID, "shared").text == "Stopped.")
    assert button.text == "Run"


def test_without_the_packages_the_plain_field_runs_queries(
    chromium: WebDriver, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.editor.pages.vendored", lambda name: False)
    look(chromium)
    complaints(chromium)
    visit(chromium, address)
    area = chromium.find_element(By.ID, "query")
    area.clear()
    area.send_keys("SELECT ?s ?p ?o { ?s ?p ?o } LIMIT 1")
    area.send_keys(Keys.CONTROL + Keys.ENTER)
    wait(chromium)
    assert len(cells(chromium)) == 3
    assert not chromium.find_element(By.ID, "tab-graph").is_displayed()
    assert complaints(chromium) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(chromium: WebDriver, address: str, scheme: str) -> None:
    look(chromium, scheme=scheme)
    for page, tab in (
        (f"?example={CONSTRUCT}&run=1", "graph"),
        ("?example=4&run=1", "table"),
        ("?example=4&run=1", "raw"),
    ):
        chromium.get(f"{address}/query{page}")
        wait(chromium)
        chromium.find_element(By.ID, f"tab-{tab}").click()
        assert faults_for_readers(chromium) == [], page
    visit(chromium, address, query="SELECT")
    assert faults_for_readers(chromium) == []


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_the_page_is_no_wider_than_the_window(chromium: WebDriver, address: str, width: int) -> None:
    look(chromium, width=width)
    for page in ("", f"?example={CONSTRUCT}&run=1", "?example=4&run=1", "?query=SELECT&run=1"):
        chromium.get(f"{address}/query{page}")
        wait(chromium)
        assert chromium.execute_script("return document.documentElement.scrollWidth") <= width, page
