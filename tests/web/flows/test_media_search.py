"""A file is chosen, and what looks like it is found, with the entities that it shows."""

from pathlib import Path

import pytest

from tests.web.browsing import faults_for_readers, look
from tests.web.flows.conftest import Visitor
from tests.web.flows.premises import draw_png

pytestmark = pytest.mark.browser


def test_a_picture_finds_the_entity_that_it_shows(visitor: Visitor, tmp_path: Path) -> None:
    draw_png(tmp_path / "mine.png")
    visitor.go("/search/media")
    visitor.one("#files").send_keys(str(tmp_path / "mine.png"))
    visitor.click("Search", "main")
    found = visitor.one(".hits li")
    assert "Kettle" in found.text
    assert "distance 0.000" in found.text
    picture = found.find_element("css selector", "img")
    visitor.until(lambda: visitor.run("return arguments[0].naturalWidth", picture) == 96, "the picture")
    for width in (360, 768, 1280):
        look(visitor.browser, width=width)
        assert visitor.run("return document.documentElement.scrollWidth - innerWidth") <= 0  # type: ignore[operator]
    assert faults_for_readers(visitor.browser) == []


def test_what_is_no_medium_is_told_beside_the_form(visitor: Visitor, tmp_path: Path) -> None:
    visitor.allowed = ["400"]
    (tmp_path / "song.mp3").write_text("la la la")
    visitor.go("/search/media")
    visitor.one("#files").send_keys(str(tmp_path / "song.mp3"))
    visitor.click("Search", "main")
    assert "File 1 is no picture, film or sound" in visitor.one("[role=alert]").text
