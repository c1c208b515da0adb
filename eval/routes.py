"""Maps routes of names, as the benchmark writes them, onto the entities of a graph.

A name belongs to the sub-graph of the last topic entity before it. The sub-graph of a topic is what can be reached
from it without going through another topic, so elements, props and other monsters are shared. What does not map is
reported with its reason, never skipped.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from agents.topic import find_topics, normalise
from kg.store import Store
from sparql.graph import Edge, Entity, neighbourhood, topic_entities


@dataclass(frozen=True, slots=True)
class MappedRoute:
    """The entities of a route, root first; ``problem`` says what did not map ("" when all did)."""

    names: tuple[str, ...]
    iris: tuple[ox.NamedNode, ...]
    problem: str = ""


class RouteMap:
    """Reads a graph's topics once and each topic's sub-graph when it is first named."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._topics = topic_entities(store)
        self._topic_iris = {topic.iri for topic in self._topics}
        self._subgraphs: dict[ox.NamedNode, list[Entity]] = {}
        self._tails: dict[ox.NamedNode, set[ox.NamedNode]] = {}

    def map(self, route: Sequence[str]) -> MappedRoute:
        """The route as IRIs, as far as it maps."""
        iris: list[ox.NamedNode] = []
        owner: Entity | None = None
        for name in route:
            called = self._called(name, owner)
            linked = [entity for entity in called if not iris or entity.iri in self._tails_of(iris[-1])]
            if not linked or (not iris and len(linked) > 1):
                strayed = [entity.iri for entity in called[:1]] if iris else []
                return MappedRoute(tuple(route), (*iris, *strayed), _problem(name, owner, len(called)))
            iris.append(linked[0].iri)
            owner = linked[0] if linked[0].iri in self._topic_iris else owner
        return MappedRoute(tuple(route), tuple(iris))

    def _called(self, name: str, owner: Entity | None) -> list[Entity]:
        """Who may be meant: topics, and what is in the sub-graph of ``owner``; a label goes before other names."""
        subgraph = self._subgraph(owner) if owner else []
        wanted = normalise(name)
        labelled = [entity for entity in subgraph if normalise(entity.label) == wanted]
        others = [entity for entity in subgraph if wanted in map(normalise, entity.alt_labels)]
        return [*find_topics(self._topics, name), *labelled, *others]

    def _tails_of(self, head: ox.NamedNode) -> set[ox.NamedNode]:
        if head not in self._tails:
            self._read([head])
        return self._tails[head]

    def _read(self, heads: list[ox.NamedNode]) -> list[Edge]:
        edges = neighbourhood(self._store, heads)
        for head, found in edges.items():
            self._tails[head] = {edge.tail.iri for edge in found}
        return [edge for found in edges.values() for edge in found]

    def _subgraph(self, topic: Entity) -> list[Entity]:
        if topic.iri not in self._subgraphs:
            self._subgraphs[topic.iri] = list(self._reach(topic).values())
        return self._subgraphs[topic.iri]

    def _reach(self, topic: Entity) -> dict[ox.NamedNode, Entity]:
        """What can be reached from ``topic`` without going through another topic, nearest first."""
        reached: dict[ox.NamedNode, Entity] = {}
        level = [topic.iri]
        while level:
            edges = self._read(level)
            new = {edge.tail.iri: edge.tail for edge in edges if edge.tail.iri not in self._topic_iris}
            level = [iri for iri in new if iri not in reached]
            reached |= {iri: new[iri] for iri in level}
        return reached


def _problem(name: str, owner: Entity | None, called: int) -> str:
    if owner is None:
        return f"{called} topic entities are called {name!r}" if called else f"{name!r} is no topic entity of the graph"
    if called:
        return f"no edge leads to {name!r} from what stands before it"
    return f"{owner.label} has nothing called {name!r}"
