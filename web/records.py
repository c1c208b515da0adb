"""
A run as it stands on disk, checked: the result and the events of its trace, as far as the page shows them.

Runs outlive versions, and anything may have happened to a file, so what is read is validated here and nowhere else.
What the records mean is said in ``agents.report`` and ``agents.walk``, which write them.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from agents.runs import RunFolder
from web.errors import RunUnreadable


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class CaptionRecord(_Record):
    """What an entity's media show, in words; ``model`` is None where a person wrote them."""

    text: str
    model: str | None = None


class EntityRecord(_Record):
    """An entity of a kept route; ``types`` and ``media`` are IRIs."""

    iri: str
    label: str
    types: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    captions: tuple[CaptionRecord, ...] = ()
    media: tuple[str, ...] = ()


class EdgeRecord(_Record):
    """A step of a kept route; ``conditions`` are the texts to show, ``condition`` the label of the relation's own."""

    relation: str
    base_label: str
    condition: str | None = None
    conditions: tuple[str, ...] = ()
    information: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()


class RouteRecord(_Record):
    """A kept route: ``entities`` are one more than ``edges``."""

    entities: tuple[EntityRecord, ...] = Field(min_length=1)
    edges: tuple[EdgeRecord, ...]
    score: float = 0.0
    sufficient: bool = False
    text: str = ""

    @model_validator(mode="after")
    def _check_lengths(self) -> Self:
        if len(self.entities) != len(self.edges) + 1:
            raise ValueError("a route has one entity more than edges")
        return self

    @property
    def steps(self) -> tuple[tuple[EdgeRecord, EntityRecord], ...]:
        """Each edge with the entity that it leads to."""
        return tuple(zip(self.edges, self.entities[1:], strict=True))


class QuestionRecord(_Record):
    """What was asked."""

    text: str
    topic: str = ""
    extra: str = ""
    caption: str = ""


class SettingsRecord(_Record):
    """How it was walked."""

    strategy: str = "bfs"
    paths: int = 5


class CostRecord(_Record):
    """What it cost; ``seconds`` is wall time."""

    calls: int = 0
    calls_by_role: Mapping[str, int] = Field(default_factory=dict)
    models: tuple[str, ...] = ()
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached: int = 0
    unusable: int = 0
    seconds: float = 0.0


class RunRecord(_Record):
    """One question answered."""

    run: str
    question: QuestionRecord
    topic: EntityRecord
    answer: str
    paths: tuple[RouteRecord, ...]
    retrieved: int = 0
    rounds: int = 0
    stopped: str = ""
    queries: tuple[str, ...] = ()
    captions_made: Mapping[str, str] = Field(default_factory=dict)
    cost: CostRecord = CostRecord()
    policy: Mapping[str, str] = Field(default_factory=dict)
    settings: SettingsRecord = SettingsRecord()

    @property
    def time(self) -> datetime | None:
        """When the walk began, as the run's id says."""
        return run_time(self.run)


class CallRecord(_Record):
    """One call of a model."""

    role: str
    model: str
    prompt_sha256: str = ""
    answer: str = ""
    problem: str = ""
    note: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cached: bool = False

    @property
    def is_telling(self) -> bool:
        """Whether it says more than the step that it was made for: a model was asked, or something went wrong."""
        return bool(self.prompt_sha256 or self.problem or self.note)


class OfferRecord(_Record):
    """A neighbour that was offered; ``score`` is the expander's, for those it chose."""

    iri: str
    label: str
    relation: str
    relation_label: str
    conditions: tuple[str, ...] = ()
    score: float | None = None


class PerceivedEvent(_Record):
    """The question's media were put into words."""

    kind: Literal["perceived"]
    caption: str = ""
    calls: tuple[CallRecord, ...] = ()


class TopicEvent(_Record):
    """The root of the walk was found."""

    kind: Literal["topic"]
    topic: str
    label: str
    calls: tuple[CallRecord, ...] = ()


class RoundEvent(_Record):
    """A round began; ``sparql`` is the query that fetched the edges of its frontier."""

    kind: Literal["round"]
    seconds: float
    number: int
    sparql: str


class ExpandedEvent(_Record):
    """Neighbours of one entity were chosen; ``path`` are the labels of the way to it."""

    kind: Literal["expanded"]
    entity: str
    path: tuple[str, ...] = Field(min_length=1)
    chosen: tuple[OfferRecord, ...] = ()
    rejected: tuple[OfferRecord, ...] = ()
    calls: tuple[CallRecord, ...] = ()


class ValidatedEvent(_Record):
    """A path was judged; ``caption`` is what the validator saw of its end's media."""

    kind: Literal["validated"]
    path: tuple[str, ...] = Field(min_length=1)
    sufficient: bool
    caption: str = ""
    calls: tuple[CallRecord, ...] = ()


Event = PerceivedEvent | TopicEvent | RoundEvent | ExpandedEvent | ValidatedEvent
_EVENTS: TypeAdapter[list[Event]] = TypeAdapter(list[Annotated[Event, Field(discriminator="kind")]])
_SHOWN_KINDS = {"perceived", "topic", "round", "expanded", "validated"}


def load_result(runs: RunFolder, run_id: str) -> dict[str, object]:
    """The result of a finished run as it stands. Raises agents.errors.RunNotFound, RunUnreadable."""
    with _explained(f"run {run_id}"):
        return runs.load(run_id)


def load_trace(runs: RunFolder, run_id: str) -> list[dict[str, object]]:
    """The trace of a run as it stands. Raises agents.errors.RunNotFound, RunUnreadable."""
    with _explained(f"the trace of run {run_id}"):
        return runs.trace(run_id)


def read_run(runs: RunFolder, run_id: str) -> RunRecord:
    """The result of a finished run. Raises agents.errors.RunNotFound, RunUnreadable."""
    with _explained(f"run {run_id}"):
        return RunRecord.model_validate(runs.load(run_id))


def read_events(runs: RunFolder, run_id: str) -> list[Event]:
    """The events of a run that the page shows, in order. Raises agents.errors.RunNotFound, RunUnreadable."""
    with _explained(f"the trace of run {run_id}"):
        return _EVENTS.validate_python([event for event in runs.trace(run_id) if event.get("kind") in _SHOWN_KINDS])


def run_time(run_id: str) -> datetime | None:
    """The time in a run's id, in UTC.

    >>> run_time("20260102T030405Z-0a1b2c3d").isoformat()
    '2026-01-02T03:04:05+00:00'
    """
    match = re.match(r"\d{8}T\d{6}Z", run_id)
    try:
        return datetime.strptime(match[0], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC) if match else None
    except ValueError:
        return None


@contextmanager
def _explained(what: str) -> Iterator[None]:
    """Says in a line of our own why ``what`` cannot be read."""
    try:
        yield
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise RunUnreadable(f"{what} is damaged or of another version: {where}: {first['msg']}") from error
    except (OSError, ValueError) as error:  # JSON and UTF-8 errors are ValueErrors
        raise RunUnreadable(f"{what} cannot be read: {' '.join(str(error).split())}") from error
