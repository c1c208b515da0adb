"""The calls of a round are under way together, as many as the settings allow, and their order decides nothing."""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import pyoxigraph as ox
import pytest

from agents.llm import FirstPaths
from agents.roles import (
    Answer,
    Call,
    Expansion,
    Overlay,
    Path,
    Perception,
    Policy,
    Question,
    TopicChoice,
    Verdict,
)
from agents.walk import WalkResult, WalkSettings, walk
from kg.store import EmbeddedStore
from ontology import terms
from sparql.graph import Edge, Entity

EX = "http://example.org/"
BRANCHES = 6


@dataclass(slots=True)
class Busy:
    """Plays all roles: follows every edge, says no to every path, and notes how many calls were under way at once.

    Where it is given a crowd, a call waits until as many are under way; the later a call begins, the sooner it ends.
    """

    crowd: int = 1
    most: int = 0
    _active: int = 0
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def perceive(self, question: Question) -> Perception:
        return Perception("")

    def select_topic(self, question: Question, topics: Sequence[Entity]) -> TopicChoice:
        return TopicChoice(topics[0])

    def expand(self, question: Question, path: Path, offer: Sequence[Edge], overlay: Overlay) -> Expansion:
        self._work(alone=len(path.edges) == 0)
        return Expansion(tuple(range(len(offer))), calls=(Call("expander", "busy", answer=path.leaf.label),))

    def validate(self, question: Question, path: Path, overlay: Overlay) -> Verdict:
        self._work(alone=len(path.edges) == 0)
        return Verdict(sufficient=False, calls=(Call("validator", "busy", answer=path.leaf.label),))

    def summarize(self, question: Question, paths: Sequence[Path], overlay: Overlay) -> Answer:
        return Answer("done")

    def _work(self, *, alone: bool) -> None:
        with self._changed:
            self._active += 1
            rank = self._active
            self.most = max(self.most, self._active)
            self._changed.notify_all()
            if not alone and not self._changed.wait_for(lambda: self.most >= self.crowd, timeout=5):
                raise TimeoutError(f"only {self.most} calls were under way together")
        time.sleep(0.002 * (BRANCHES - rank))
        with self._changed:
            self._active -= 1


def _tree() -> EmbeddedStore:
    """A topic with branches, each with a leaf."""
    relation = ox.NamedNode(EX + "leadsTo")
    names = ["root", *(f"{kind}{n}" for kind in ("branch", "leaf") for n in range(BRANCHES))]
    said = [
        ox.Triple(relation, terms.BASE_RELATION, relation),
        ox.Triple(relation, terms.RDFS_LABEL, ox.Literal("leads to")),
        ox.Triple(ox.NamedNode(EX + "root"), terms.RDF_TYPE, terms.TOPIC_ENTITY),
        *(ox.Triple(ox.NamedNode(EX + name), terms.RDFS_LABEL, ox.Literal(name)) for name in names),
    ]
    for n in range(BRANCHES):
        branch = ox.NamedNode(f"{EX}branch{n}")
        said.append(ox.Triple(ox.NamedNode(EX + "root"), relation, branch))
        said.append(ox.Triple(branch, relation, ox.NamedNode(f"{EX}leaf{n}")))
    return EmbeddedStore.from_quads(ox.Quad(*triple) for triple in said)


def _walk(player: Busy, *, concurrency: int) -> WalkResult:
    policy = Policy("busy", player, player, player, player, FirstPaths(), player)
    return walk(_tree(), policy, Question("?"), settings=WalkSettings(paths=100, concurrency=concurrency))


def test_the_calls_of_a_round_run_together() -> None:
    player = Busy(crowd=BRANCHES)
    _walk(player, concurrency=BRANCHES)
    assert player.most == BRANCHES


def test_a_frontier_of_twenty_waits_for_nobody_by_default() -> None:
    assert WalkSettings().concurrency >= 20


@pytest.mark.parametrize("concurrency", [1, 3])
def test_no_more_calls_run_than_allowed(concurrency: int) -> None:
    player = Busy(crowd=concurrency)
    _walk(player, concurrency=concurrency)
    assert player.most == concurrency


def test_the_order_in_which_calls_end_changes_nothing() -> None:
    together = _walk(Busy(crowd=BRANCHES), concurrency=BRANCHES)
    alone = _walk(Busy(), concurrency=1)
    assert together.paths == alone.paths
    assert [call.answer for call in together.calls] == [call.answer for call in alone.calls]
    assert [path.path.leaf.label for path in together.paths] == [f"leaf{n}" for n in range(BRANCHES)]
