"""The graph behind the pages: it follows its home, and what is made of it is made once."""

import threading
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest

from agents.engine import Engine
from kg.errors import StoreError
from kg.home import Home
from tests.web.stage import site_of, stage
from web import site as site_module
from web.site import Site, View


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home with one generation."""
    home = Home(tmp_path / "home")
    publish(home, "a")
    return home


def publish(home: Home, name: str) -> None:
    node = ox.NamedNode(f"urn:{name}")
    with home.write() as draft:
        draft.add([ox.Quad(node, node, node)])


def builder(folder: Path, before: Callable[[], None] = lambda: None) -> Callable[[], Engine]:
    def build() -> Engine:
        before()
        return stage(folder)

    return build


def test_a_new_generation_is_read_once_and_seen_at_the_next_call(home: Home, tmp_path: Path) -> None:
    site = Site(builder(tmp_path), home)
    first = site.view
    assert site.view is first
    publish(home, "b")
    second = site.view
    assert second is not first
    assert second.generation == home.current() != first.generation
    assert site.view is second


def test_who_comes_while_a_generation_is_read_is_shown_the_old_one(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_module, "_PATIENCE_S", 0.01)
    reading, go_on, wait = threading.Event(), threading.Event(), False

    def slowly() -> None:
        if wait:
            reading.set()
            assert go_on.wait(20)

    site = Site(builder(tmp_path, slowly), home)
    old = site.view
    publish(home, "b")
    wait = True
    seen: list[View] = []
    reader = threading.Thread(target=lambda: seen.append(site.view))
    reader.start()
    assert reading.wait(20)
    assert site.view is old
    go_on.set()
    reader.join(20)
    assert seen == [site.view] != [old]


def test_a_generation_that_cannot_be_read_leaves_the_pages_as_they_were(home: Home, tmp_path: Path) -> None:
    broken = False

    def fail() -> None:
        if broken:
            raise StoreError("the disk is gone")

    site = Site(builder(tmp_path, fail), home)
    old = site.view
    publish(home, "b")
    broken = True
    assert site.view.engine is old.engine
    broken = False
    publish(home, "c")
    assert site.view.engine is not old.engine


def test_a_graph_that_was_never_read_is_an_error(home: Home, tmp_path: Path) -> None:
    def fail() -> None:
        raise StoreError("the disk is gone")

    with pytest.raises(StoreError, match="the disk is gone"):
        _ = Site(builder(tmp_path, fail), home).view


def test_a_thing_is_made_once_and_only_those_who_need_it_wait(tmp_path: Path) -> None:
    view = site_of(stage(tmp_path)).view
    making, go_on, made = threading.Event(), threading.Event(), []

    def slow(view: View) -> str:
        making.set()
        assert go_on.wait(20)
        made.append(view)
        return "slow"

    got: list[str] = []
    threads = [threading.Thread(target=lambda: got.append(view.once(slow))) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert making.wait(20)
    assert view.once(lambda _: "quick") == "quick"
    go_on.set()
    for thread in threads:
        thread.join(20)
    assert got == ["slow"] * 3
    assert made == [view]
