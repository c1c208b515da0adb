"""Finds the entity that a text names, without a model."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from agents.errors import NoTopic
from kg.store import Store
from sparql.graph import Entity, entities_by_name, topic_entities


def normalise(text: str) -> str:
    """Lower case, accents kept, everything but letters and digits as single spaces.

    >>> normalise("Frostfang  Barioth's")
    'frostfang barioth s'
    """
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFC", text).casefold()))


def find_topic(topics: Sequence[Entity], name: str) -> Entity | None:
    """The topic whose IRI, label or alternative label is ``name`` (case and punctuation aside), or None."""
    wanted = normalise(name)
    by_iri = next((topic for topic in topics if topic.iri.value == name), None)
    by_label = next((topic for topic in topics if normalise(topic.label) == wanted), None)
    by_alternative = next((topic for topic in topics if wanted in map(normalise, topic.alt_labels)), None)
    return by_iri or by_label or by_alternative


def resolve_topic(store: Store, name: str) -> Entity:
    """The entity that ``name`` (a label or an IRI) means: a topic entity, or any other that the graph knows by it.

    Raises NoTopic where there is none, or several, and says what is close.
    """
    topics = topic_entities(store)
    topic = find_topic(topics, name)
    if topic is not None:
        return topic
    others = entities_by_name(store, name)
    if len(others) == 1:
        return others[0]
    if others:
        raise NoTopic(f"{len(others)} entities are called {name!r}: give the IRI of one, e.g. {others[0].iri.value}")
    close = get_close_matches(name.casefold(), [topic.label.casefold() for topic in topics], n=3)
    labels = [topic.label for topic in topics if topic.label.casefold() in close]
    known = f"did you mean {' or '.join(labels)}?" if labels else _known(topics)
    raise NoTopic(f"no entity is called {name!r}: {known}")


def _known(topics: Sequence[Entity]) -> str:
    if not topics:
        return "the graph has no topic entities; import a graph first"
    more = ", ..." if len(topics) > 5 else ""
    return f"the topic entities are {', '.join(topic.label for topic in topics[:5])}{more}"


def mentioned(entities: Iterable[Entity], text: str) -> list[Entity]:
    """The entities whose label stands in ``text`` as whole words, longest label first.

    A mention inside a longer one does not count: "Pink Rathian" does not mention "Rathian".
    """
    padded = f" {normalise(text)} "
    found = []
    by_length = sorted(entities, key=lambda entity: (-max(map(len, names(entity))), entity.iri.value))
    for entity in by_length:
        for name in sorted(map(normalise, names(entity)), key=len, reverse=True):
            if name and f" {name} " in padded:
                found.append(entity)
                padded = padded.replace(f" {name} ", " | ")
                break
    return found


def names(entity: Entity) -> tuple[str, ...]:
    """The label and the alternative labels."""
    return (entity.label, *entity.alt_labels)
