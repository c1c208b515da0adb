"""The page of an entity in a real browser: its graph by mouse and keyboard, filters, media, widths, contrast."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.wait import WebDriverWait

from kg.bundled import ensure_bundled
from kg.home import Home
from tests.web.browsing import complaints, faults_for_readers, look, opened_chromium, require_packages, served
from tests.web.entity.conftest import app_over, imported, png, wav

pytestmark = pytest.mark.browser
RATHIAN = "/id/bundled-mhw/rathian"
MEDIA = """
<cat> a ex:Animal ; rdfs:label "Cat" ; sf:hasMedia <picture>, <sound>, <f0>, <f1> ; ex:eats <mouse> .
<mouse> a ex:Animal ; rdfs:label "</script><script>alert(1)</script>" ; sf:hasMedia <picture> .
<picture> a sf:Image ; schema:contentUrl "cat.png" ; schema:encodingFormat "image/png" .
<sound> a sf:Audio ; schema:contentUrl "purr.wav" ; schema:encodingFormat "audio/wav" .
<f0> a sf:Keyframe ; schema:contentUrl "cat.png" ; schema:encodingFormat "image/png" ; sf:frameIndex 0 .
<f1> a sf:Keyframe ; schema:contentUrl "cat.png" ; schema:encodingFormat "image/png" ; sf:frameIndex 1 .
"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[WebDriver]:
    require_packages()
    with opened_chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of the bundled graph."""
    folder = tmp_path_factory.mktemp("bundled")
    home = Home(folder / "home")
    ensure_bundled(home)
    with served(app_over(home, folder)) as url:
        yield url


@pytest.fixture(scope="module")
def media_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of a graph with media, and with a hostile label."""
    folder: Path = tmp_path_factory.mktemp("media")
    (folder / "files").mkdir()
    (folder / "files" / "cat.png").write_bytes(png())
    (folder / "files" / "purr.wav").write_bytes(wav())
    with served(imported(folder, {"cats": MEDIA}, media_root=folder / "files")) as url:
        yield url


def open_page(browser: WebDriver, address: str) -> None:
    """Opens the page and waits until its graph is drawn."""
    complaints(browser)
    browser.get(address)
    WebDriverWait(browser, 60).until(lambda b: b.find_elements(By.CSS_SELECTOR, ".graph-canvas canvas"))
    WebDriverWait(browser, 60).until(names)


def names(browser: WebDriver) -> list[str]:
    """The entities in the list beside the drawing that are shown."""
    # By one script: the list is made anew while one reads.
    said = "return [...document.querySelectorAll(arguments[0])].map(button => button.textContent)"
    found: list[str] = browser.execute_script(said, ".graph-list > li:not([hidden]) > .graph-node")
    return found


def test_the_graph_is_drawn_and_said_in_words_without_a_complaint(chromium: WebDriver, address: str) -> None:
    look(chromium)
    open_page(chromium, address + RATHIAN)
    assert {"Rathian", "Triple Fireballs", "Rathalos", "Dragon"} <= set(names(chromium))
    drawn = chromium.execute_script(
        "const c = document.querySelector('.graph-canvas canvas[data-id=\"layer2-node\"]');"
        "return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(v => v > 0)"
    )
    assert drawn
    assert complaints(chromium) == []
    loaded = chromium.execute_script("return performance.getEntriesByType('resource').map(r => r.name)")
    assert all(urlsplit(name).netloc == urlsplit(address).netloc for name in loaded)


def test_by_keyboard_a_node_is_opened_and_the_list_left(chromium: WebDriver, address: str) -> None:
    look(chromium)
    open_page(chromium, address + RATHIAN)
    before = names(chromium)
    button = chromium.find_element(By.CSS_SELECTOR, ".graph-node[tabindex='0']")
    assert button.text == "Rathian"
    button.send_keys(Keys.END)
    chromium.switch_to.active_element.send_keys(Keys.HOME)
    for _ in range(before.index("Rathalos")):
        chromium.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    focused = chromium.switch_to.active_element
    assert focused.text == "Rathalos"
    focused.send_keys(Keys.ENTER)
    WebDriverWait(chromium, 60).until(lambda b: len(names(b)) > len(before))
    assert chromium.switch_to.active_element.text == "Rathalos"  # it keeps the focus
    assert "added" in chromium.find_element(By.CSS_SELECTOR, ".graph-status[role=status]").text
    chromium.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert chromium.switch_to.active_element.accessible_name == "Closer"
    assert complaints(chromium) == []


def test_by_mouse_a_node_is_opened(chromium: WebDriver, address: str) -> None:
    look(chromium)
    open_page(chromium, address + RATHIAN)
    before = names(chromium)
    node = next(b for b in chromium.find_elements(By.CSS_SELECTOR, ".graph-node") if b.text == "Pink Rathian")
    node.click()
    WebDriverWait(chromium, 60).until(lambda b: len(names(b)) > len(before))


def test_relations_and_conditions_are_filtered(chromium: WebDriver, address: str) -> None:
    look(chromium)
    open_page(chromium, address + RATHIAN)
    before = set(names(chromium))
    details = chromium.find_element(By.CSS_SELECTOR, ".graph-filters details[data-what=relations]")
    details.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    labels = {label.text.strip(): label for label in details.find_elements(By.TAG_NAME, "label")}
    assert "has attack action of" in labels
    box = labels["has attack action of"].find_element(By.TAG_NAME, "input")
    box.send_keys(Keys.SPACE)
    gone = before - set(names(chromium))
    assert "Triple Fireballs" in gone and "Rathalos" not in gone
    box.send_keys(Keys.SPACE)
    assert set(names(chromium)) == before
    conditions = chromium.find_element(By.CSS_SELECTOR, ".graph-filters details[data-what=conditions]")
    conditions.find_element(By.TAG_NAME, "summary").send_keys(Keys.ENTER)
    for label in conditions.find_elements(By.TAG_NAME, "label"):
        if label.text.strip() == "no condition":
            label.find_element(By.TAG_NAME, "input").send_keys(Keys.SPACE)
    assert "Dragon" not in names(chromium)


def test_media_are_shown_and_markup_runs_nothing(chromium: WebDriver, media_address: str) -> None:
    look(chromium)
    open_page(chromium, f"{media_address}/id/cats/cat")
    sizes = "return [...document.images].map(image => image.naturalWidth)"
    for image in chromium.find_elements(By.TAG_NAME, "img"):
        chromium.execute_script("arguments[0].scrollIntoView()", image)
    WebDriverWait(chromium, 60).until(lambda b: set(b.execute_script(sizes)) == {2})
    assert len(chromium.find_elements(By.CSS_SELECTOR, ".strip img")) == 2
    length = "const a = document.querySelector('audio'); a.load(); return a.readyState + a.networkState > 0"
    assert chromium.execute_script(length)
    assert "</script><script>alert(1)</script>" in names(chromium)
    assert complaints(chromium) == []


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_no_page_is_wider_than_the_window(chromium: WebDriver, address: str, media_address: str, width: int) -> None:
    look(chromium, width=width)
    for page in (address + RATHIAN, f"{media_address}/id/cats/cat", f"{address}/id/bundled-mhw/element/fire"):
        open_page(chromium, page)
        assert chromium.execute_script("return document.documentElement.scrollWidth") <= width, page


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(chromium: WebDriver, address: str, media_address: str, scheme: str) -> None:
    look(chromium, scheme=scheme)
    for page in (address + RATHIAN, f"{media_address}/id/cats/cat"):
        open_page(chromium, page)
        assert faults_for_readers(chromium) == [], page


def test_without_cytoscape_the_list_is_shown_alone(chromium: WebDriver, address: str) -> None:
    look(chromium)
    chromium.execute_cdp_cmd("Network.enable", {})
    chromium.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*vendor/cytoscape*"]})
    try:
        chromium.get(address + RATHIAN)
        WebDriverWait(chromium, 60).until(names)
        assert not chromium.find_element(By.CSS_SELECTOR, ".graph-canvas").is_displayed()
        assert "Triple Fireballs" in names(chromium)
    finally:
        chromium.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
        complaints(chromium)


OVERLAPS = """
const drawing = document.querySelector(".graph-canvas")._cyreg.cy;
const boxes = drawing.nodes(":visible").map(node => (
  [node.data("label"), node.boundingBox({ includeOverlays: false, includeEdges: false })]));
return boxes.flatMap(([name, a], n) => boxes.slice(n + 1)
  .filter(([, b]) => a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2).map(([other]) => `${name} on ${other}`));
"""
ZOOM = "return document.querySelector('.graph-canvas')._cyreg.cy.zoom()"


def wait_for_more_names(browser: WebDriver, before: int) -> None:
    WebDriverWait(browser, 60).until(lambda b: len(names(b)) > before)


@pytest.mark.parametrize("width", [360, 1280])
def test_names_do_not_lie_on_one_another(chromium: WebDriver, address: str, width: int) -> None:
    look(chromium, width=width)
    open_page(chromium, address + RATHIAN)
    for name in ("Pink Rathian", "Azure Rathalos", "Rathalos"):
        before = len(names(chromium))
        node = next(b for b in chromium.find_elements(By.CSS_SELECTOR, ".graph-node") if b.text == name)
        chromium.execute_script("arguments[0].click()", node)
        wait_for_more_names(chromium, before)
        assert chromium.execute_script(OVERLAPS) == []
        assert chromium.execute_script(ZOOM) >= 0.7


def test_a_class_has_one_colour_on_every_page(chromium: WebDriver, address: str) -> None:
    look(chromium)
    legends = []
    for page in (RATHIAN, "/id/bundled-mhw/element/fire"):
        open_page(chromium, address + page)
        swatches = chromium.find_elements(By.CSS_SELECTOR, ".graph-legend .graph-swatch")
        legends.append(
            {s.find_element(By.XPATH, "..").text: s.value_of_css_property("background-color") for s in swatches}
        )
    assert {"Monster", "Attack Action", "Element"} <= legends[0].keys()
    assert legends[1]["Monster"] == legends[0]["Monster"]
    assert len(set(legends[0].values())) == len(legends[0])


def test_conditions_to_filter_by_are_those_of_the_catalogue(chromium: WebDriver, address: str) -> None:
    look(chromium)
    open_page(chromium, address + RATHIAN)
    said = (
        "return [...document.querySelectorAll('[data-what=conditions] label')].map(label => label.textContent.trim())"
    )
    offered = chromium.execute_script(said)
    assert "is angry" in offered and "no condition" in offered
    assert not [text for text in offered if text.startswith("When ")]


GROW_A_TREE = """
const done = arguments[arguments.length - 1];
(async () => {
  const { createGraph } = await import(new URL("/static/graph-view.js", location).href);
  const place = document.createElement("div");
  document.querySelector("main").replaceChildren(place);
  const graph = await createGraph(place, { focus: "urn:0", layout: "tree" });
  const node = n => ({ iri: `urn:${n}`, label: `The long name of attack ${n}`, kind: "", href: "/" });
  const edge = (n, m) => ({ id: `${n} ${m}`, source: `urn:${n}`, target: `urn:${m}`,
    relation: "urn:r", base: "urn:r", base_label: "leads to", conditions: [] });
  graph.addNeighbourhood({ nodes: [node(0)], edges: [] });
  for (let n = 0; n < 12; n += 1) {
    const below = [3 * n + 1, 3 * n + 2, 3 * n + 3];
    graph.addNeighbourhood({ nodes: below.map(node), edges: below.map(m => edge(n, m)) }, { around: `urn:${n}` });
  }
  graph.addNeighbourhood({ nodes: [], edges: [edge(36, 0)] });
  const said = place.querySelector(".graph-status").textContent;
  graph.addNeighbourhood({ nodes: [], edges: [] });
  done([said, place.querySelector(".graph-status").textContent, graph.cy.nodes().length]);
})().catch(error => done([String(error)]));
"""


def test_a_walk_grows_as_a_tree_whose_names_are_apart(chromium: WebDriver, address: str) -> None:
    look(chromium)
    open_page(chromium, address + RATHIAN)
    said = "0 entities and 1 relation added."
    assert chromium.execute_async_script(GROW_A_TREE) == [said, said, 37]
    assert chromium.execute_script(OVERLAPS) == []
    assert chromium.execute_script(ZOOM) >= 0.7


USE_MODULE = """
const done = arguments[arguments.length - 1];
(async () => {
  const { createGraph } = await import(new URL("/static/graph-view.js", location).href);
  const place = document.createElement("div");
  document.querySelector("main").replaceChildren(place);
  const graph = await createGraph(place, { focus: "urn:0", label: "Many" });
  const nodes = Array.from({ length: 300 }, (_, n) => (
    { iri: `urn:${n}`, label: `<b>node ${n}</b>`, kind: "", href: "/" }));
  const edges = nodes.slice(1).map(({ iri }) => ({
    id: `to ${iri}`, source: "urn:0", target: iri,
    relation: "urn:r", base: "urn:r", base_label: "to", conditions: [] }));
  graph.addNeighbourhood({ nodes, edges });
  graph.addNeighbourhood({ nodes, edges });
  graph.highlight({ nodes: ["urn:0", "urn:7"], edges: ["to urn:7"] });
  graph.mark(["urn:7"], "chosen");
  const said = place.querySelector(".graph-status").textContent;
  const faint = graph.cy.elements(".faint").length;
  const path = graph.cy.elements(".path").map(element => element.id());
  const chosen = graph.cy.elements(".chosen").map(element => element.id());
  const drawn = [graph.cy.nodes().length, graph.cy.edges().length];
  graph.clear();
  const left = graph.cy.elements().length, bold = place.querySelectorAll("b").length;
  done(JSON.stringify({ drawn, said, faint, path, chosen, left, bold }));
})().catch(error => done(JSON.stringify({ error: String(error) })));
"""


def test_the_module_draws_so_many_and_no_more(chromium: WebDriver, address: str) -> None:
    look(chromium)
    open_page(chromium, address + RATHIAN)
    found = json.loads(chromium.execute_async_script(USE_MODULE))
    assert found.get("error") is None
    assert found["drawn"] == [200, 199]
    assert "100 entities are not drawn: no more than 200 are" in found["said"]
    assert sorted(found["path"]) == ["to urn:7", "urn:0", "urn:7"]
    assert found["faint"] == 399 - 3
    assert found["chosen"] == ["urn:7"]
    assert (found["left"], found["bold"]) == (0, 0)
