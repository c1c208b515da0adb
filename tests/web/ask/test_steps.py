"""The events of a walk as rounds, on a hand-made trace."""

from web.ask.events import CallRecord, Event, ExpandedEvent, OfferRecord, RoundEvent, TopicEvent, ValidatedEvent
from web.ask.records import EdgeRecord, EntityRecord, RouteRecord
from web.ask.steps import gather

ASKED = CallRecord(role="expander", model="m", prompt_sha256="abc", answer="1")
SILENT = CallRecord(role="expander", model="builtin")


def offer(name: str, score: float | None = None) -> OfferRecord:
    return OfferRecord(iri=f"ex:{name}", label=name, relation="ex:to", relation_label="leads to", score=score)


def expanded(name: str, *chosen: str, rejected: tuple[str, ...] = (), call: CallRecord = SILENT) -> ExpandedEvent:
    return ExpandedEvent(
        kind="expanded",
        entity=f"ex:{name}",
        path=("A", name) if name != "A" else ("A",),
        chosen=tuple(offer(label, 1.0) for label in chosen),
        rejected=tuple(map(offer, rejected)),
        calls=(call,),
    )


def validated(*path: str, sufficient: bool = False, caption: str = "") -> ValidatedEvent:
    return ValidatedEvent(kind="validated", path=path, sufficient=sufficient, caption=caption)


def begun(number: int) -> RoundEvent:
    return RoundEvent(kind="round", seconds=0.5 * number, number=number, sparql=f"SELECT {number}")


KEPT = RouteRecord(
    entities=tuple(EntityRecord(iri=f"ex:{name}", label=name) for name in "AB"),
    edges=(EdgeRecord(relation="ex:to", base_label="leads to"),),
)


def test_events_become_rounds() -> None:
    events: list[Event] = [
        TopicEvent(kind="topic", topic="ex:A", label="A", calls=(ASKED,)),
        validated("A"),
        begun(1),
        expanded("A", "B", "C", rejected=("D",), call=ASKED),
        validated("A", "B", sufficient=True, caption="seen"),
        validated("A", "C"),
        begun(2),
        expanded("C"),
    ]
    walk = gather(events, kept=[KEPT])
    assert walk.calls == [ASKED]
    assert not walk.enough_at_once
    first, second = walk.rounds
    assert (first.number, first.seconds, first.sparql, first.frontier) == (1, 0.5, "SELECT 1", ["A"])
    assert [(choice.offer.label, choice.kept) for choice in first.expansions[0].chosen] == [("B", True), ("C", False)]
    assert first.expansions[0].offered == 3
    assert (first.sufficient, first.judged, first.captions) == ([("A", "B")], 2, [("B", "seen")])
    assert (first.calls, second.calls) == ([ASKED], [])
    assert (second.frontier, second.expansions[0].offered) == (["C"], 0)


def test_a_topic_that_suffices_by_itself() -> None:
    walk = gather([TopicEvent(kind="topic", topic="ex:A", label="A"), validated("A", sufficient=True)])
    assert walk.enough_at_once
    assert walk.rounds == []
