"""A walk's result as JSON for programs and as text for people."""

from collections import Counter
from collections.abc import Iterable, Sequence

import pyoxigraph as ox

from agents.roles import Call, Path, Question, ScoredPath
from agents.topic import is_named
from agents.walk import WalkResult
from sparql.graph import Edge, Entity


def result_to_json(result: WalkResult) -> dict[str, object]:
    """Everything that the walk found and what it cost, JSON-able."""
    question = result.question
    return {
        "question": question_to_json(question),
        "topic": _entity(result.topic),
        "topic_chosen": not question.topic,
        "answer": result.answer,
        "paths": [_scored(scored) for scored in result.paths],
        "retrieved": result.retrieved,
        "rounds": result.rounds,
        "stopped": result.stopped,
        "unanswered": result.unanswered,
        "queries": list(result.queries),
        "captions_made": {iri.value: text for iri, text in result.overlay.items()},
        "cost": cost(result.calls) | {"seconds": round(result.seconds, 6)},
    }


def question_to_json(question: Question) -> dict[str, object]:
    """What was asked, JSON-able."""
    return {
        "text": question.text,
        "topic": question.topic,
        "extra": question.extra,
        "caption": question.caption,
        "images": [str(image) for image in question.images],
    }


def cost(calls: Sequence[Call]) -> dict[str, object]:
    """Calls by role, tokens, cache hits and unusable answers."""
    return {
        "calls": len(calls),
        "calls_by_role": dict(sorted(Counter(call.role for call in calls).items())),
        "models": sorted({call.model for call in calls if call.model}),
        "prompt_tokens": sum(call.prompt_tokens for call in calls),
        "completion_tokens": sum(call.completion_tokens for call in calls),
        "cached": sum(call.cached for call in calls),
        "unusable": sum(bool(call.problem) for call in calls),
    }


def result_to_text(result: WalkResult, *, verbose: bool = False) -> str:
    """The answer, the topic and whether it was chosen, the paths with conditions and evidence, and what it cost."""
    lines = [
        result.answer or "No answer.",
        "",
        f"Topic: {result.topic.label}{_how_chosen(result)}",
        "",
        f"Paths ({len(result.paths)} kept of {result.retrieved} retrieved):",
    ]
    for number, scored in enumerate(result.paths, 1):
        lines += [f"  {number}. {line}" if first else f"     {line}" for first, line in _path_lines(scored.path)]
    if result.unanswered:
        lines.append(f"  none: {result.unanswered}")
    evidence = sorted({media.value for scored in result.paths for media in _evidence(scored.path)})
    if result.paths:
        lines += ["", "Evidence: " + (", ".join(evidence) or "no media; the captions and contexts of the graph")]
    if verbose:
        lines += ["", *(f"SPARQL of round {n}:\n{query.strip()}" for n, query in enumerate(result.queries, 1))]
    lines += ["", _cost_line(result)]
    return "\n".join(lines)


def _how_chosen(result: WalkResult) -> str:
    if result.question.topic:
        return ""
    return " (the nearest)" if result.unanswered and not is_named(result.topic, result.question) else " (chosen)"


def path_to_text(path: Path) -> str:
    """The route on one line: ``Rathian -has attack action of-> Bite``."""
    return path.topic.label + "".join(f" -{_relation(edge)}-> {edge.tail.label}" for edge in path.edges)


def _relation(edge: Edge) -> str:
    conditions = "; ".join(edge.conditions)
    return edge.relation.base_label + (f" [{conditions}]" if conditions else "")


def _path_lines(path: Path) -> Iterable[tuple[bool, str]]:
    yield True, path_to_text(path)
    for edge in path.edges:
        for fact in edge.facts:
            yield from ((False, f"{edge.tail.label}: {text}") for text in fact.information)


def _cost_line(result: WalkResult) -> str:
    spent = cost(result.calls)
    unusable = f", {spent['unusable']} of them unusable" if spent["unusable"] else ""
    tokens = f", {spent['prompt_tokens']} + {spent['completion_tokens']} tokens" if spent["prompt_tokens"] else ""
    ended = f" Stopped early: {result.stopped}." if result.stopped else ""
    return (
        f"{result.rounds} rounds, {len(result.queries)} SPARQL queries, {spent['calls']} calls{unusable}{tokens}, "
        f"{result.seconds:.2f} s.{ended}"
    )


def _scored(scored: ScoredPath) -> dict[str, object]:
    return {
        "entities": [_entity(entity) for entity in scored.path.entities],
        "edges": [_edge(edge) for edge in scored.path.edges],
        "score": round(sum(scored.scores), 6),
        "sufficient": scored.sufficient,
        "text": path_to_text(scored.path),
    }


def _entity(entity: Entity) -> dict[str, object]:
    return {
        "iri": entity.iri.value,
        "label": entity.label,
        "types": [kind.value for kind in entity.types],
        "contexts": list(entity.contexts),
        "captions": [{"text": caption.text, "model": caption.model} for caption in entity.captions],
        "media": [media.value for media in entity.media],
    }


def _edge(edge: Edge) -> dict[str, object]:
    return {
        "relation": edge.relation.iri.value,
        "label": edge.relation.label,
        "base": edge.relation.base.value,
        "base_label": edge.relation.base_label,
        "condition": edge.relation.condition_label,
        "conditions": list(edge.conditions),
        "information": [text for fact in edge.facts for text in fact.information],
        "facts": [str(fact.iri) for fact in edge.facts],
        "evidence": [media.value for fact in edge.facts for media in fact.evidence],
    }


def _evidence(path: Path) -> Iterable[ox.NamedNode]:
    for edge in path.edges:
        for fact in edge.facts:
            yield from fact.evidence
    for entity in path.entities[1:]:
        yield from entity.media
