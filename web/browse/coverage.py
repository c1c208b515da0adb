"""How much of a graph has media and captions: by class, and of which kinds."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from ontology import terms
from web.about import ROLES
from web.browse.table import GraphTable, graph_table
from web.browse.words import fold
from web.site import View

_MAX_DEPTH = 12


@dataclass(frozen=True, slots=True)
class ClassCount:
    """A class: how many entities there are of it and of its subclasses, how many with media, how many with captions."""

    iri: str
    label: str
    comment: str
    entities: int
    with_media: int
    with_captions: int
    below: "tuple[ClassCount, ...]" = ()


@dataclass(frozen=True, slots=True)
class Coverage:
    """``classes`` are the outermost ones; ``kinds`` are (class of media items, what it is called, how many items)."""

    all: ClassCount
    classes: tuple[ClassCount, ...]
    kinds: tuple[tuple[str, str, int], ...]


def coverage(view: View) -> Coverage:
    """The counts of a view: ``view.once(coverage)``. Raises kg.errors.StoreError."""
    return count_coverage(view.once(graph_table))


def count_coverage(table: GraphTable) -> Coverage:
    """The counts of a graph."""
    everyone = np.zeros(len(table.iris), np.bool_)
    everyone[: table.entities] = True
    with_media = np.zeros(len(table.iris), np.bool_)
    with_media[list(table.media)] = True
    columns = [
        table.types.counts(among).tolist() for among in (everyone, everyone & with_media, everyone & table.captioned)
    ]
    counted = {iri: tuple(column[place] for column in columns) for place, iri in enumerate(table.classes)}
    shown = {iri for iri in counted if iri not in ROLES}
    parents = _parents(table, shown)
    return Coverage(
        all=_count(table, terms.ENTITY.value, counted, {}),
        classes=_tree(table, counted, parents),
        kinds=_kinds(table),
    )


def _parents(table: GraphTable, shown: set[str]) -> dict[str, str]:
    """Under which class each is shown, "" for the outermost ones; no deeper than a page can show."""
    parents = {iri: _nearest(table, iri, shown) for iri in shown}
    for iri in sorted(parents):
        depth, above = 0, parents[iri]
        while above:
            depth, above = depth + 1, parents[above]
        parents[iri] = "" if depth > _MAX_DEPTH else parents[iri]
    return parents


def _nearest(table: GraphTable, iri: str, shown: set[str]) -> str:
    """A superclass that is not one of the class's own subclasses; "" where there is none."""
    above = [parent for parent in table.vocabulary.parents.get(iri, ()) if parent in shown]
    return next((parent for parent in above if iri not in table.vocabulary.above(parent)), "")


def _tree(table: GraphTable, counted: dict[str, tuple[int, ...]], parents: dict[str, str]) -> tuple[ClassCount, ...]:
    below: dict[str, list[str]] = {}
    for iri in sorted(parents, key=lambda iri: (-counted[iri][0], fold(table.names.label(iri)), iri)):
        below.setdefault(parents[iri], []).append(iri)
    return tuple(_count(table, iri, counted, below) for iri in below.get("", ()))


def _count(table: GraphTable, iri: str, counted: dict[str, tuple[int, ...]], below: dict[str, list[str]]) -> ClassCount:
    children = tuple(_count(table, child, counted, below) for child in below.get(iri, ()))
    entities, with_media, with_captions = counted[iri]
    comment = table.vocabulary.comments.get(iri, "")
    return ClassCount(iri, table.names.label(iri), comment, entities, with_media, with_captions, children)


def _kinds(table: GraphTable) -> tuple[tuple[str, str, int], ...]:
    of: dict[str, tuple[str, ...]] = {item: kinds for items in table.media.values() for item, kinds in items.items()}
    counts = Counter(kind for kinds in of.values() for kind in kinds)
    return tuple((kind, table.names.label(kind), count) for kind, count in counts.most_common())
