"""The built-in policy: plays every role with text similarity and the graph's own words.

Deterministic; nothing is downloaded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pyoxigraph as ox

from agents.builtin.conditions import agreement
from agents.builtin.grounding import Grounds
from agents.builtin.reading import Classes, Order, Reading, content_words, read_question
from agents.builtin.relations import RelationNames
from agents.builtin.scoring import EdgeScorer, Weights, is_following, is_topic
from agents.builtin.similarity import Similarity
from agents.domain import Domain
from agents.errors import NothingFits
from agents.knowledge import describe_edge
from agents.roles import (
    Answer,
    Call,
    Expansion,
    Overlay,
    Path,
    Perception,
    Policy,
    Question,
    ScoredPath,
    TopicChoice,
    Verdict,
)
from agents.topic import mentioned, names
from kg.store import Store
from retrieval.encoder import TextEncoder
from retrieval.lexicon import Lexicon, words
from sparql.graph import Edge, Entity, all_entities, vocabulary_names


class BuiltinPolicy:
    """All roles in one object; it keeps nothing of a question.

    ``margin`` is how far behind the best path another one may score and still be kept: a sure ranking gives one path.
    ``called`` are the names of base relations and classes, ``known`` the entities of the graph, for their names.
    """

    def __init__(
        self,
        similarity: Similarity,
        domain: Domain,
        *,
        weights: Weights | None = None,
        margin: float = 0.15,
        called: Mapping[ox.NamedNode, Sequence[str]] | None = None,
        known: Sequence[Entity] = (),
    ) -> None:
        self._similarity, self._domain, self._margin = similarity, domain, margin
        self._called, self._known = called or {}, known
        self._weights = weights or Weights()

    def read(self, question: Question) -> Reading:
        """What the question asks for, in the domain's terms."""
        preferred, single = self._domain.preferred_class, self._domain.single_choice_class
        classes = Classes(preferred.label if preferred else "", single.label if single else "")
        reading = read_question(question, classes)
        return replace(
            reading,
            order=reading.order if self._weights.follows else Order.SHOWN,
            compares=reading.compares and self._weights.comparisons,
        )

    def perceive(self, question: Question) -> Perception:
        """It cannot see: media without a caption stay without one, and the trace says so."""
        problem = "the built-in policy cannot see media: give a caption" if question.images else ""
        return Perception("", (Call("perceiver", "builtin", problem=problem),))

    def select_topic(self, question: Question, topics: Sequence[Entity]) -> TopicChoice:
        """The topic that the texts name first; else, where nothing is shown, the one whose texts have most of the
        question's words; of these the one whose description fits best.
        """
        said = f"{question.text} {question.extra} {question.caption}"
        first = min(
            mentioned(topics, said),
            key=lambda topic: (_place(topic, said), -self._similarity.fit(said, topic, {})),
            default=None,
        )
        best = first or max(topics, key=lambda topic: self._nearness(question, topic), default=None)
        return TopicChoice(best, (Call("topic_selector", "builtin", answer=best.label if best else ""),))

    def _nearness(self, question: Question, topic: Entity) -> tuple[float, float]:
        said = f"{question.text} {question.extra} {question.caption}"
        texts = words(" ".join((*names(topic), *topic.contexts, *(caption.text for caption in topic.captions))))
        share = 0.0 if question.caption else self._similarity.lexicon.coverage(content_words(said), texts)
        return round(share, 6), self._similarity.fit(said, topic, {})

    def expand(self, question: Question, path: Path, offer: Sequence[Edge], overlay: Overlay) -> Expansion:
        """The edges worth following, best first."""
        scorer = EdgeScorer(
            question,
            self.read(question),
            path,
            overlay,
            similarity=self._similarity,
            domain=self._domain,
            weights=self._weights,
            called=self._called,
        )
        scored = [(score, index) for index, score in enumerate(scorer.score(offer)) if score is not None]
        scored.sort(key=lambda item: (-item[0], item[1]))
        chosen = tuple(index for _, index in scored)
        answer = "; ".join(offer[index].tail.label for index in chosen)
        return Expansion(chosen, tuple(score for score, _ in scored), (Call("expander", "builtin", answer=answer),))

    def validate(self, question: Question, path: Path, overlay: Overlay) -> Verdict:
        """Never Yes: whether a path suffices shows only beside the others, so the walk ends when nothing is worth
        following.
        """
        del question, path, overlay
        return Verdict(sufficient=False)

    def select_paths(self, question: Question, paths: Sequence[ScoredPath], limit: int) -> list[ScoredPath]:
        """The best path to each end; of those the best and the ones within the margin, per topic entity compared.

        Raises NothingFits where none of these has anything to do with the question.
        """
        reading = self.read(question)
        grounds = self._grounds(question, reading, paths)
        if not question.caption:
            paths = self._grounded(grounds, paths)
        kept = [scored for scored in self._ranked(question, reading, paths) if grounds.hold(scored.path)]
        if not kept:
            raise NothingFits(grounds.reason())
        return kept[:limit]

    def _grounds(self, question: Question, reading: Reading, paths: Sequence[ScoredPath]) -> Grounds:
        lexicon = self._similarity.lexicon
        return Grounds(
            question,
            reading,
            [scored.path for scored in paths],
            similarity=self._similarity,
            relations=RelationNames(question, reading, lexicon, self._called, self._weights.asked),
            called=self._called,
            known=self._known,
            searches=self._domain.preferred_class is None,
        )

    def _grounded(self, grounds: Grounds, paths: Sequence[ScoredPath]) -> Sequence[ScoredPath]:
        """Where nothing is shown: the paths that have to do with the question; else the topic alone."""
        topic = ScoredPath(Path(paths[0].path.topic))
        if grounds.asks_nothing_more and self._domain.preferred_class is None:
            return [topic]
        return [scored for scored in paths if grounds.hold(scored.path)] or [topic]

    def _ranked(self, question: Question, reading: Reading, paths: Sequence[ScoredPath]) -> list[ScoredPath]:
        paths = self._worth_leaving_the_topic(question, reading, paths)
        follow_ups = int(reading.order is not Order.SHOWN)
        cuts = [cut for scored in paths for cut in self._cuts(scored) if _follow_ups(cut.path) == follow_ups]
        answering = [cut for cut in cuts if reading.order is not Order.NEXT or not self._guesses(cut.path, reading)]
        ranked = sorted(answering or paths, key=lambda scored: (-round(sum(scored.scores), 6), len(scored.path.edges)))
        best_to_end: dict[object, ScoredPath] = {}
        for scored in ranked:
            best_to_end.setdefault(self._end(scored.path, lists_groups=not question.caption), scored)
        compared: dict[object, list[ScoredPath]] = {}
        for scored in best_to_end.values():
            compared.setdefault(_last_topic(scored.path).iri if reading.compares else None, []).append(scored)
        return [scored for group in compared.values() for scored in group if self._close(scored, group[0])]

    def summarize(self, question: Question, paths: Sequence[Path], overlay: Overlay) -> Answer:
        """The ends of the routes, behind what they follow, the routes as sentences, and what is known of their ends.

        It reports; it does not reason.
        """
        del question
        lines = [_ends(paths), *(line for path in paths for line in _report(path, overlay))]
        return Answer("\n".join(dict.fromkeys(lines)), (Call("summarizer", "builtin"),))

    def _worth_leaving_the_topic(
        self, question: Question, reading: Reading, paths: Sequence[ScoredPath]
    ) -> Sequence[ScoredPath]:
        """Where nothing is shown: without the groups that were entered in search of a name alone, and, where no class
        says what is sought, without what fits the question no better than usual, or than the topic does.
        """
        if question.caption or reading.asks_single or reading.speaks_of_preferred:
            return paths
        topic = paths[0].path.topic
        if self._domain.preferred_class is None:
            least = max(0.0, self._similarity.fit(reading.description, topic, {}, hide=names(topic)))
            return [scored for scored in paths if sum(scored.scores) > least] or [ScoredPath(Path(topic))]
        groups = [scored.path.leaf for scored in paths if self._is_group(scored.path.leaf)]
        ways = set(groups) - set(mentioned(groups, f"{question.extra} {question.text}"))
        short = [_shorter(scored) if scored.path.leaf in ways else scored for scored in paths]
        return [scored for scored in short if scored.path.edges] or [ScoredPath(Path(topic))]

    def _guesses(self, path: Path, reading: Reading) -> bool:
        """Whether a variant of what follows was chosen by its look: what is shown is what it follows."""
        places = [place for place, edge in enumerate(path.edges, 1) if is_following(edge)]
        refined = [edge for edge in path.edges[places[0] :] if not is_following(edge) and self._is_candidate(edge.tail)]
        lexicon = self._similarity.lexicon
        return any(agreement(edge, reading.statements, lexicon) <= 0 for edge in refined)

    def _is_candidate(self, entity: Entity) -> bool:
        preferred = self._domain.preferred_class
        return preferred is not None and preferred.iri in entity.types

    def _end(self, path: Path, *, lists_groups: bool) -> object:
        """What tells one answer from another: the leaf and what it follows. Groups exclude one another, unless they
        are listed.
        """
        before = path.edges[-1].head if path.edges and is_following(path.edges[-1]) else None
        return (before, path.leaf.iri if lists_groups or not self._is_group(path.leaf) else None)

    def _cuts(self, scored: ScoredPath) -> list[ScoredPath]:
        """The path, and what of it stands before and after each follow-up; a group that a candidate leads to ends it.

        The sub-graph holds an entity once, so a walk goes on from a candidate also where that is the answer.
        """
        edges = scored.path.edges
        end = next(
            (
                n
                for n, edge in enumerate(edges, 1)
                if n > 1 and self._is_group(edge.tail) and not self._is_group(edges[n - 2].tail)
            ),
            len(edges),
        )
        ends = {end} | {cut for n, edge in enumerate(edges[:end]) if is_following(edge) for cut in (n, n + 1)}
        return [
            ScoredPath(Path(scored.path.topic, edges[:cut]), scored.scores[:cut], scored.sufficient)
            for cut in sorted(ends)
        ]

    def _is_group(self, entity: Entity) -> bool:
        single = self._domain.single_choice_class
        return single is not None and single.iri in entity.types

    def _close(self, scored: ScoredPath, best: ScoredPath) -> bool:
        return sum(best.scores) - sum(scored.scores) <= self._margin


_BACKGROUND = 40
"""Captions of the graph against which :class:`Similarity` sees what is usual; more change little and cost time."""


def build_builtin_policy(
    store: Store, encoder: TextEncoder, domain: Domain, *, weights: Weights | None = None, margin: float = 0.15
) -> Policy:
    """The policy for the graph in ``store``: its word weights are counted over the graph's own texts.

    Raises kg.errors.StoreError.
    """
    entities = all_entities(store)
    shown = [entity for entity in entities if entity.captions]
    lexicon = Lexicon(map(_document, shown or entities), encoder)
    others = [entity.captions[0].text for entity in shown[:: max(1, len(shown) // _BACKGROUND)]]
    worth = weights or Weights()
    similarity = Similarity(encoder, lexicon, others, label=worth.label, caption=worth.caption, usual=worth.usual)
    player = BuiltinPolicy(
        similarity,
        domain,
        weights=worth,
        margin=margin,
        called=vocabulary_names(store),
        known=[replace(entity, contexts=(), captions=(), media=()) for entity in entities],
    )
    return Policy("builtin", player, player, player, player, player, player, {"encoder": encoder.fingerprint})


def _document(entity: Entity) -> str:
    """What words are counted in: what can be seen of an entity; where nothing is shown in the graph, what is known."""
    return " ".join((entity.label, *([caption.text for caption in entity.captions] or entity.contexts)))


def _shorter(scored: ScoredPath) -> ScoredPath:
    return ScoredPath(Path(scored.path.topic, scored.path.edges[:-1]), scored.scores[:-1], scored.sufficient)


def _place(entity: Entity, text: str) -> int:
    """Where in ``text`` the entity is first named; the end of the text where its names are spelt otherwise there."""
    places = [text.casefold().find(name.casefold()) for name in names(entity)]
    return min((place for place in places if place >= 0), default=len(text))


def _follow_ups(path: Path) -> int:
    return sum(map(is_following, path.edges))


def _last_topic(path: Path) -> Entity:
    return next((entity for entity in reversed(path.entities) if is_topic(entity)), path.topic)


def _ends(paths: Sequence[Path]) -> str:
    """What the routes lead to: ``Leap Attack, then Shoulder Charge or Heavy Pawslam`` for what follows something."""
    told: dict[str, dict[str, None]] = {}
    for path in paths:
        follows = path.edges and is_following(path.edges[-1])
        first = f"{path.entities[-2].label}, then " if follows else path.leaf.label
        told.setdefault(first, {}).update({path.leaf.label: None} if follows else {})
    return "; ".join(first + _any_of(list(followers)) for first, followers in told.items())


def _any_of(labels: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(labels[:-1]), *labels[-1:])))


def _report(path: Path, overlay: Overlay) -> list[str]:
    sentences = [describe_edge(edge, head.label) for head, edge in zip(path.entities, path.edges, strict=False)]
    leaf = path.leaf
    looks = [overlay[leaf.iri]] if leaf.iri in overlay else [caption.text for caption in leaf.captions]
    known = [
        f"{name}: {' '.join(map(_ended, texts))}"
        for name, texts in (("Looks", looks), ("Note", leaf.contexts))
        if texts
    ]
    return [f"{sentence}." for sentence in sentences] + ([" ".join([f"{leaf.label}.", *known])] if known else [])


def _ended(text: str) -> str:
    """The text with a full stop where it has no end of its own."""
    return text if text.endswith((".", "!", "?")) else f"{text}."
