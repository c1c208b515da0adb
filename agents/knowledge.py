"""Puts paths and neighbours into words, for prompts, for the built-in policy and for people (section 8.1, "memory").

Nothing here knows a domain: the words come from the graph's own labels.
"""

from collections.abc import Sequence

from agents.roles import Overlay, Path
from sparql.graph import Edge, Entity


def describe_entity(entity: Entity, overlay: Overlay) -> list[str]:
    """What is known of an entity, a line each: its contexts, then what its media show.

    A caption made online for this question stands in the place of those of the graph.
    """
    lines = [f"{entity.label}: additional information: {context}" for context in entity.contexts]
    captions = [overlay[entity.iri]] if entity.iri in overlay else [caption.text for caption in entity.captions]
    return lines + [f"{entity.label}: description: {caption}" for caption in captions]


def describe_edge(edge: Edge, head_label: str) -> str:
    """An edge as a sentence: ``Zinogre has attack phase of Charged Phase (condition: ...; information: ...)``."""
    notes = [f"condition: {condition}" for condition in edge.conditions]
    notes += [f"information: {text}" for fact in edge.facts for text in fact.information]
    suffix = f" ({'; '.join(notes)})" if notes else ""
    return f"{head_label} {edge.relation.base_label} {edge.tail.label}{suffix}"


def describe_path(path: Path, overlay: Overlay) -> list[str]:
    """The route from the topic to the leaf: each entity's lines and each edge's sentence, in order."""
    lines = describe_entity(path.topic, overlay)
    for head, edge in zip(path.entities, path.edges, strict=False):
        lines.append(describe_edge(edge, head.label))
        lines += describe_entity(edge.tail, overlay)
    return lines


def describe_paths(paths: Sequence[Path], overlay: Overlay) -> str:
    """Numbered routes, for the summarizer."""
    return "\n\n".join(
        "\n".join([f"Path {number}:", *(f"- {line}" for line in describe_path(path, overlay))])
        for number, path in enumerate(paths, 1)
    )
