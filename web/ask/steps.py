"""The walk of a run, step by step: the events of its trace gathered into rounds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from web.ask.events import (
    CallRecord,
    Event,
    ExpandedEvent,
    OfferRecord,
    PerceivedEvent,
    RoundEvent,
    TopicEvent,
    ValidatedEvent,
)
from web.ask.records import RouteRecord

Step = tuple[str, str, str]
"""The IRIs of head, relation and tail."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A neighbour that was chosen; ``kept``: the step to it is part of a route that was kept."""

    offer: OfferRecord
    kept: bool


@dataclass(frozen=True, slots=True)
class Expansion:
    """What was offered at the end of a path, and what of it was followed."""

    path: tuple[str, ...]
    chosen: tuple[Choice, ...]
    rejected: tuple[OfferRecord, ...]

    @property
    def offered(self) -> int:
        """How many neighbours there were to choose from."""
        return len(self.chosen) + len(self.rejected)


@dataclass(slots=True)
class Round:
    """One round: its query, the expansion of each open entity, the paths judged enough, the calls worth reading."""

    number: int
    seconds: float
    sparql: str
    expansions: list[Expansion] = field(default_factory=list)
    sufficient: list[tuple[str, ...]] = field(default_factory=list)
    judged: int = 0
    captions: list[tuple[str, str]] = field(default_factory=list)
    calls: list[CallRecord] = field(default_factory=list)

    @property
    def frontier(self) -> list[str]:
        """The labels of the entities that were open."""
        return [expansion.path[-1] for expansion in self.expansions]


@dataclass(slots=True)
class Walk:
    """What came before the first round, and the rounds."""

    calls: list[CallRecord] = field(default_factory=list)
    enough_at_once: bool = False
    rounds: list[Round] = field(default_factory=list)


def gather(events: Iterable[Event], *, kept: Sequence[RouteRecord] = ()) -> Walk:
    """The events, which are in order, as rounds; ``kept`` are the routes of the result."""
    steps = _steps(kept)
    walk = Walk()
    for event in events:
        if isinstance(event, RoundEvent):
            walk.rounds.append(Round(event.number, event.seconds, event.sparql))
            continue
        (walk.rounds[-1].calls if walk.rounds else walk.calls).extend(call for call in event.calls if call.is_telling)
        if isinstance(event, (PerceivedEvent, TopicEvent)) or not walk.rounds:
            walk.enough_at_once |= isinstance(event, ValidatedEvent) and event.sufficient
        elif isinstance(event, ExpandedEvent):
            walk.rounds[-1].expansions.append(_expansion(event, steps))
        else:
            _judge(walk.rounds[-1], event)
    return walk


@dataclass(frozen=True, slots=True)
class Spent:
    """What the calls of some events cost."""

    calls: int = 0
    tokens: int = 0
    rounds: int = 0


def spent_in(events: Iterable[Event]) -> Spent:
    """What the walk has cost so far."""
    events = list(events)
    calls = [call for event in events if not isinstance(event, RoundEvent) for call in event.calls]
    tokens = sum(call.prompt_tokens + call.completion_tokens for call in calls)
    return Spent(len(calls), tokens, sum(isinstance(event, RoundEvent) for event in events))


def rounds_of_steps(events: Iterable[Event]) -> dict[Step, RoundEvent]:
    """In which round each step was chosen first, by the IRIs of its head, relation and tail."""
    found: dict[Step, RoundEvent] = {}
    current: RoundEvent | None = None
    for event in events:
        if isinstance(event, RoundEvent):
            current = event
        elif isinstance(event, ExpandedEvent) and current is not None:
            for offer in event.chosen:
                found.setdefault((event.entity, offer.relation, offer.iri), current)
    return found


def _expansion(event: ExpandedEvent, steps: set[Step]) -> Expansion:
    chosen = tuple(Choice(offer, (event.entity, offer.relation, offer.iri) in steps) for offer in event.chosen)
    return Expansion(event.path, chosen, event.rejected)


def _judge(current: Round, event: ValidatedEvent) -> None:
    current.judged += 1
    if event.sufficient:
        current.sufficient.append(event.path)
    if event.caption:
        current.captions.append((event.path[-1], event.caption))


def _steps(routes: Sequence[RouteRecord]) -> set[Step]:
    """The steps of the routes, as IRIs of head, relation and tail."""
    return {
        (head.iri, edge.relation, tail.iri)
        for route in routes
        for head, (edge, tail) in zip(route.entities, route.steps, strict=False)
    }
