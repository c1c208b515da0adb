"""Whether what was found has anything to do with the question: what the graph does not hold is not to be answered.

A ranking always has a best. This module knows no ranking: it looks only whether the question and a route have something
in common. The criterion, and where its threshold comes from, is in ``docs/builtin-policy.md``.
"""

from collections.abc import Mapping, Sequence

import pyoxigraph as ox

from agents.builtin.reading import IDENTITY, Order, Reading, content_words
from agents.builtin.relations import RelationNames
from agents.builtin.similarity import Similarity
from agents.roles import Path, Question
from agents.topic import is_named, mentioned, names
from ontology import terms
from retrieval.lexicon import stem, words
from sparql.graph import Entity

CLOSE = 0.34
"""Cosine that 999 of 1,000 pairs of a name and another thing's description in MarKG stay below (WordLlama).

Measured by ``python -m benchmarks.unrelated_texts``.
"""
_HALF = 0.5
"""Share of the question's content, by weight, of which a route has to hold more where nothing else speaks for it."""


class Grounds:
    """One question beside the routes from one topic, all of which are ``found``.

    ``known`` are the entities of the graph, for their names. ``searches`` says that the graph names no class of what
    is sought, so that any text of it was searched: then the routes to many entities are held against the question, and
    a single word in common may be chance. Words that name a relation of the graph then speak only for the steps of
    that relation: "the capital of Owl" is not answered by whatever else has a capital.
    """

    def __init__(
        self,
        question: Question,
        reading: Reading,
        found: Sequence[Path],
        *,
        similarity: Similarity,
        relations: RelationNames,
        called: Mapping[ox.NamedNode, Sequence[str]],
        known: Sequence[Entity],
        searches: bool,
    ) -> None:
        topic = found[0].topic
        self._reading, self._relations, self._similarity, self._called = reading, relations, similarity, called
        self._found, self._topic, self._shows = found, topic, bool(question.caption)
        self._hidden = {word for name in names(topic) for word in words(name)}
        self._is_named = is_named(topic, question)
        said = f"{question.text} {question.extra} {question.caption}"
        self._content = [word for word in content_words(said) if word not in self._hidden]
        self._guessed = not self._is_named and not self._shows
        self._meant = {entity.iri: entity.label for entity in mentioned(known, question.text)} if self._guessed else {}
        self._searches = searches and not self._shows
        classes = {kind for entity in known for kind in entity.types}
        spent = relations.words_of_whole_names(called.keys() - classes) if self._searches else set()
        self._rest = [word for word in self._content if stem(word) not in spent]

    @property
    def asks_nothing_more(self) -> bool:
        """The question names the topic and has no other word of content: it asks for the topic itself."""
        return self._is_named and not self._content and self._reading.order is Order.SHOWN

    def hold(self, path: Path) -> bool:
        """Whether the route has anything to do with the question."""
        if not self._content:
            return self._is_named
        if self._guessed:
            return self._share(path) > _HALF and self._leads_to_what_is_meant(path)
        if path.edges and (self._reading.order is not Order.SHOWN or self._relations.asks_for(path)):
            return True
        if path.edges and self._searches:
            return self._share(path, self._rest) > _HALF
        return self._is_what_it_is(path) or self._has_common_word(path) or self._closeness(path) >= CLOSE

    def reason(self) -> str:
        """Why none of the routes holds."""
        if not self._content:
            return "the question names nothing"
        if self._guessed and self._meant and not any(map(self._leads_to_what_is_meant, self._found)):
            return (
                f"it names no topic, and {self._topic.label} leads to nothing called {' or '.join(self._names_meant)}"
            )
        if self._guessed:
            share = max(map(self._share, self._found), default=0.0)
            return f"it names no topic, and no route has more than half of its words by weight (at most {share:.0%})"
        if not self._rest:
            return f"it asks for a relation by name that {self._topic.label} does not have"
        closest = max(map(self._closeness, self._found), default=0.0)
        return (
            f"what is said of {self._topic.label} and was followed from there shares too few words with it, and no "
            f"text is close to it (similarity {closest:.2f}, {CLOSE} needed)"
        )

    @property
    def _names_meant(self) -> list[str]:
        return sorted(set(self._meant.values()))

    def _leads_to_what_is_meant(self, path: Path) -> bool:
        """Whether the route has an entity that the question names; where it names none, any does."""
        return not self._meant or any(entity.iri in self._meant for entity in path.entities)

    def _is_what_it_is(self, path: Path) -> bool:
        """Whether what the topic is or is called is asked for, which its own texts tell in whatever words."""
        return not path.edges and bool(self._reading.asked_for & IDENTITY) and bool(_texts(path.topic))

    def _has_common_word(self, path: Path) -> bool:
        said = set(map(stem, self._content))
        ends = path.entities[1:] or (path.topic,)
        return any(said & set(map(stem, content_words(text))) for entity in ends for text in self._words_of(entity))

    def _share(self, path: Path, content: Sequence[str] | None = None) -> float:
        """How much of the question's content the whole route holds: its entities, relations and conditions."""
        texts = [text for entity in path.entities for text in self._words_of(entity)]
        for edge in path.edges:
            texts += [*self._called.get(edge.relation.base, ()), edge.relation.label, *edge.conditions]
        return self._similarity.lexicon.coverage(self._content if content is None else content, words(" ".join(texts)))

    def _closeness(self, path: Path) -> float:
        """The cosine of the question's content to the closest text of the end.

        Where many ends were searched the closest of them says little, so only the topic's own texts count.
        """
        if self._searches and path.edges:
            return 0.0
        asked = " ".join(self._content)
        texts = [*_texts(path.leaf), *(names(path.leaf) if path.edges else ())]
        plain = [" ".join(word for word in words(text) if word not in self._hidden) for text in texts]
        return max((self._similarity.cosine(asked, text) for text in plain if text), default=0.0)

    def _words_of(self, entity: Entity) -> list[str]:
        classes = [name for kind in entity.types if kind != terms.TOPIC_ENTITY for name in self._called.get(kind, ())]
        return [*names(entity), *_texts(entity), *classes]


def _texts(entity: Entity) -> list[str]:
    return [*entity.contexts, *(caption.text for caption in entity.captions)]
