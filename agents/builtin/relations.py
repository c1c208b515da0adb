"""Which relations a question asks for by their names, and which routes it asks for step by step."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from agents.builtin.reading import FUNCTION_WORDS, Reading
from agents.roles import Path, Question
from agents.topic import is_named, mentioned
from retrieval.lexicon import Lexicon, stem, words
from sparql.graph import Edge, Entity


@dataclass(frozen=True, slots=True)
class RelationNames:
    """The names of relations beside one question; ``least`` is the share of a name's words that must stand there."""

    question: Question
    reading: Reading
    lexicon: Lexicon
    called: Mapping[ox.NamedNode, Sequence[str]]
    least: float

    def coverage(self, name: str) -> float:
        """How much of the name stands in the question, by weight."""
        return self.lexicon.coverage(self._content(name), self.reading.question_words)

    def closeness(self, edge: Edge) -> float:
        """The coverage of that name of the edge's relation of which most stands in the question."""
        return max(map(self.coverage, self._names(edge)))

    def words_of_whole_names(self, relations: Iterable[ox.NamedNode]) -> set[str]:
        """The stems of the names of these relations that stand whole in the question."""
        named = [name for relation in relations for name in self.called.get(relation, ()) if self.coverage(name) == 1]
        return {stem(word) for name in named for word in self._content(name)}

    def is_asked(self, edge: Edge) -> bool:
        """Whether the question has the relation's name, or another name of it."""
        return self.closeness(edge) >= self.least

    def is_asked_again(self, edge: Edge, path: Path) -> bool:
        """Whether the question has the relation's words more often than the route has used them already.

        "What does the owl eat?" names one step, "what does that which the owl eats eat?" two. Where the question names
        not the topic but what a step leads to ("what does the mouse eat?"), that step has used none.
        """
        by_name = set() if is_named(path.topic, self.question) else self._named(path.entities)
        used = sum(other.relation.base == edge.relation.base and other.tail.iri not in by_name for other in path.edges)
        return used < max(map(self._occurrences, self._names(edge)))

    def asks_for(self, path: Path) -> bool:
        """Whether the question has a word for each step: the name of its relation, or that of what it leads to."""
        named = self._named(path.entities)
        return all(self.is_asked(edge) or edge.tail.iri in named for edge in path.edges)

    def _names(self, edge: Edge) -> Sequence[str]:
        return self.called.get(edge.relation.base, (edge.relation.base_label,))

    def _named(self, entities: Sequence[Entity]) -> set[ox.NamedNode]:
        return {entity.iri for entity in mentioned(entities, self.question.text)}

    def _occurrences(self, name: str) -> int:
        said = Counter(map(stem, self.reading.question_words))
        return min((said[word] for word in map(stem, self._content(name)) if said[word]), default=0)

    def _content(self, name: str) -> list[str]:
        return [word for word in words(name) if word not in self.reading.class_words and word not in FUNCTION_WORDS]
