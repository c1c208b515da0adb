"""The drawing of routes: what stands where, and that nothing runs over anything."""

import time
from itertools import combinations

import pytest

from web.ask.drawing import LABEL_PX, SMALL_PX, Drawing, draw
from web.ask.records import EdgeRecord, EntityRecord, RouteRecord
from web.ask.wrapping import text_width, wrap


def route(*labels: str, condition: str = "") -> RouteRecord:
    """A route through entities of these labels; their IRIs are made of the labels before them."""
    conditions = (condition,) if condition else ()
    return RouteRecord(
        entities=tuple(EntityRecord(iri="http://example.org/" + label, label=label) for label in labels),
        edges=tuple(
            EdgeRecord(relation="http://example.org/to", base_label="leads to", conditions=conditions)
            for _ in labels[1:]
        ),
    )


def drawn(*routes: RouteRecord) -> Drawing:
    drawing = draw(routes)
    assert drawing is not None
    return drawing


def test_no_routes_no_drawing() -> None:
    assert draw([]) is None


def test_a_route_goes_down_in_one_column() -> None:
    drawing = drawn(route("A", "B", "C"))
    assert [box.title for box in drawing.boxes] == ["A", "B", "C"]
    assert len({box.x for box in drawing.boxes}) == 1
    assert [box.role for box in drawing.boxes] == ["topic", "step", "end"]
    assert [box.routes for box in drawing.boxes] == [(), (), (1,)]
    for arrow, head, tail in zip(drawing.arrows, drawing.boxes[:-1], drawing.boxes[1:], strict=True):
        assert arrow.points[0][1] == head.y + head.height
        assert arrow.points[-1][1] == tail.y
        assert len({x for x, _ in arrow.points}) == 1


def test_routes_that_begin_alike_share_their_boxes_and_branch() -> None:
    drawing = drawn(route("A", "B", "C"), route("A", "B", "D"), route("A", "E"))
    assert sorted(box.title for box in drawing.boxes) == ["A", "B", "C", "D", "E"]
    assert len({box.x for box in drawing.boxes}) == 3
    assert {box.title: box.routes for box in drawing.boxes if box.routes} == {"C": (1,), "D": (2,), "E": (3,)}


def test_a_route_that_ends_on_the_way_of_another_is_marked_there() -> None:
    drawing = drawn(route("A", "B", "C"), route("A", "B"))
    assert {box.title: box.routes for box in drawing.boxes} == {"A": (), "B": (2,), "C": (1,)}


def test_one_entity_reached_by_two_ways_is_drawn_at_both_ends() -> None:
    drawing = drawn(route("A", "B", "D"), route("A", "C", "D"))
    assert sorted(box.title for box in drawing.boxes) == ["A", "B", "C", "D", "D"]


LONG = "When the hunter has been hit by the third blow of the combo and lies on the ground, or gets up slowly " * 3


@pytest.mark.parametrize("columns", [1, 2, 3, 4, 5, 9])
def test_boxes_and_texts_stay_apart_and_inside(columns: int) -> None:
    word = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen"
    routes = [
        route("Topic " + word, f"Step {number % 2} {LONG}", f"竜{number}" * 20, condition=LONG)
        for number in range(columns)
    ]
    drawing = drawn(*routes)
    for one, other in combinations(drawing.boxes, 2):
        beside = one.x + one.width < other.x or other.x + other.width < one.x
        assert beside or one.y + one.height < other.y or other.y + other.height < one.y
    for box in drawing.boxes:
        assert box.x >= 0 and box.x + box.width <= drawing.width
        assert box.y >= 0 and box.y + box.height <= drawing.height
        for line in box.lines:
            size = LABEL_PX if line.role == "label" else SMALL_PX
            assert line.x + text_width(line.text, size) <= box.x + box.width
            assert box.y < line.y <= box.y + box.height
    levels = sorted(
        {box.y: max(b.y + b.height for b in drawing.boxes if b.y == box.y) for box in drawing.boxes}.items()
    )
    for arrow in drawing.arrows:
        tip_x, tip_y = arrow.points[-1]
        above = max(bottom for _, bottom in levels if bottom < tip_y)
        turns = [y for _, y in arrow.points[1:-1]]
        for line in arrow.lines:
            assert line.x > tip_x
            # a text stands under the row of boxes above, and under every turn of an arrow of its row
            assert above < line.y - SMALL_PX and line.y < tip_y
            assert all(turn < line.y - SMALL_PX for turn in turns)


def test_arrows_of_one_row_turn_at_one_height_so_that_none_crosses_a_text() -> None:
    drawing = drawn(route("A", "B", condition=LONG), route("A", "C"), route("A", "D", condition="short"))
    turns = {y for arrow in drawing.arrows for _, y in arrow.points[1:-1]}
    assert len(turns) == 1
    assert all(turns.copy().pop() < line.y - SMALL_PX for arrow in drawing.arrows for line in arrow.lines)


def test_the_description_says_the_routes() -> None:
    drawing = drawn(route("A", "B", condition="when angry"), route("A", "C"))
    assert drawing.description == "Route 1: A, leads to (when angry) B. Route 2: A, leads to C."


def test_what_was_cut_can_still_be_read() -> None:
    drawing = drawn(route("A", "B " + LONG, condition=LONG))
    assert drawing.boxes[1].lines[-1].text.endswith("…")
    assert drawing.boxes[1].title == "B " + LONG
    assert drawing.arrows[0].lines[-1].text.endswith("…")
    assert drawing.arrows[0].title == f"leads to ({LONG})"


@pytest.mark.parametrize("text", ["", " ", "one", "a b c d e f g", "x" * 200, "竜" * 50, "e\u0301" * 40, "ab " * 100])
def test_wrapped_lines_fit_and_lose_nothing(text: str) -> None:
    lines = wrap(text, 90, 12.5, max_lines=1000)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(line and text_width(line, 12.5) <= 90 for line in lines)


def test_a_very_long_text_is_not_measured_to_its_end() -> None:
    started = time.perf_counter()
    for text in ("x" * 2_000_000, "a b " * 1_000_000, "e" + "\u0301" * 2_000_000):
        lines = wrap(text, 200, 12.5, max_lines=3)
        assert len(lines) <= 3
        assert lines[-1].endswith("…")
    assert time.perf_counter() - started < 1
