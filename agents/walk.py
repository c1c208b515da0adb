"""The walk: how a policy's roles retrieve a sub-graph and answer from it (section 4.1 of "Taming the Untamed").

Topic selection gives e0. Each round expands every open entity, then validates every newly added one; O(t+1) = E'(t+1)
\\ E'(t), less those whose path is sufficient. It ends when nothing is open or a budget is spent. Breadth first takes
the whole frontier a round; depth first takes its first entity, and puts what it finds in front.

The graph does not change during a walk. It knows no model, no prompt and no domain.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

import pyoxigraph as ox

from agents.budget import STOPPED, Budget, Meter, StopSignal, never
from agents.errors import NothingFits, NoTopic, WalkStopped
from agents.phrasing import nothing_fits
from agents.roles import Answer, Call, Expansion, Path, Policy, Question, ScoredPath, TopicChoice, Verdict
from agents.subgraph import Subgraph
from agents.surrogates import mend, mend_question
from agents.topic import resolve_topic
from agents.trace import Event, Observer, ignore
from kg.store import Store
from sparql.graph import Edge, Entity, neighbourhood, neighbourhood_query, topic_entities

Strategy = Literal["bfs", "dfs"]
_MAX_PATHS = 10_000
"""Paths followed in one sub-graph to find those that end in a leaf; a dense one has exponentially many."""
_KEPT_BACK = 1
"""Calls that the walk leaves to the summarizer."""

_PATIENCE_S = 0.1
"""How long a call is waited for before it is asked again whether the walk is to end."""

_One = TypeVar("_One")
_Asked = TypeVar("_Asked")
_Said = TypeVar("_Said", Expansion, Verdict)


@dataclass(frozen=True, slots=True)
class WalkSettings:
    """How to walk: ``paths`` is the alpha of equation 11, ``concurrency`` the calls of a round under way at once.

    A round whose frontier is wider than ``concurrency`` takes the time of two calls, or more, for each of its steps.
    """

    strategy: Strategy = "bfs"
    paths: int = 5
    budget: Budget = field(default_factory=Budget)
    concurrency: int = 32


@dataclass(frozen=True, slots=True)
class WalkResult:
    """One question answered.

    ``paths`` are those kept, best first; ``retrieved`` is how many root-to-leaf paths the sub-graph had; ``stopped``
    says why the walk ended before its frontier was empty ("" when it was); ``seconds`` is wall time; ``unanswered``
    says why nothing that was found fits the question ("" where something does): then there are no paths, and
    ``topic`` is only the nearest.
    """

    question: Question
    topic: Entity
    paths: tuple[ScoredPath, ...]
    retrieved: int
    answer: str
    rounds: int
    queries: tuple[str, ...]
    calls: tuple[Call, ...]
    overlay: dict[ox.NamedNode, str]
    stopped: str
    seconds: float
    unanswered: str = ""


def walk(
    store: Store,
    policy: Policy,
    question: Question,
    *,
    settings: WalkSettings | None = None,
    observe: Observer = ignore,
    stop: StopSignal = never,
    pool: ThreadPoolExecutor | None = None,
) -> WalkResult:
    """Answers ``question`` over the graph in ``store``.

    Once ``stop`` says so no further call begins, not even the one for the answer, those under way are abandoned, and
    the best paths so far come back. Calls are made in ``pool``, where an abandoned one goes on until it ends by itself;
    whoever gives the pool ends it. Without one the walk has its own, and ends after its last call.

    Raises NoTopic where no topic entity fits (or the graph has none), WalkStopped where it was stopped before that,
    kg.errors.StoreError where the store fails, and what the policy's models raise.
    """
    settings = settings or WalkSettings()
    with ThreadPoolExecutor(settings.concurrency) if pool is None else nullcontext(pool) as held:
        return _Walk(store, policy, settings, observe=observe, stop=stop, pool=held).run(question)


class _Walk:
    """One walk under way."""

    def __init__(
        self,
        store: Store,
        policy: Policy,
        settings: WalkSettings,
        *,
        observe: Observer,
        stop: StopSignal,
        pool: ThreadPoolExecutor,
    ) -> None:
        self._store, self._policy, self._settings, self._observe = store, policy, settings, observe
        self._pool = pool
        self._meter = Meter(settings.budget, stop)
        self._overlay: dict[ox.NamedNode, str] = {}
        self._queries: list[str] = []
        self._rounds = 0
        self._cut_off = ""

    def run(self, question: Question) -> WalkResult:
        question = self._perceive(mend_question(question))
        topic = self._select_topic(question)
        subgraph, stopped = self._grow(question, topic)
        found = subgraph.leaf_paths(_MAX_PATHS)
        kept, unanswered = self._select_paths(question, found)
        answer = (
            self._ask_one(lambda: Answer(nothing_fits(question, topic)))
            if unanswered
            else self._summarize(question, [scored.path for scored in kept])
        )
        if answer is None:
            answer, stopped = Answer(""), STOPPED
        self._meter.spend(answer.calls)
        result = WalkResult(
            question=question,
            topic=topic,
            paths=tuple(kept),
            retrieved=len(found),
            answer=mend(answer.text),
            rounds=self._rounds,
            queries=tuple(self._queries),
            calls=tuple(self._meter.calls),
            overlay=self._overlay,
            stopped=stopped,
            seconds=self._meter.seconds,
            unanswered=unanswered,
        )
        self._tell("answered", answer.calls, answer=result.answer, stopped=stopped, seconds=round(result.seconds, 6))
        return result

    def _perceive(self, question: Question) -> Question:
        if question.caption or not question.images:
            return question
        perception = self._ask_one(lambda: self._policy.perceiver.perceive(question))
        if perception is None:
            raise _stopped()
        caption = mend(perception.caption)
        self._spend("perceived", perception.calls, caption=caption)
        return replace(question, caption=caption)

    def _select_topic(self, question: Question) -> Entity:
        if self._meter.stop():
            raise _stopped()
        choice = (
            TopicChoice(resolve_topic(self._store, question.topic)) if question.topic else self._choose_topic(question)
        )
        if choice.topic is None:
            self._spend("topic", choice.calls, topic="", label="")
            raise NoTopic("no topic entity fits the question: name the one to start from as the topic")
        types = [kind.value for kind in choice.topic.types]
        self._spend("topic", choice.calls, topic=choice.topic.iri.value, label=choice.topic.label, types=types)
        return choice.topic

    def _choose_topic(self, question: Question) -> TopicChoice:
        topics = topic_entities(self._store)
        if not topics:
            raise NoTopic("this graph declares no topic entities: name the entity to start from")
        choice = self._ask_one(lambda: self._policy.topic_selector.select_topic(question, topics))
        if choice is None:
            raise _stopped()
        return choice

    def _select_paths(self, question: Question, found: Sequence[ScoredPath]) -> tuple[list[ScoredPath], str]:
        """The paths that are kept; none, and why, where nothing fits the question."""
        kept: list[ScoredPath] = []
        unanswered = ""
        try:
            kept = self._policy.selector.select_paths(question, found, self._settings.paths)
        except NothingFits as error:
            unanswered = str(error)
        labels = [_labels(scored.path) for scored in kept]
        if unanswered:
            self._tell("selected", retrieved=len(found), paths=labels, unanswered=unanswered)
        else:
            self._tell("selected", retrieved=len(found), paths=labels)
        return kept, unanswered

    def _summarize(self, question: Question, paths: Sequence[Path]) -> Answer | None:
        return self._ask_one(lambda: self._policy.summarizer.summarize(question, paths, self._overlay))

    def _grow(self, question: Question, topic: Entity) -> tuple[Subgraph, str]:
        subgraph = Subgraph(topic)
        frontier, stopped = self._open(subgraph, [topic]), ""
        while frontier and not stopped:
            width = len(frontier) if self._settings.strategy == "bfs" else 1
            batch, rest = frontier[:width], frontier[width:]
            stopped = self._exhausted(len(batch))
            if stopped:
                break
            added = self._expand(question, subgraph, batch)
            stopped = self._exhausted(len(added))
            if stopped:
                break
            frontier = self._validate(question, subgraph, added) + rest
            stopped = self._enough_paths(subgraph)
        return subgraph, stopped or self._cut_off

    def _exhausted(self, upcoming_calls: int) -> str:
        return self._meter.exhausted(upcoming_calls + _KEPT_BACK)

    def _enough_paths(self, subgraph: Subgraph) -> str:
        limit = self._settings.budget.paths
        return f"limit of {limit} paths reached" if limit is not None and subgraph.sufficient_count >= limit else ""

    def _expand(self, question: Question, subgraph: Subgraph, batch: Sequence[ox.NamedNode]) -> list[Entity]:
        """Expands each entity of ``batch``; returns the entities that are new, in the order of the batch."""
        self._rounds += 1
        self._queries.append(neighbourhood_query(batch))
        offers = neighbourhood(self._store, batch)
        self._tell("round", number=self._rounds, frontier=[iri.value for iri in batch], sparql=self._queries[-1])
        paths = [subgraph.path(iri) for iri in batch]
        offered = [_without_loops(subgraph, offers[iri]) for iri in batch]

        def expand(item: tuple[Path, list[Edge]]) -> Expansion:
            path, edges = item
            return self._policy.expander.expand(question, path, edges, self._overlay) if edges else Expansion(())

        added = []
        for path, edges, expansion in zip(
            paths, offered, self._ask_all(expand, list(zip(paths, offered, strict=True))), strict=True
        ):
            if expansion is None:
                continue
            chosen = [edges[index] for index in expansion.chosen]
            scores = expansion.scores or (0.0,) * len(chosen)
            self._spend("expanded", expansion.calls, **_expansion(path, edges, chosen, scores))
            added += [edge.tail for edge, score in zip(chosen, scores, strict=True) if subgraph.add(edge, score)]
        return added

    def _validate(self, question: Question, subgraph: Subgraph, added: Sequence[Entity]) -> list[ox.NamedNode]:
        """Asks the validator about each new entity; returns those that stay open."""
        insufficient = []
        for entity, verdict in zip(added, self._verdicts(question, subgraph, added), strict=True):
            if verdict is not None and verdict.sufficient:
                subgraph.mark_sufficient(entity.iri)
            else:
                insufficient.append(entity)
        return self._open(subgraph, insufficient)

    def _open(self, subgraph: Subgraph, entities: Sequence[Entity]) -> list[ox.NamedNode]:
        """Those of ``entities`` that the depth limit lets be expanded."""
        depth = self._settings.budget.depth
        near = [e.iri for e in entities if depth is None or len(subgraph.path(e.iri).edges) < depth]
        if len(near) < len(entities):
            self._cut_off = f"depth limit of {depth} edges reached"
        return near

    def _verdicts(self, question: Question, subgraph: Subgraph, entities: Sequence[Entity]) -> list[Verdict | None]:
        def validate(path: Path) -> Verdict:
            return self._policy.validator.validate(question, path, self._overlay)

        paths = [subgraph.path(entity.iri) for entity in entities]
        verdicts, captions = [], {}
        for path, verdict in zip(paths, self._ask_all(validate, paths), strict=True):
            verdicts.append(verdict)
            if verdict is None:
                continue
            caption = mend(verdict.caption)
            if caption:
                captions[path.leaf.iri] = caption
            self._spend("validated", verdict.calls, path=_labels(path), sufficient=verdict.sufficient, caption=caption)
        self._overlay |= captions  # now that no call of this round can see those of the others
        return verdicts

    def _ask_all(self, ask: Callable[[_Asked], _Said], items: Sequence[_Asked]) -> Iterator[_Said | None]:
        """All answers, in the order of ``items``, each as soon as those before it are there; the calls run at once.

        What is not asked any more, because the walk is over when its turn comes, has None for an answer.
        """

        def ask_in_time(item: _Asked) -> _Said | None:
            return None if self._meter.is_over else ask(item)

        calls = [self._pool.submit(ask_in_time, item) for item in items]
        try:
            for call in calls:
                yield self._await(call)
        finally:
            for call in calls:
                call.cancel()

    def _ask_one(self, ask: Callable[[], _One]) -> _One | None:
        """One answer; None where the walk is stopped before it is there."""
        return None if self._meter.stop() else self._await(self._pool.submit(ask))

    def _await(self, call: Future[_One]) -> _One | None:
        """The answer of a call; None for one that is abandoned, because the walk is stopped while it goes on."""
        patience_s = None if self._meter.stop is never else _PATIENCE_S
        while not wait([call], patience_s).done:
            if self._meter.stop():
                call.cancel()
                return None
        return call.result()

    def _spend(self, kind: str, calls: Sequence[Call], **data: object) -> None:
        self._meter.spend(calls)
        self._tell(kind, calls=calls, **data)

    def _tell(self, kind: str, calls: Sequence[Call] = (), **data: object) -> None:
        self._observe(Event(kind=kind, seconds=self._meter.seconds, data=data, calls=tuple(calls)))


def _stopped() -> WalkStopped:
    return WalkStopped("the walk was stopped before it had a topic to start from")


def _without_loops(subgraph: Subgraph, edges: Sequence[Edge]) -> list[Edge]:
    """The edges of one head without those to entities that every path to it has been through: they end in a loop."""
    visited = subgraph.unavoidable(edges[0].head) if edges else set()
    return [edge for edge in edges if edge.tail.iri not in visited]


def _labels(path: Path) -> list[str]:
    return [entity.label for entity in path.entities]


def _expansion(path: Path, edges: Sequence[Edge], chosen: Sequence[Edge], scores: Sequence[float]) -> dict[str, object]:
    taken = {id(edge) for edge in chosen}
    return {
        "entity": path.leaf.iri.value,
        "path": _labels(path),
        "chosen": [_offer(edge) | {"score": round(score, 6)} for edge, score in zip(chosen, scores, strict=True)],
        "rejected": [_offer(edge) for edge in edges if id(edge) not in taken],
    }


def _offer(edge: Edge) -> dict[str, object]:
    return {
        "iri": edge.tail.iri.value,
        "label": edge.tail.label,
        "relation": edge.relation.iri.value,
        "relation_label": edge.relation.label,
        "base": edge.relation.base.value,
        "base_label": edge.relation.base_label,
        "condition": edge.relation.condition_label or "",
        "conditions": list(edge.conditions),
        "types": [kind.value for kind in edge.tail.types],
    }
