"""What the page says of the graph: read once, when the server starts, since the graph does not change under it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pyoxigraph as ox

from agents.topic import normalise
from kg.iri import last_part
from kg.stats import Stats, stats
from kg.store import Store
from ontology import terms
from sparql.graph import Entity, describe, topic_entities
from sparql.sources import SourceDescription, sources
from web.examples import Example

ROLES = {terms.TOPIC_ENTITY.value, terms.ENTITY.value}
"""Classes that say what an entity is to a walk, not what kind of thing it is."""

_COLOURS = 9
"""Classes with a colour of their own in drawings; see static/graph-view.css."""


@dataclass(frozen=True, slots=True)
class GraphAbout:
    """``labels`` are those of the classes, by IRI; ``examples`` are the questions to try."""

    counts: Stats
    sources: tuple[SourceDescription, ...] = ()
    topics: tuple[Entity, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    examples: tuple[Example, ...] = ()

    @property
    def suggestions(self) -> list[tuple[str, str]]:
        """What to fill in for each topic, and what to say beside it: its label; its IRI where others are called so."""
        bearers = Counter(normalise(topic.label) for topic in self.topics)
        return [
            (topic.label, "") if bearers[normalise(topic.label)] == 1 else (topic.iri.value, topic.label)
            for topic in self.topics
        ]

    @property
    def classes(self) -> list[tuple[str, int]]:
        """The classes of entities, in words, and how many there are of each, most first."""
        return [(self.label(iri), count) for iri, count in self.counts.entities_by_class.items()]

    @property
    def coloured(self) -> list[tuple[str, str]]:
        """The classes that drawings tell apart, each by a colour of its own: (IRI, label), most entities first."""
        kinds = [iri for iri in self.counts.entities_by_class if iri not in ROLES]
        return [(iri, self.label(iri)) for iri in kinds[:_COLOURS]]

    def label(self, class_iri: str) -> str:
        """A class in words."""
        return self.labels.get(class_iri) or last_part(class_iri)

    def kind(self, types: Iterable[str]) -> str:
        """What kind of thing an entity of these classes is, in words."""
        return ", ".join(self.label(iri) for iri in types if iri not in ROLES)


def read_about(store: Store, *, examples: Iterable[Example] = ()) -> GraphAbout:
    """
    What the graph in ``store`` holds.

    Examples whose topic it does not know are left out. Raises kg.errors.StoreError.
    """
    counts = stats(store)
    topics = topic_entities(store)
    classes = describe(store, [ox.NamedNode(iri) for iri in counts.entities_by_class])
    known = {topic.label for topic in topics}
    return GraphAbout(
        counts=counts,
        sources=tuple(sources(store)),
        topics=tuple(topics),
        labels={iri.value: entity.label for iri, entity in classes.items()},
        examples=tuple(example for example in examples if example.topic in known),
    )
