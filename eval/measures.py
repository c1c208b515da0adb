"""Knowledge consistency: how far retrieved paths agree with the annotated ones (section 8.2, equations 13 and 14).

A path is its entities, root first. Three grains: whole paths, as the paper defines them; edges of the paths; and
prefixes, which give a path that strays late more than one that strays at once.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

import pyoxigraph as ox

Route = tuple[ox.NamedNode, ...]


@dataclass(frozen=True, slots=True)
class Consistency:
    """Precision and recall, each in [0, 1]."""

    precision: float
    recall: float


def path_consistency(retrieved: Collection[Route], annotated: Collection[Route]) -> Consistency:
    """Equations 13 and 14 over sets of root-to-leaf paths.

    Nothing retrieved scores 0 on both.
    """
    return _overlap(set(retrieved), set(annotated))


def edge_consistency(retrieved: Collection[Route], annotated: Collection[Route]) -> Consistency:
    """The same over (head, tail) pairs.

    A path that is its root alone counts as the pair (root, root).
    """
    return _overlap(_edges(retrieved), _edges(annotated))


def prefix_consistency(retrieved: Collection[Route], annotated: Collection[Route]) -> Consistency:
    """Each path scores the share of its edges that it has in common, from the root on, with the best path of the
    other side.

    A path that is its root alone scores 1 where the other side has it too, else 0.
    """
    return Consistency(_prefix_share(retrieved, annotated), _prefix_share(annotated, retrieved))


def _overlap(retrieved: set[object] | set[Route], annotated: set[object] | set[Route]) -> Consistency:
    hits = len(set(retrieved) & set(annotated))
    return Consistency(hits / len(retrieved) if retrieved else 0.0, hits / len(annotated) if annotated else 0.0)


def _edges(routes: Collection[Route]) -> set[object]:
    pairs: set[object] = {pair for route in routes for pair in pairwise(route)}
    return pairs | {(route[0], route[0]) for route in routes if len(route) == 1}


def _prefix_share(routes: Collection[Route], others: Collection[Route]) -> float:
    return fmean(max((_share(route, other) for other in others), default=0.0) for route in routes) if routes else 0.0


def _share(route: Route, other: Sequence[ox.NamedNode]) -> float:
    if len(route) == 1:
        return float(tuple(other) == route)
    common = 0
    for mine, theirs in zip(route, other, strict=False):
        if mine != theirs:
            break
        common += 1
    return max(common - 1, 0) / (len(route) - 1)
