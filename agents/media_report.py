"""What media retrieval found, as JSON for programs and as text for people."""

from agents.media_retrieval import Evidence
from sparql.graph import Entity
from sparql.lifting import Lifted

_SHOWN = 20
"""Triplets kept, and dropped, that the text shows before it counts."""


def evidence_to_json(evidence: Evidence) -> dict[str, object]:
    """Everything that was found, and what it took, JSON-able."""
    return {
        "hits": [
            {
                "items": list(hit.items),
                "index": hit.index,
                "distance": round(hit.distance, 6),
                "shows": [
                    _entity(entity) for item in dict.fromkeys(hit.items) for entity in evidence.shown.get(item, ())
                ],
            }
            for hit in evidence.hits
        ],
        "triplets": [_triplet(one) for one in evidence.triplets],
        "dropped": [_triplet(one.lifted) | {"stage": one.stage, "reason": one.reason} for one in evidence.dropped],
        "topics": [_entity(topic) for topic in evidence.topics],
        "encoders": dict(evidence.encoders),
        "costs": [
            {"stage": c.stage, "by": c.by, "seconds": round(c.seconds, 6), "memory_bytes": c.memory_bytes}
            for c in evidence.costs
        ],
        "cut": evidence.cut,
        "unsearched": list(evidence.unsearched),
    }


def evidence_to_text(evidence: Evidence) -> str:
    """The nearest items with whom they show, the triplets, what was dropped, and by whom the indexes were made."""
    unsearched = [f"There is no index of {name}: they were not looked for." for name in evidence.unsearched]
    if not evidence.hits:
        return "\n".join(["Nothing in the graph is near enough: allow a larger --tau.", *unsearched])
    lines = [*unsearched, "Nearest items:"]
    for hit in evidence.hits:
        shows = dict.fromkeys(entity.label for item in hit.items for entity in evidence.shown.get(item, ()))
        whom = f": {', '.join(shows)}" if shows else ""
        lines.append(f"  {hit.distance:.3f}  {hit.index:<11}  {' + '.join(dict.fromkeys(hit.items))}{whom}")
    lines += ["", f"Triplets ({len(evidence.triplets)} kept, {len(evidence.dropped)} dropped):"]
    lines += [f"  {sentence(one)}" for one in evidence.triplets[:_SHOWN]]
    lines += _rest(len(evidence.triplets))
    if evidence.dropped:
        lines += ["", "Dropped:"]
        lines += [f"  {sentence(one.lifted)} ({one.stage}: {one.reason})" for one in evidence.dropped[:_SHOWN]]
        lines += _rest(len(evidence.dropped))
    if evidence.cut:
        lines += ["", "There were more triplets than are looked at: ask for fewer items or hops."]
    lines += ["", *(f"{name} encoded by {maker}" for name, maker in sorted(evidence.encoders.items()))]
    return "\n".join(lines)


def sentence(lifted: Lifted) -> str:
    """``Lion -roars at [is angry]-> Hyena``."""
    condition = f" [{lifted.relation.condition_label}]" if lifted.relation.condition_label else ""
    return f"{lifted.head.label} -{lifted.relation.base_label}{condition}-> {lifted.tail.label}"


def _rest(count: int) -> list[str]:
    return [f"  ... and {count - _SHOWN} more (--json lists them)"] if count > _SHOWN else []


def _triplet(one: Lifted) -> dict[str, object]:
    return {
        "head": _entity(one.head),
        "relation": one.relation.iri.value,
        "label": one.relation.label,
        "condition": one.relation.condition_label,
        "tail": _entity(one.tail),
        "items": [item.value for item in one.items],
        "hop": one.hop,
        "evidenced": one.evidenced,
    }


def _entity(entity: Entity) -> dict[str, object]:
    return {"iri": entity.iri.value, "label": entity.label}
