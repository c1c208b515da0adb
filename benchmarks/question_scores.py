"""Scores ways of retrieving paths on a question list: the built-in policy in its variants, and a bare ranking.

Precision and recall are those of ``scoutfly bench walk`` in the perceptive setting, by the same code.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import pyoxigraph as ox

from agents.builtin.policy import build_builtin_policy
from agents.builtin.scoring import Weights, is_topic
from agents.domain import Domain, load_domain
from agents.engine import Engine
from agents.roles import Path as Route
from agents.runs import RunFolder
from agents.topic import find_topics
from agents.walk import WalkSettings
from benchmarks.bundled_graph import DOMAIN_FILE, BundledGraph, load_bundled_graph
from eval.bench import Setting, run_bench
from eval.measures import Consistency, path_consistency
from eval.questions import BenchQuestion, read_questions
from eval.routes import RouteMap
from retrieval.encoder import TextEncoder
from sparql.graph import Entity, neighbourhood, topic_entities


@dataclass(frozen=True, slots=True)
class Score:
    """What one way of retrieving gave: a result for each question, paths a question, milliseconds a question."""

    results: list[Consistency]
    paths: float
    milliseconds: float

    @property
    def precision(self) -> float:
        """The mean over all questions."""
        return fmean(result.precision for result in self.results)

    @property
    def recall(self) -> float:
        """The mean over all questions."""
        return fmean(result.recall for result in self.results)


class QuestionList:
    """The questions of a workbook over the bundled graph."""

    def __init__(self, path: Path) -> None:
        self.questions: list[BenchQuestion] = read_questions(path)
        self.graph: BundledGraph = load_bundled_graph()
        self.domain: Domain = load_domain(DOMAIN_FILE)
        self._topics = topic_entities(self.graph.store)
        self._candidates: dict[ox.NamedNode, list[Route]] = {}

    def score_builtin(
        self, encoder: TextEncoder, *, weights: Weights | None = None, margin: float | None = None, paths: int = 5
    ) -> Score:
        """The built-in policy with these weights; without a margin, with its own."""
        given = {} if margin is None else {"margin": margin}
        policy = build_builtin_policy(self.graph.store, encoder, self.domain, weights=weights, **given)
        engine = Engine(self.graph.store, lambda _: policy, ("builtin",), RunFolder(Path()))
        settings = WalkSettings(paths=paths, concurrency=1)
        records = run_bench(engine, self.questions, policy="builtin", settings=settings, setting=Setting())
        return Score(
            results=[record.scores["path"] for record in records],
            paths=fmean(len(record.paths) for record in records),
            milliseconds=1e3 * fmean(record.seconds for record in records),
        )

    def score_ranking(self, encoder: TextEncoder, *, paths: int) -> Score:
        """No walk at all: the topic's candidates whose captions are closest to what is shown, by one vector each.

        The path to a candidate is the shortest one.
        """
        routes = RouteMap(self.graph.store)
        results = []
        for question in self.questions:
            annotated = [routes.map(route).iris for route in question.routes]
            ranked = self._rank(encoder, question)[:paths]
            results.append(path_consistency([tuple(e.iri for e in route.entities) for route in ranked], annotated))
        return Score(results, float(paths), 0.0)

    def _rank(self, encoder: TextEncoder, question: BenchQuestion) -> list[Route]:
        asked = question.perceptive()
        topic = next(iter(find_topics(self._topics, asked.topic)), None)
        candidates = self._candidates_of(topic) if topic else []
        if not candidates:
            return []
        captions = [" ".join(caption.text for caption in route.leaf.captions) for route in candidates]
        closeness = encoder.encode(captions) @ encoder.encode([asked.caption or asked.text])[0]
        order = sorted(range(len(candidates)), key=lambda index: -float(closeness[index]))
        return [candidates[index] for index in order]

    def _candidates_of(self, topic: Entity) -> list[Route]:
        """The shortest path to each entity of the preferred class that no other topic stands before."""
        if topic.iri not in self._candidates:
            wanted = self.domain.preferred_class
            found = self._reachable(topic)
            self._candidates[topic.iri] = [route for route in found if wanted and wanted.iri in route.leaf.types]
        return self._candidates[topic.iri]

    def _reachable(self, topic: Entity) -> Sequence[Route]:
        seen, found = {topic.iri}, []
        level = deque([Route(topic)])
        while level:
            route = level.popleft()
            for edge in neighbourhood(self.graph.store, [route.leaf.iri])[route.leaf.iri]:
                if edge.tail.iri not in seen and not is_topic(edge.tail):
                    seen.add(edge.tail.iri)
                    found.append(route.extended(edge))
                    level.append(found[-1])
        return found
