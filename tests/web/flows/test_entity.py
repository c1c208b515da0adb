"""The page of an entity: its media play, its graph grows by click and by keyboard, and is filtered; its data."""

import json

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.web.browsing import look
from tests.web.flows.conftest import Visitor

pytestmark = pytest.mark.browser
CY = "document.querySelector('.graph-canvas')._cyreg.cy"
PLAYED = "return document.querySelector(arguments[0]).currentTime > 0"
SHOWN = f"return {CY}.nodes().filter(node => node.visible()).map(node => node.data('label'))"


def drawn(visitor: Visitor) -> set[str]:
    """The labels of the nodes that can be seen."""
    return set(visitor.run(SHOWN))  # type: ignore[call-overload, no-any-return]


def open_graph(visitor: Visitor, path: str, node: str) -> None:
    """Opens a page whose graph has this node."""
    visitor.go(path)
    visitor.one(".graph-canvas canvas")
    visitor.until(lambda: node in drawn(visitor), node)


def test_a_graph_grows_by_click_and_keeps_what_is_there(visitor: Visitor) -> None:
    open_graph(visitor, "/id/kitchen/kettle", "Fill with water")
    assert drawn(visitor) == {"Kettle", "Fill with water"}
    canvas = visitor.one(".graph-canvas")
    visitor.run("arguments[0].scrollIntoView({block: 'center'})", canvas)
    place = f"return {CY}.nodes().filter(node => node.data('label') === 'Fill with water')[0].renderedPosition()"
    at = visitor.run(place)
    size = canvas.size
    x, y = (at[axis] - size[side] / 2 for axis, side in (("x", "width"), ("y", "height")))  # type: ignore[index]
    ActionChains(visitor.browser).move_to_element_with_offset(canvas, round(x), round(y)).click().perform()
    visitor.until(lambda: "Boil" in drawn(visitor), "Boil")
    assert drawn(visitor) == {"Kettle", "Fill with water", "Boil"}
    assert visitor.one(".graph-status").text == "1 entity and 1 relation added."


def test_a_graph_grows_by_keyboard_and_says_the_same_in_words(visitor: Visitor) -> None:
    look(visitor.browser, width=360)
    open_graph(visitor, "/id/kitchen/fill", "Boil")
    first = visitor.one(".graph-node[tabindex='0']")
    first.send_keys(Keys.END)
    here = visitor.browser.switch_to.active_element
    while here.text != "Boil":
        here.send_keys(Keys.ARROW_UP)
        here = visitor.browser.switch_to.active_element
    here.send_keys(Keys.ENTER)
    visitor.until(lambda: {"Pour", "Wait"} <= drawn(visitor), "Pour")
    assert visitor.browser.switch_to.active_element.text == "Boil"  # the place is kept
    said = visitor.one(".graph-list").text
    assert "goes on with → Pour water is hot" in " ".join(said.split())
    visitor.browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert visitor.browser.switch_to.active_element.get_attribute("aria-label") == "Closer"


def test_a_graph_is_filtered_by_condition_and_relation(visitor: Visitor) -> None:
    open_graph(visitor, "/id/kitchen/boil", "Pour")
    visitor.click("Conditions (2)")
    box = visitor.until(
        lambda: next(label for label in visitor.all(".graph-filters label") if label.text.strip() == "water is hot")
    )
    box.click()
    visitor.until(lambda: drawn(visitor) == {"Boil", "Fill with water", "Wait"}, "one node less")
    assert "Pour" not in visitor.one(".graph-list").text
    box.click()
    visitor.until(lambda: "Pour" in drawn(visitor), "the node again")


def test_labels_of_edges_do_not_stand_in_one_anothers_way(visitor: Visitor) -> None:
    """With many edges they are shown where one points, is, or has chosen only."""
    open_graph(visitor, "/id/bundled-mhw/rathian", "Bite")
    labelled = f"return {CY}.edges().filter(edge => edge.pstyle('label').strValue !== '').length"
    assert visitor.run(labelled) == 0
    leaf = next(button for button in visitor.all(".graph-node") if button.text == "Bite")
    visitor.run("arguments[0].focus()", leaf)
    assert visitor.run(labelled) == 1
    open_graph(visitor, "/id/kitchen/boil", "Pour")
    assert visitor.run(labelled) == visitor.run(f"return {CY}.edges().length") == 3


def test_media_are_shown_and_play(visitor: Visitor) -> None:
    visitor.go("/id/kitchen/kettle")
    for picture in visitor.all("main img"):
        visitor.run("arguments[0].scrollIntoView()", picture)
    widths = "return [...document.querySelectorAll('main img')].map(image => image.naturalWidth)"
    visitor.until(lambda: visitor.run(widths) == [96, 96, 96], "three pictures")
    assert len(visitor.all(".strip img")) == 2
    for player in visitor.all("video, audio"):
        player.send_keys(Keys.SPACE)
    visitor.until(lambda: visitor.run("return document.querySelector('video').videoWidth") == 64, "the film")
    for kind in ("video", "audio"):
        visitor.until(lambda kind=kind: visitor.run(PLAYED, kind), kind)  # type: ignore[misc]
    assert "A green jug stands on a table.\nBy a person" in visitor.text
    assert "Something white moves to the right.\nBy model seer-1" in visitor.text


def test_its_data_and_the_query_behind_it_are_a_click_away(visitor: Visitor) -> None:
    visitor.go("/id/kitchen/kettle")
    visitor.click("The SPARQL behind this page")
    visitor.click("Open in the editor")
    visitor.until(lambda: visitor.path.startswith("/query?query="))
    visitor.one("#run")
    visitor.go("/id/kitchen/kettle")
    visitor.click("JSON-LD")
    data = visitor.until(
        lambda: visitor.run("return document.body.innerText.includes('Kettle') && document.body.innerText")
    )
    assert "http://example.org/kitchen/kettle" in json.dumps(json.loads(str(data)))
