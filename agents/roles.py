"""The roles of the walk, what they are asked and what they answer (section 4 of "Taming the Untamed").

A policy plays the roles; an LLM and the built-in policy are two such policies. Every answer carries the calls that it
cost, so that the trace and the budget see them without a side channel.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Protocol

import pyoxigraph as ox

from sparql.graph import Edge, Entity


@dataclass(frozen=True, slots=True)
class Question:
    """A query Q = (q, d, z): the question, what its media show, and what else is known.

    ``topic`` names the topic entity where the asker knows it; ``extra`` is the rest of z; ``caption`` is the text s
    of the media where a person wrote it; ``images`` are the media d themselves, for a perceiver that sees.
    """

    text: str
    topic: str = ""
    extra: str = ""
    caption: str = ""
    images: tuple[FilePath, ...] = ()


@dataclass(frozen=True, slots=True)
class Path:
    """A route from the topic entity to a leaf: ``edges[0].head`` is the topic."""

    topic: Entity
    edges: tuple[Edge, ...] = ()

    @property
    def leaf(self) -> Entity:
        """The last entity of the route; the topic itself when there are no edges."""
        return self.edges[-1].tail if self.edges else self.topic

    @property
    def entities(self) -> tuple[Entity, ...]:
        """The topic and the tail of each edge, in order."""
        return (self.topic, *(edge.tail for edge in self.edges))

    def extended(self, edge: Edge) -> "Path":
        """The route one edge longer."""
        return Path(self.topic, (*self.edges, edge))


Overlay = Mapping[ox.NamedNode, str]
"""Captions made online for this question only: entity IRI → text.

Never written to the graph.
"""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a model (or of the built-in policy): what it was asked, what it said, what it cost.

    ``seconds`` is wall time; tokens are as the endpoint reports them; ``problem`` says why an answer could not be
    used ("" when it could); ``cached`` is true where no model was asked; ``note`` says what was done to a usable
    answer (a part left out, a rule enforced). A role's decision was lost where the last of its calls has a problem.
    """

    role: str
    model: str
    prompt_sha256: str = ""
    answer: str = ""
    problem: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cached: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Perception:
    """The caption of the question's media."""

    caption: str
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class TopicChoice:
    """The topic entity, or None where none fits."""

    topic: Entity | None
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Expansion:
    """The edges chosen among those offered, by index into the offer, best first.

    ``scores`` are the policy's own (higher is better), one for each chosen edge; empty where it has none.
    """

    chosen: tuple[int, ...]
    scores: tuple[float, ...] = ()
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the path is enough to answer; ``caption`` is what the validator saw of the leaf's media, online only."""

    sufficient: bool
    caption: str = ""
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer in words."""

    text: str
    calls: tuple[Call, ...] = ()


class Perceiver(Protocol):
    """P: puts the question's media into words."""

    def perceive(self, question: Question) -> Perception:
        """The caption s-hat.

        Not called when the question has a caption or no media.
        """


class TopicSelector(Protocol):
    """L: picks the root of the walk."""

    def select_topic(self, question: Question, topics: Sequence[Entity]) -> TopicChoice:
        """The topic entity among ``topics``.

        Not called when the question names one of them.
        """


class Expander(Protocol):
    """W: picks the neighbours worth following."""

    def expand(self, question: Question, path: Path, offer: Sequence[Edge], overlay: Overlay) -> Expansion:
        """The edges of ``offer`` (all from ``path.leaf``) that may lead to the answer."""


class Validator(Protocol):
    """U: says whether a path is enough."""

    def validate(self, question: Question, path: Path, overlay: Overlay) -> Verdict:
        """Yes or No for the path that ends in a newly added entity."""


class Summarizer(Protocol):
    """Writes the answer from the retrieved paths."""

    def summarize(self, question: Question, paths: Sequence[Path], overlay: Overlay) -> Answer:
        """The answer, from these paths alone."""


class Selector(Protocol):
    """Picks the paths of the retrieved sub-graph that are kept, best first (the alpha of equation 11)."""

    def select_paths(self, question: Question, paths: Sequence["ScoredPath"], limit: int) -> list["ScoredPath"]:
        """At most ``limit`` of ``paths``.

        Raises agents.errors.NothingFits, with why, where none of them has anything to do with the question.
        """


@dataclass(frozen=True, slots=True)
class ScoredPath:
    """A root-to-leaf path of the retrieved sub-graph.

    ``scores`` holds, for each edge, the expander's score (0.0 where it gave none); ``sufficient`` is the validator's
    word on the leaf.
    """

    path: Path
    scores: tuple[float, ...] = ()
    sufficient: bool = False


@dataclass(frozen=True, slots=True)
class Policy:
    """One player for each role; they may be the same object or different models.

    ``sees`` says whether its perceiver can be shown the question's pictures; one that cannot needs a caption.
    """

    name: str
    perceiver: Perceiver
    topic_selector: TopicSelector
    expander: Expander
    validator: Validator
    selector: Selector
    summarizer: Summarizer
    settings: Mapping[str, str] = field(default_factory=dict)
    sees: bool = False
