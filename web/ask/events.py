"""
The trace of a run as it stands on disk, checked: the events that the page shows, as ``agents.walk`` tells them.
"""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from agents.runs import RunFolder
from web.ask.records import Record, explained


class CallRecord(Record):
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


class OfferRecord(Record):
    """A neighbour that was offered; ``score`` is the expander's, for those it chose."""

    iri: str
    label: str
    relation: str
    relation_label: str
    conditions: tuple[str, ...] = ()
    score: float | None = None


class PerceivedEvent(Record):
    """The question's media were put into words."""

    kind: Literal["perceived"]
    caption: str = ""
    calls: tuple[CallRecord, ...] = ()


class TopicEvent(Record):
    """The root of the walk was found."""

    kind: Literal["topic"]
    topic: str
    label: str
    calls: tuple[CallRecord, ...] = ()


class RoundEvent(Record):
    """A round began; ``sparql`` is the query that fetched the edges of its frontier."""

    kind: Literal["round"]
    seconds: float
    number: int
    sparql: str


class ExpandedEvent(Record):
    """Neighbours of one entity were chosen; ``path`` are the labels of the way to it."""

    kind: Literal["expanded"]
    entity: str
    path: tuple[str, ...] = Field(min_length=1)
    chosen: tuple[OfferRecord, ...] = ()
    rejected: tuple[OfferRecord, ...] = ()
    calls: tuple[CallRecord, ...] = ()


class ValidatedEvent(Record):
    """A path was judged; ``caption`` is what the validator saw of its end's media."""

    kind: Literal["validated"]
    path: tuple[str, ...] = Field(min_length=1)
    sufficient: bool
    caption: str = ""
    calls: tuple[CallRecord, ...] = ()


Event = PerceivedEvent | TopicEvent | RoundEvent | ExpandedEvent | ValidatedEvent
_EVENTS: TypeAdapter[list[Event]] = TypeAdapter(list[Annotated[Event, Field(discriminator="kind")]])
_LINES = TypeAdapter(list[dict[str, object]])
_SHOWN_KINDS = {"perceived", "topic", "round", "expanded", "validated"}


def read_events(runs: RunFolder, run_id: str) -> list[Event]:
    """The events of a run that the page shows, in order. Raises agents.errors.RunNotFound, RunUnreadable."""
    with explained(f"the trace of run {run_id}"):
        events = _LINES.validate_python(runs.trace(run_id))
        return _EVENTS.validate_python([event for event in events if event.get("kind") in _SHOWN_KINDS])
