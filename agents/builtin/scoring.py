"""Scores the edges that leave an entity, for one question.

A path's score is the sum over its edges, so that paths of different length compare: an edge that only *leads*
somewhere (to a group, to a relative) adds what speaks for that way, an edge to a candidate adds how well it fits the
description, and an edge that *refines* a candidate (to a variant of it) adds the difference. None stands for an edge
that is not to be followed.

A candidate is an entity of the domain's preferred class, a group one of its single-choice class, a relative another
topic entity.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyoxigraph as ox

from agents.builtin.conditions import agreement
from agents.builtin.reading import FOLLOWING, REPETITION, Order, Reading, negated
from agents.builtin.relations import RelationNames
from agents.builtin.similarity import Similarity
from agents.domain import Domain
from agents.roles import Overlay, Path, Question
from agents.topic import mentioned
from ontology import terms
from retrieval.lexicon import stem, words
from sparql.graph import Edge, Entity


@dataclass(frozen=True, slots=True)
class Weights:
    """What each kind of evidence is worth; 0, or False, switches one off.

    The fit of an entity to what is shown sums ``label`` (its label's coverage) and ``caption`` (the cosine of its best
    caption), less ``usual`` times what it fits other descriptions; ``group`` is what a group's fit counts.
    ``condition``: a condition is stated, or denied. ``mention``: the question names the entity. ``repetition``: what is
    shown goes on, or has ended, and so does the entity by its texts.

    Three are thresholds, which nothing reaches where they are infinite: ``asked`` is the share of a relation's words
    that must stand in the question for the relation to be asked for; ``covered`` that of an entity's label for the
    entity to be talked of; ``leap`` how much better a follow-up must fit than what it follows to be taken for what is
    shown.

    ``follows``: what comes after or before the thing shown is looked for where the question asks for it.
    ``relatives``: another topic entity is gone to where it is asked for. ``comparisons``: of two topic entities
    compared, each keeps its best paths.
    """

    label: float = 1.0
    caption: float = 2.0
    usual: float = 1.0
    condition: float = 0.35
    mention: float = 3.0
    group: float = 0.5
    repetition: float = 0.15
    asked: float = 0.7
    covered: float = 0.75
    leap: float = 0.25
    follows: bool = True
    relatives: bool = True
    comparisons: bool = True


class EdgeScorer:
    """Scores the offer at one path for one question."""

    def __init__(
        self,
        question: Question,
        reading: Reading,
        path: Path,
        overlay: Overlay,
        *,
        similarity: Similarity,
        domain: Domain,
        weights: Weights,
        called: Mapping[ox.NamedNode, Sequence[str]],
    ) -> None:
        self._question, self._reading, self._path, self._overlay = question, reading, path, overlay
        self._similarity, self._weights, self._called = similarity, weights, called
        self._relations = RelationNames(question, reading, similarity.lexicon, called, weights.asked)
        self._candidate_class = domain.preferred_class.iri if domain.preferred_class else None
        self._group_class = domain.single_choice_class.iri if domain.single_choice_class else None
        self._hide = [
            name for entity in path.entities if is_topic(entity) for name in (entity.label, *entity.alt_labels)
        ]

    def score(self, offer: Sequence[Edge]) -> list[float | None]:
        """A score for each edge of the offer, or None."""
        if self._candidate_class is None and self._silent and self._relations.asks_for(self._path):
            followed = self._by_relation(offer)
            if any(score is not None for score in followed) or self._ends_as_asked():
                return followed
        if self.is_candidate(self._path.leaf):
            return [self._from_candidate(edge) for edge in offer]
        if self._stops_at_group() or any(map(self.is_candidate, self._path.entities)):
            return [None] * len(offer)
        relatives = [self._asks_relative(edge, offer) for edge in offer]
        named = self._named(offer)
        asked = self._asked(offer)
        elsewhere = any(relatives) and not self._reading.compares
        scores: list[float | None] = []
        for edge, relative, is_asked in zip(offer, relatives, asked, strict=True):
            if is_topic(edge.tail):
                scores.append(0.0 if relative else None)
            elif elsewhere:
                scores.append(None)
            elif self.is_group(edge.tail):
                scores.append(None if self.is_group(self._path.leaf) else self._toward_group(edge, offer))
            elif self.is_candidate(edge.tail):
                scores.append(self._toward_candidate(edge, named, only_asked=any(asked)))
            else:
                scores.append(self._weights.condition * self._agreement(edge) if is_asked and not named else None)
        return scores

    def is_candidate(self, entity: Entity) -> bool:
        """Whether the entity is of the class that is mostly sought; without such a class, anything but a topic or a
        group.
        """
        if self._candidate_class is None:
            return not is_topic(entity) and not self.is_group(entity) and entity != self._path.topic
        return self._candidate_class in entity.types

    def is_group(self, entity: Entity) -> bool:
        """Whether the entity is of the class whose members exclude each other."""
        return self._group_class is not None and self._group_class in entity.types

    # -- by the relation alone

    def _by_relation(self, offer: Sequence[Edge]) -> list[float | None]:
        """All edges of the relation that the question asks for, or comes closest to, however their tails look; where
        it names some of these, those.
        """
        asked = [
            edge
            for edge in offer
            if self._relations.is_asked(edge)
            and self._relations.is_asked_again(edge, self._path)
            and self._agreement(edge) >= 0
        ]
        best = max(map(self._relations.closeness, asked), default=0.0)
        asked = [edge for edge in asked if self._relations.closeness(edge) == best]
        named = set(mentioned([edge.tail for edge in asked], self._question.text))
        wanted = {id(edge) for edge in asked if not named or edge.tail in named}
        return [
            self._weights.mention + self._weights.condition * self._agreement(edge) if id(edge) in wanted else None
            for edge in offer
        ]

    def _ends_as_asked(self) -> bool:
        """Whether the last step is one whose relation the question asks for: it asks for nothing behind it."""
        return bool(self._path.edges) and self._relations.is_asked(self._path.edges[-1])

    # -- from the topic or a group

    def _asks_relative(self, edge: Edge, offer: Sequence[Edge]) -> bool:
        """Whether the question wants this other topic entity: by name, or by the best fitting of the relations to
        such.
        """
        if not self._weights.relatives or not is_topic(edge.tail) or sum(map(is_topic, self._path.entities)) > 1:
            return False
        if edge.tail in mentioned([edge.tail, self._path.topic], self._question.text):
            return True
        mine = self._relation_coverage(edge)
        best = max(self._relation_coverage(other) for other in offer if is_topic(other.tail))
        return mine >= self._weights.asked and mine == best

    def _toward_group(self, edge: Edge, offer: Sequence[Edge]) -> float | None:
        groups = [other for other in offer if self.is_group(other.tail)]
        if self._silent and self._reading.asks_single:  # they are to be listed
            return self._weights.condition * self._agreement(edge)
        best = max(self._group_evidence(other, groups) for other in groups)
        score = self._group_evidence(edge, groups) - best
        return score if score > -1.0 else None

    def _group_evidence(self, edge: Edge, groups: Sequence[Edge]) -> float:
        said = f"{self._question.extra} {self._question.text}"
        named = edge.tail in mentioned([group.tail for group in groups], said)
        shown = f"{self._question.extra} {self._reading.description}"
        return (
            self._weights.mention * named
            + self._weights.condition * self._agreement(edge)
            + self._weights.group * self._similarity.fit(shown, edge.tail, self._overlay, hide=self._hide)
        )

    def _toward_candidate(self, edge: Edge, named: set[ox.NamedNode], *, only_asked: bool) -> float | None:
        is_named = edge.tail.iri in named
        if not is_named and (named or (self._silent and self._is_beside_the_point(edge, only_asked=only_asked))):
            return None
        fit = 0.0 if self._reading.order is Order.PREVIOUS else self._fit(edge.tail)
        return fit + self._weights.mention * is_named + self._weights.condition * self._agreement(edge)

    def _is_beside_the_point(self, edge: Edge, *, only_asked: bool) -> bool:
        """Whether the words of the question alone ask for something else than this candidate; without a class of
        candidates they are held against all.
        """
        if self._candidate_class is None:
            return only_asked and not self._asks_relation(edge)
        return not self._states(edge) and (only_asked or not self._reading.asks_preferred)

    @property
    def _silent(self) -> bool:
        """Nothing is shown: the question is all there is."""
        return not self._question.caption

    def _stops_at_group(self) -> bool:
        return self.is_group(self._path.leaf) and self._reading.asks_single and not self._reading.speaks_of_preferred

    # -- from a candidate

    def _from_candidate(self, edge: Edge) -> float | None:
        if is_topic(edge.tail):
            return None
        if not self.is_candidate(edge.tail):
            return self._toward_outcome(edge)
        return self._toward_follower(edge) if is_following(edge) else self._toward_variant(edge)

    def _toward_follower(self, edge: Edge) -> float | None:
        agreed = self._agreement(edge)
        if self._reading.order is Order.NEXT:
            return None if agreed < 0 else self._weights.condition * agreed
        gain = self._fit(edge.tail) - self._fit(self._path.leaf)
        if self._reading.order is Order.PREVIOUS:
            return self._fit(edge.tail) + self._weights.condition * agreed
        return gain if gain > self._weights.leap else None

    def _toward_variant(self, edge: Edge) -> float | None:
        """Variants look alike: where a state is said to choose between them, it does, and else the look."""
        agreed = self._agreement(edge)
        if agreed:
            return self._weights.condition * agreed if agreed > 0 else None
        gain = self._fit(edge.tail) - self._fit(self._path.leaf)
        return gain if gain > 0 else None

    def _toward_outcome(self, edge: Edge) -> float | None:
        """To a group, an effect or anything else that a candidate leads to."""
        if self.is_group(edge.tail):
            follows = self._reading.asks_single and FOLLOWING & set(map(stem, self._reading.question_words))
            return 0.0 if follows else None
        if self._agreement(edge) < 0 or self._reading.asks_preferred:
            return None
        return 0.0 if self._asks_relation(edge) or self._talks_of(edge.tail) else None

    # -- evidence

    def _fit(self, entity: Entity) -> float:
        fit = self._similarity.fit(self._reading.description, entity, self._overlay, hide=self._hide)
        if self._reading.repeats is None:
            return fit
        text = " ".join((entity.label, *(caption.text for caption in entity.captions)))
        repeats = bool(REPETITION & set(map(stem, words(text))))
        return fit + self._weights.repetition * (repeats is self._reading.repeats)

    def _agreement(self, edge: Edge) -> float:
        if not self._weights.condition:
            return 0.0
        return agreement(edge, self._reading.statements, self._similarity.lexicon, hide=self._hide)

    def _named(self, offer: Sequence[Edge]) -> set[ox.NamedNode]:
        """The candidates that the question names; of two names one within the other ("punch", "charging punch") the
        longer.
        """
        candidates = [edge.tail for edge in offer if self._weights.mention and self.is_candidate(edge.tail)]
        found = mentioned(candidates, self._question.text)
        labels = [set(words(entity.label)) for entity in found]
        return {
            entity.iri
            for entity, label in zip(found, labels, strict=True)
            if not any(label < other for other in labels)
        }

    def _asked(self, offer: Sequence[Edge]) -> list[bool]:
        """Which edges the question asks for: by their relation; else, where nothing is shown, by the class of their
        tails ("which element") or by stating their condition ("when it is knocked down").
        """
        by_relation = [self._asks_relation(edge) for edge in offer]
        if any(by_relation) or not self._silent or self._weights.asked > 1:
            return by_relation
        by_class = [self._asks_class(edge.tail) for edge in offer]
        return by_class if any(by_class) else [self._states(edge) for edge in offer]

    def _asks_class(self, entity: Entity) -> bool:
        called = [words(name)[-1] for kind in entity.types for name in self._called.get(kind, ())]
        return not self.is_candidate(entity) and bool(self._reading.asked_for & set(map(stem, called)))

    def _states(self, edge: Edge) -> bool:
        return self._silent and self._agreement(edge) >= self._weights.covered

    def _asks_relation(self, edge: Edge) -> bool:
        return self._relation_coverage(edge) >= self._weights.asked

    def _relation_coverage(self, edge: Edge) -> float:
        """How much of what the relation is called stands in the question: of its condition where that tells it from
        its base.
        """
        condition = edge.relation.condition_label if is_topic(edge.tail) else None
        called = (condition,) if condition else self._called.get(edge.relation.base, (edge.relation.base_label,))
        return max(map(self._relations.coverage, called))

    def _talks_of(self, entity: Entity) -> bool:
        said = [statement for statement in self._reading.statements if not negated(statement)]
        phrase = words(entity.label)
        return any(self._similarity.lexicon.coverage(phrase, text) >= self._weights.covered for text in said)


def is_topic(entity: Entity) -> bool:
    """Whether the entity may root a walk."""
    return terms.TOPIC_ENTITY in entity.types


def is_following(edge: Edge) -> bool:
    """Whether the relation says, by its own label, that its tail comes after its head."""
    return bool(FOLLOWING & set(map(stem, words(edge.relation.base_label))))
