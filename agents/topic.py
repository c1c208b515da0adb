"""Finds the entity that a text names, without a model."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

import pyoxigraph as ox

from agents.errors import NoTopic
from agents.roles import Question
from kg.store import Store
from sparql.graph import Entity, entities_by_name, topic_entities


def normalise(text: str) -> str:
    """Lower case, accents kept, everything but letters and digits as single spaces.

    >>> normalise("Frostfang  Barioth's")
    'frostfang barioth s'
    """
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFC", text).casefold()))


def find_topics(topics: Sequence[Entity], name: str) -> list[Entity]:
    """The topics whose IRI is ``name``; else those with that label, else those with that alternative label.

    Case and punctuation do not count. Several topics may share a name.
    """
    wanted = normalise(name)
    by_iri = [topic for topic in topics if topic.iri.value == name]
    by_label = [topic for topic in topics if normalise(topic.label) == wanted]
    by_alternative = [topic for topic in topics if wanted in map(normalise, topic.alt_labels)]
    return by_iri or ((by_label or by_alternative) if wanted else [])


def resolve_topic(store: Store, name: str) -> Entity:
    """The entity that ``name`` (a label or an IRI) means: a topic entity, or any other that the graph knows by it.

    Raises NoTopic where there is none, or several, and says what is close.
    """
    topics = topic_entities(store)
    found = find_topics(topics, name) or entities_by_name(store, name)
    if len(found) == 1:
        return found[0]
    if found:
        raise NoTopic(f"{len(found)} entities are called {name!r}: give the IRI of one, e.g. {found[0].iri.value}")
    close = get_close_matches(name.casefold(), [topic.label.casefold() for topic in topics], n=3)
    labels = [topic.label for topic in topics if topic.label.casefold() in close]
    known = f"did you mean {' or '.join(labels)}?" if labels else _known(topics)
    raise NoTopic(f"no entity is called {name!r}: {known}")


def _known(topics: Sequence[Entity]) -> str:
    if not topics:
        return "the graph has no topic entities to choose from; give the full label or the IRI of any other entity"
    more = ", ..." if len(topics) > 5 else ""
    return f"the topic entities are {', '.join(topic.label for topic in topics[:5])}{more}"


def mentioned(entities: Iterable[Entity], text: str) -> list[Entity]:
    """The entities whose label or alternative label stands in ``text`` as whole words, longest mention first.

    A mention inside a longer one does not count: "Pink Rathian" does not mention "Rathian". All who bear a name are
    mentioned by it.
    """
    bearers: dict[str, dict[ox.NamedNode, Entity]] = {}
    for entity in sorted(entities, key=lambda entity: entity.iri.value):
        for name in names(entity):
            bearers.setdefault(_spaced(name), {})[entity.iri] = entity
    left = _spaced(text)
    found: dict[ox.NamedNode, Entity] = {}
    for name in sorted(bearers, key=lambda name: (-len(name), name)):
        if name in left and name.strip():
            found |= {iri: entity for iri, entity in bearers[name].items() if iri not in found}
            left = left.replace(name, " | ")
    return list(found.values())


def is_named(topic: Entity, question: Question) -> bool:
    """Whether the asker named the topic: beside the question or in it."""
    return bool(question.topic) or bool(mentioned([topic], f"{question.text} {question.extra} {question.caption}"))


def _spaced(text: str) -> str:
    """The words of ``text`` with a space on either side of each, so that two in a row share none."""
    return "".join(f" {word} " for word in normalise(text).split())


def names(entity: Entity) -> tuple[str, ...]:
    """The label and the alternative labels."""
    return (entity.label, *entity.alt_labels)
