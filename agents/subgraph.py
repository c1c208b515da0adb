"""The sub-graph K_t that a walk grows, and the root-to-leaf paths in it (equations 6, 7 and 10)."""

import pyoxigraph as ox

from agents.roles import Path, ScoredPath
from sparql.graph import Edge, Entity


class Subgraph:
    """Entities in the order in which they were added, and the edges that the expander chose.

    Parallel edges between two entities stay apart. An entity's ``path`` is the first one that led to it.
    """

    def __init__(self, topic: Entity) -> None:
        self._topic = topic
        self._paths: dict[ox.NamedNode, Path] = {topic.iri: Path(topic)}
        self._scores: dict[ox.NamedNode, tuple[float, ...]] = {topic.iri: ()}
        self._edges: dict[ox.NamedNode, list[tuple[Edge, float]]] = {}
        self._sufficient: set[ox.NamedNode] = set()

    def __contains__(self, iri: ox.NamedNode) -> bool:
        return iri in self._paths

    def path(self, iri: ox.NamedNode) -> Path:
        """The first path found from the topic to the entity ``iri``."""
        return self._paths[iri]

    def unavoidable(self, iri: ox.NamedNode) -> set[ox.NamedNode]:
        """The entities that every path found so far from the topic to ``iri`` goes through, both ends included."""
        return {entity.iri for entity in self._paths[iri].entities if not self._is_reached(iri, without=entity.iri)}

    def _is_reached(self, iri: ox.NamedNode, *, without: ox.NamedNode) -> bool:
        seen = {without}
        open_heads = [self._topic.iri]
        while open_heads:
            head = open_heads.pop()
            if head not in seen:
                seen.add(head)
                open_heads += [edge.tail.iri for edge, _ in self._edges.get(head, ())]
        return iri in seen - {without}

    def add(self, edge: Edge, score: float) -> bool:
        """Adds an edge from an entity of the sub-graph; true where its tail is new, and so is open."""
        known = self._edges.setdefault(edge.head, [])
        if any(other.relation.iri == edge.relation.iri and other.tail.iri == edge.tail.iri for other, _ in known):
            return False
        known.append((edge, score))
        if edge.tail.iri in self._paths:
            return False
        self._paths[edge.tail.iri] = self._paths[edge.head].extended(edge)
        self._scores[edge.tail.iri] = (*self._scores[edge.head], score)
        return True

    def mark_sufficient(self, iri: ox.NamedNode) -> None:
        """Notes the validator's Yes."""
        self._sufficient.add(iri)

    @property
    def sufficient_count(self) -> int:
        """How many entities the validator said Yes to."""
        return len(self._sufficient)

    def leaf_paths(self, limit: int) -> list[ScoredPath]:
        """Every path without a loop from the topic to a leaf, shortest first and then in the order of discovery.

        The topic alone is the one path of a sub-graph without edges. A dense sub-graph has exponentially many paths:
        where more than ``limit`` would have to be followed, each leaf has only the one by which it was first found.
        """
        found: list[ScoredPath] = []
        level: list[ScoredPath] = [self._first(self._topic.iri)]
        followed = 0
        while level:
            longer: list[ScoredPath] = []
            for scored in level:
                extensions = self._extensions(scored)
                followed += len(extensions)
                if followed > limit:
                    return self._first_leaf_paths()
                if not extensions:
                    found.append(scored)
                longer.extend(extensions)
            level = longer
        return found

    def _first_leaf_paths(self) -> list[ScoredPath]:
        inner = {path.edges[-1].head for path in self._paths.values() if path.edges}
        leaves = [self._first(iri) for iri in self._paths if iri not in inner]
        return sorted(leaves, key=lambda scored: len(scored.path.edges))

    def _first(self, iri: ox.NamedNode) -> ScoredPath:
        return ScoredPath(self._paths[iri], self._scores[iri], iri in self._sufficient)

    def _extensions(self, scored: ScoredPath) -> list[ScoredPath]:
        on_path = {entity.iri for entity in scored.path.entities}
        return [
            ScoredPath(scored.path.extended(edge), (*scored.scores, score), edge.tail.iri in self._sufficient)
            for edge, score in self._edges.get(scored.path.leaf.iri, ())
            if edge.tail.iri not in on_path
        ]
