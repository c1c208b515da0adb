"""Infers what the names of a source are, and where they belong, from the relations that connect them.

A source of names alone does not say that "Charging Phase" is a phase; the vocabulary does, by domain and range. Where a
name belongs follows from its class:

- a topic (a sub-graph of its own, or a class of topics) belongs to the data set, and its name means it everywhere;
- a class that relations only lead to (``Signatures.leaves``: elements, weapons, props) is shared: its members are words
  of the data set;
- any other name belongs to the sub-graph that uses it, so that two "Roar" in two sub-graphs are two entities.
"""

from dataclasses import dataclass, field

import pyoxigraph as ox

from kg.iri import slug
from ontology.signatures import Classes, Signatures

Key = tuple[str, str]
"""Slug of the sub-graph's topic ("" for topics), slug of the name."""


@dataclass(frozen=True, slots=True)
class Place:
    """What a name denotes: its key, its class where one is known, and the path segments of its IRI."""

    key: Key
    entity_class: ox.NamedNode | None
    segments: tuple[str, ...]
    topic: bool = False
    shared: bool = False


@dataclass(slots=True)
class Names:
    """The names of a source's sub-graphs. Observe all edges, then :meth:`settle`, then ask :meth:`place`."""

    signatures: Signatures
    topics: frozenset[str]
    _possible: dict[Key, Classes] = field(default_factory=dict)
    _shared: dict[str, ox.NamedNode] = field(default_factory=dict)

    def key(self, topic: str, name: str) -> Key:
        """The key of ``name`` in the sub-graph of ``topic`` (a slug). Raises BadTerm for a name without letters."""
        name_slug = slug(name)
        return ("", name_slug) if name_slug in self.topics else (topic, name_slug)

    def observe(self, key: Key, allowed: Classes) -> bool:
        """Narrow what a name can be; False where that contradicts what other edges say (which then stands)."""
        if not allowed:
            return True
        narrowed = allowed & self._possible.get(key, allowed)
        if not narrowed:
            return False
        self._possible[key] = narrowed
        return True

    def settle(self) -> None:
        """Take the names that belong to the data set; where sub-graphs disagree on one, the first sub-graph counts."""
        for key in sorted(self._possible):
            found = self._class_of(key)
            if key[0] and found is not None and found in self.signatures.leaves | self.signatures.topics:
                self._shared.setdefault(key[1], found)

    def place(self, key: Key) -> Place:
        """Where the name with this key belongs."""
        scope, name = key
        found = self._class_of(key)
        if not scope:
            return Place(key, found, (name,), topic=True)
        if found is None:
            found = self._shared.get(name)
        if found in self.signatures.topics:
            return Place(key, found, (name,), shared=True)
        if found in self.signatures.leaves:
            return Place(key, found, (_kebab(found), name), shared=True)
        return Place(key, found, (scope, name))

    def _class_of(self, key: Key) -> ox.NamedNode | None:
        possible = self._possible.get(key, frozenset())
        is_topic = not key[0]
        # A head that may be a topic or something else is a topic where a sub-graph bears its name, and only there.
        likely = possible & self.signatures.topics if is_topic else possible - self.signatures.topics
        chosen = likely or possible
        return next(iter(chosen)) if len(chosen) == 1 else None


def _kebab(entity_class: ox.NamedNode) -> str:
    """The local name of a class as a path segment: ``AttackEffect`` is ``attack-effect``."""
    local = entity_class.value.replace("#", "/").rsplit("/", 1)[-1]
    return "".join(f"-{char.lower()}" if char.isupper() else char for char in local).lstrip("-")
