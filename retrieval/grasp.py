"""
GRASP: of the triplets that retrieval gave, those that are present in the query's media and of use for its question.

M3KG-RAG, section 3.2: grounding prunes what is seen or heard too little (equations 4 and 5, thresholds eta), then a
filter keeps or drops by the question, and keeps what it is unsure of. Each stage can be left out (Tables 4 and 15) and
tells what it dropped, why, and what it cost.
"""

import resource
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np

from retrieval.encoder import TextEncoder
from retrieval.grounding.base import Grounder, Scores
from retrieval.search import MediaQuery
from retrieval.triplets import Triplet

Stage = Literal["grounding", "filter"]
ETA = 0.3
"""Where no threshold was tuned: with exemplar grounding a little less than one end as far away as neighbours are."""
LEAST_SIMILARITY = 0.12
"""Below this cosine a triplet has nothing to do with a question (packaged text encoder)."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The least that a triplet must score: seen (eta_v), heard (eta_a), and both together (eta_av)."""

    visual: float = ETA
    audio: float = ETA
    both: float = ETA


@dataclass(frozen=True, slots=True)
class Dropped:
    """A triplet that was dropped: by which stage, and why. ``place`` is its place among those given."""

    place: int
    triplet: Triplet
    stage: Stage
    reason: str
    score: float | None = None
    threshold: float | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """What a stage took: wall time in seconds, and by how many bytes the process's peak memory rose."""

    stage: Stage
    by: str
    seconds: float
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class Pruned:
    """The places of the triplets that were kept, in their order, what was dropped, and what it took."""

    kept: tuple[int, ...]
    dropped: tuple[Dropped, ...]
    costs: tuple[Cost, ...]


class TripletFilter(Protocol):
    """Says of each triplet whether it may help to answer."""

    @property
    def name(self) -> str:
        """What it is called in reports."""

    def keep(self, question: str, triplets: Sequence[Triplet]) -> list[tuple[bool, str]]:
        """Whether to keep each, and why; keeps what it is unsure of."""


@dataclass(frozen=True, slots=True)
class SimilarityFilter:
    """
    Keeps triplets whose words have something to do with the question's; the embedded stand-in for a language model.

    A question without words keeps all, and of triplets that all have nothing to do with it the nearest is kept.
    """

    encoder: TextEncoder
    least: float = LEAST_SIMILARITY
    name: str = "text similarity"

    def keep(self, question: str, triplets: Sequence[Triplet]) -> list[tuple[bool, str]]:
        """See :class:`TripletFilter`."""
        if not question.strip() or not triplets:
            return [(True, "")] * len(triplets)
        # A question may name the relation alone, or one end: it need not be like the whole sentence.
        said = [
            text
            for one in triplets
            for text in (one.sentence, f"{one.relation_label} {one.condition}", one.head_label, one.tail_label)
        ]
        vectors = self.encoder.encode([question, *said])
        near = (vectors[1:] @ vectors[0]).reshape(len(triplets), -1).max(axis=1)
        least = min(self.least, float(near.max()))
        return [(bool(cosine >= least), f"its words are {cosine:.2f} like the question's") for cosine in near]


@dataclass(frozen=True, slots=True)
class Grasp:
    """The stages; None leaves one out. Grounders are asked only for what the query has."""

    visual: Grounder | None = None
    audio: Grounder | None = None
    filter: TripletFilter | None = None
    eta: Thresholds = field(default_factory=Thresholds)

    def prune(self, triplets: Sequence[Triplet], question: str, query: MediaQuery) -> Pruned:
        """Raises retrieval.errors.RetrievalError."""
        kept, costs = list(range(len(triplets))), list[Cost]()
        dropped: list[Dropped] = []
        grounded = self._grounded(triplets, query, costs)
        if grounded is not None:
            dropped += [
                Dropped(place, triplets[place], "grounding", f"{what} {score:.2f}, less than {least:.2f}", score, least)
                for place, (score, least, what) in enumerate(grounded)
                if score < least  # what cannot be judged (NaN) is kept
            ]
            kept = [place for place, (score, least, _) in enumerate(grounded) if not score < least]
        if self.filter is not None and kept:
            with _Measured("filter", self.filter.name, costs):
                verdicts = self.filter.keep(question, [triplets[place] for place in kept])
            for place, (is_kept, reason) in zip(kept, verdicts, strict=True):
                if not is_kept:
                    dropped.append(Dropped(place, triplets[place], "filter", reason))
            kept = [place for place, (is_kept, _) in zip(kept, verdicts, strict=True) if is_kept]
        return Pruned(tuple(kept), tuple(dropped), tuple(costs))

    def _grounded(
        self, triplets: Sequence[Triplet], query: MediaQuery, costs: list[Cost]
    ) -> list[tuple[float, float, str]] | None:
        """The presence of each triplet, the least that it must be, and what it is; None where nothing grounds."""
        if not triplets:
            return None
        unknown = np.full(len(triplets), np.nan)
        scores: dict[str, Scores] = {"seen": unknown, "heard": unknown}
        for sense, grounder, has_any in (("seen", self.visual, query.frames), ("heard", self.audio, query.sounds)):
            if grounder is not None and has_any:
                with _Measured("grounding", grounder.name, costs):
                    scores[sense] = grounder.scores(triplets, query)
        if scores["seen"] is scores["heard"]:
            return None
        return [self._judged(float(seen), float(heard)) for seen, heard in zip(*scores.values(), strict=True)]

    def _judged(self, seen: float, heard: float) -> tuple[float, float, str]:
        """Both senses together; where one cannot judge, the other alone, by its own threshold."""
        if np.isnan(heard):
            return seen, self.eta.visual, "seen"
        if np.isnan(seen):
            return heard, self.eta.audio, "heard"
        return seen + heard, self.eta.both, "seen and heard"


class _Measured:
    """Notes the cost of what is done inside."""

    def __init__(self, stage: Stage, by: str, costs: list[Cost]) -> None:
        self._stage: Stage = stage
        self._by, self._costs = by, costs

    def __enter__(self) -> None:
        self._start, self._peak = time.perf_counter(), _peak_bytes()

    def __exit__(self, *_: object) -> None:
        seconds = time.perf_counter() - self._start
        self._costs.append(Cost(self._stage, self._by, seconds, _peak_bytes() - self._peak))


def _peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
