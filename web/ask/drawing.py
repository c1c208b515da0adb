"""
Lays out routes as a drawing: a tree that grows downwards, entities as boxes, relations and conditions on its arrows.

Routes that begin alike share their boxes; where two part, the tree branches. It computes where everything stands, in
pixels; ``templates/_drawing.html`` writes it as SVG.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from web.ask.records import RouteRecord
from web.ask.wrapping import wrap

LABEL_PX, SMALL_PX = 15, 12.5
"""Font sizes; the style sheet sets the same ones."""
_BOLD = 1.1
"""How much wider the labels are for being bold."""
_LABEL_LEADING, _SMALL_LEADING = 20, 17
_PADDING, _MARGIN, _COLUMN_GAP = 12, 2, 20
_ELBOW = 22
"""How far in an arrow starts, and how far below a box the arrows to other columns turn."""
_BOX_WIDTHS = {1: 340, 2: 300, 3: 300, 4: 240}
_NARROW_BOX = 200
_LABEL_LINES, _RELATION_LINES, _CONDITION_LINES = 4, 3, 6


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text: ``x`` is where it starts, ``y`` its baseline, ``role`` its class in the style sheet."""

    x: float
    y: float
    text: str
    role: str


@dataclass(frozen=True, slots=True)
class Box:
    """An entity. ``role`` is topic, step or end; ``routes`` are the numbers of the routes that end here."""

    x: float
    y: float
    width: float
    height: float
    role: str
    title: str
    lines: tuple[Line, ...]
    routes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Arrow:
    """A relation: ``points`` is a polyline whose last point is the tip."""

    points: tuple[tuple[float, float], ...]
    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """What to draw, and what to say to those who do not see it."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    description: str


@dataclass(slots=True)
class _Node:
    """An entity on the way of one route or several that begin alike."""

    label: str
    kind: str
    relation: str = ""
    conditions: str = ""
    depth: int = 0
    column: int = 0
    routes: list[int] = field(default_factory=list)
    children: dict[tuple[str, str], "_Node"] = field(default_factory=dict)

    def walk(self) -> Iterator["_Node"]:
        """This and all below it, each before its children; a route may be longer than calls can nest."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children.values()))

    @property
    def role(self) -> str:
        if self.routes:
            return "end"
        return "step" if self.depth else "topic"


def draw(routes: Sequence[RouteRecord], kinds: Sequence[Sequence[str]] = ()) -> Drawing | None:
    """
    The drawing of ``routes``, or None where there are none.

    ``kinds`` says of each entity of each route what kind of thing it is, in words.
    """
    if not routes:
        return None
    root = _tree(routes, kinds)
    columns = _assign_columns(root)
    box_width = _BOX_WIDTHS.get(columns, _NARROW_BOX)
    nodes = list(root.walk())
    levels = _levels(nodes)
    heights = [max(_box_height(node, box_width) for node in level) for level in levels]
    gaps = [0.0, *(max(_label_height(node, box_width) for node in level) for level in levels[1:])]
    below = accumulate(heights, initial=0.0)
    tops = [_MARGIN + above + gap for above, gap in zip(below, accumulate(gaps), strict=False)]
    boxes = tuple(_box(node, box_width, tops) for node in nodes)
    arrows = tuple(
        _arrow(node, child, box_width, tops=tops, gap=gaps[child.depth])
        for node in nodes
        for child in node.children.values()
    )
    return Drawing(
        width=2 * _MARGIN + columns * box_width + (columns - 1) * _COLUMN_GAP,
        height=tops[-1] + heights[-1] + _MARGIN,
        boxes=boxes,
        arrows=arrows,
        description=" ".join(f"Route {number}: {_spoken(route)}." for number, route in enumerate(routes, 1)),
    )


def _tree(routes: Sequence[RouteRecord], kinds: Sequence[Sequence[str]]) -> _Node:
    root = _Node(routes[0].entities[0].label, kinds[0][0] if kinds else "")
    for number, route in enumerate(routes, 1):
        node = root
        for step, (edge, entity) in enumerate(route.steps, 1):
            child = _Node(
                entity.label,
                kinds[number - 1][step] if kinds else "",
                edge.base_label,
                "; ".join(edge.conditions),
                step,
            )
            node = node.children.setdefault((edge.relation, entity.iri), child)
        node.routes.append(number)
    return root


def _levels(nodes: Sequence[_Node]) -> list[list[_Node]]:
    """The nodes by their depth."""
    levels: list[list[_Node]] = [[] for _ in range(1 + max(node.depth for node in nodes))]
    for node in nodes:
        levels[node.depth].append(node)
    return levels


def _assign_columns(root: _Node) -> int:
    """Gives each node the column of its first child, each end one of its own; returns how many there are."""
    columns = 0
    for node in root.walk():
        node.column = columns
        columns += not node.children
    return columns


def _box_height(node: _Node, width: float) -> float:
    return 2 * _PADDING + len(_label(node, width)) * _LABEL_LEADING + (_SMALL_LEADING if node.kind else 0)


def _label_height(node: _Node, width: float) -> float:
    relation, conditions = _texts(node, width)
    return 2 * _ELBOW + (len(relation) + len(conditions)) * _SMALL_LEADING


def _label(node: _Node, width: float) -> tuple[str, ...]:
    return wrap(node.label, width - 2 * _PADDING, LABEL_PX * _BOLD, max_lines=_LABEL_LINES)


def _texts(node: _Node, width: float) -> tuple[tuple[str, ...], tuple[str, ...]]:
    room = width - _ELBOW - _PADDING
    return (
        wrap(node.relation, room, SMALL_PX, max_lines=_RELATION_LINES),
        wrap(node.conditions, room, SMALL_PX, max_lines=_CONDITION_LINES) if node.conditions else (),
    )


def _left(node: _Node, width: float) -> float:
    return _MARGIN + node.column * (width + _COLUMN_GAP)


def _box(node: _Node, width: float, tops: Sequence[float]) -> Box:
    x, y = _left(node, width), tops[node.depth]
    lines = []
    baseline = y + _PADDING
    if node.kind:
        baseline += _SMALL_LEADING
        lines.append(Line(x + _PADDING, baseline - 5, node.kind, "kind"))
    for text in _label(node, width):
        baseline += _LABEL_LEADING
        lines.append(Line(x + _PADDING, baseline - 5, text, "label"))
    return Box(x, y, width, _box_height(node, width), node.role, node.label, tuple(lines), tuple(node.routes))


def _arrow(parent: _Node, child: _Node, width: float, *, tops: Sequence[float], gap: float) -> Arrow:
    start = (_left(parent, width) + _ELBOW, tops[parent.depth] + _box_height(parent, width))
    x, tip = _left(child, width) + _ELBOW, tops[child.depth]
    relation, conditions = _texts(child, width)
    # All arrows of a row turn at one height, above every text of the row, so that none runs through a text.
    turn, text_top = tip - gap + _ELBOW / 2, tip - gap + _ELBOW
    bends = () if x == start[0] else ((start[0], turn), (x, turn))
    lines = tuple(
        Line(x + _PADDING, text_top + number * _SMALL_LEADING, text, role)
        for number, (text, role) in enumerate(
            [*((text, "relation") for text in relation), *((text, "condition") for text in conditions)], 1
        )
    )
    title = f"{child.relation} ({child.conditions})" if child.conditions else child.relation
    return Arrow((start, *bends, (x, tip)), title, lines)


def _spoken(route: RouteRecord) -> str:
    """The route as one sentence for a screen reader."""
    said = route.entities[0].label
    for edge, entity in route.steps:
        said += f", {edge.base_label}" + (f" ({'; '.join(edge.conditions)})" if edge.conditions else "")
        said += f" {entity.label}"
    return said
