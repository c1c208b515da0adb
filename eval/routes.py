"""Maps routes of names, as the benchmark writes them, onto the entities of a graph.

A name belongs to the sub-graph of the last topic entity before it. The sub-graph of a topic is what can be reached
from it without going through another topic, so elements, props and other monsters are shared. What does not map is
reported with its reason, never skipped.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from agents.topic import find_topic, names, normalise
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
        self._subgraphs: dict[ox.NamedNode, dict[str, ox.NamedNode]] = {}
        self._tails: dict[ox.NamedNode, set[ox.NamedNode]] = {}

    def map(self, route: Sequence[str]) -> MappedRoute:
        """The route as IRIs, as far as it maps."""
        iris: list[ox.NamedNode] = []
        owner: Entity | None = None
        for name in route:
            topic = find_topic(self._topics, name)
            if topic is not None:
                owner, iri = topic, topic.iri
            elif owner is None:
                return MappedRoute(tuple(route), tuple(iris), f"{name!r} is no topic entity of the graph")
            else:
                found = self._subgraph(owner).get(normalise(name))
                if found is None:
                    return MappedRoute(tuple(route), tuple(iris), f"{owner.label} has nothing called {name!r}")
                iri = found
            if iris and iri not in self._tails_of(iris[-1]):
                return MappedRoute(tuple(route), (*iris, iri), f"no edge leads to {name!r} from what stands before it")
            iris.append(iri)
        return MappedRoute(tuple(route), tuple(iris))

    def _tails_of(self, head: ox.NamedNode) -> set[ox.NamedNode]:
        if head not in self._tails:
            self._read([head])
        return self._tails[head]

    def _read(self, heads: list[ox.NamedNode]) -> list[Edge]:
        edges = neighbourhood(self._store, heads)
        for head, found in edges.items():
            self._tails[head] = {edge.tail.iri for edge in found}
        return [edge for found in edges.values() for edge in found]

    def _subgraph(self, topic: Entity) -> dict[str, ox.NamedNode]:
        if topic.iri in self._subgraphs:
            return self._subgraphs[topic.iri]
        by_name: dict[str, ox.NamedNode] = {}
        seen = {topic.iri}
        level = deque([topic.iri])
        while level:
            edges = self._read(list(level))
            level.clear()
            for edge in edges:
                if edge.tail.iri in seen or edge.tail.iri in self._topic_iris:
                    continue
                seen.add(edge.tail.iri)
                level.append(edge.tail.iri)
                for name in names(edge.tail):
                    by_name.setdefault(normalise(name), edge.tail.iri)
        self._subgraphs[topic.iri] = by_name
        return by_name
