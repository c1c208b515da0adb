"""The roles that a language model plays, one class each, with its own model and prompt (section 4).

The prompts are in ``prompts/``, in this project's words; what they say of a domain comes from a :class:`Domain`. Knows
no backend. Where a decision is lost (see :class:`agents.roles.Call`), the expander follows nothing, the validator says
no and the selector names no topic.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Literal

import pyoxigraph as ox

from agents.asking import Asker, noted
from agents.domain import Domain, DomainClass
from agents.images import is_image
from agents.knowledge import describe_edge, describe_entity, describe_path, describe_paths
from agents.matching import Option
from agents.parsing import (
    choice_schema,
    choices_schema,
    parse_choice,
    parse_choices,
    parse_verdict,
    verdict_schema,
)
from agents.phrasing import bulleted, describe_question, numbered, read_prose, shorten
from agents.roles import (
    Answer,
    Call,
    Expansion,
    Overlay,
    Path,
    Perception,
    Question,
    TopicChoice,
    Verdict,
)
from sparql.graph import Edge, Entity

MediaFiles = Callable[[ox.NamedNode], Sequence[FilePath]]
"""The files of an entity's media, by the entity's IRI."""
Wording = Literal["sufficient", "necessary"]
_THOUGHTS: dict[Wording, str] = {"sufficient": "missing", "necessary": "adds"}
"""What the validator says in a few words before its verdict, by the wording of its prompt."""
RULES = ("prefer-class", "single-choice")
_CLASS_VARIABLES = {"prefer-class": "preferred_class", "single-choice": "single_choice_class"}
"""Rule of the expander's prompt → field of Domain, and variable of the rule, with the class that it is about."""


@dataclass(frozen=True, slots=True)
class LlmPerceiver:
    """P: describes the question's pictures; at most ``images`` of them are shown."""

    asker: Asker
    domain: Domain
    images: int = 10

    def perceive(self, question: Question) -> Perception:
        """See :class:`agents.roles.Perceiver`."""
        shown = tuple(filter(is_image, question.images))[: self.images]
        if not shown:
            return Perception("")
        variables = {
            "persona": self.domain.persona,
            "look_for": self.domain.look_for,
            "question": describe_question(question),
        }
        caption, calls = self.asker.ask(self.asker.prompt.render(variables, images=shown), read_prose)
        return Perception(caption or "", calls)


@dataclass(frozen=True, slots=True)
class LlmTopicSelector:
    """L: picks one of the topics, ``batch`` at a time; the winners of the batches meet again."""

    asker: Asker
    domain: Domain
    batch: int = 100
    words: int = 25

    def select_topic(self, question: Question, topics: Sequence[Entity]) -> TopicChoice:
        """See :class:`agents.roles.TopicSelector`."""
        calls: tuple[Call, ...] = ()
        winners: list[Entity] = []
        for start in range(0, len(topics), self.batch):
            some = topics[start : start + self.batch]
            winner, spent = self._choose(question, some)
            calls += spent
            winners += [winner] if winner else []
        if len(winners) > 1:
            final = self.select_topic(question, winners)
            return TopicChoice(final.topic, calls + final.calls)
        return TopicChoice(winners[0] if winners else None, calls)

    def _choose(self, question: Question, topics: Sequence[Entity]) -> tuple[Entity | None, tuple[Call, ...]]:
        options = [Option(topic.label, topic.iri.value, topic.alt_labels) for topic in topics]
        messages = self.asker.prompt.render(
            {
                "persona": self.domain.persona,
                "question": describe_question(question),
                "topics": numbered(self._line(topic) for topic in topics),
            }
        )
        chosen, calls = self.asker.ask(
            messages,
            lambda reply: parse_choice(reply.text, options, cut_off=reply.cut_off),
            schema=choice_schema(len(topics)),
        )
        return (topics[chosen[0]] if chosen else None), calls

    def _line(self, topic: Entity) -> str:
        called = f" (also called {', '.join(topic.alt_labels)})" if topic.alt_labels else ""
        about = shorten(" ".join(topic.contexts), self.words)
        return f"{topic.label}{called}{': ' if about else ''}{about}"


@dataclass(frozen=True, slots=True)
class LlmExpander:
    """W: picks neighbours by number, ``batch`` offered at a time, each with up to ``words`` of what is known of it.

    ``rules`` are those in force; at most one neighbour of the single-choice class is kept, whatever the model says.
    """

    asker: Asker
    domain: Domain
    rules: tuple[str, ...] = RULES
    batch: int = 100
    words: int = 60

    def expand(self, question: Question, path: Path, offer: Sequence[Edge], overlay: Overlay) -> Expansion:
        """See :class:`agents.roles.Expander`."""
        chosen: list[int] = []
        calls: tuple[Call, ...] = ()
        for start in range(0, len(offer), self.batch):
            some = offer[start : start + self.batch]
            indices, spent = self._choose(question, path, some, overlay)
            chosen += [start + index for index in indices]
            calls += spent
        kept, note = self._enforce(chosen, offer)
        return Expansion(kept, calls=noted(calls, note))

    def _choose(
        self, question: Question, path: Path, offer: Sequence[Edge], overlay: Overlay
    ) -> tuple[tuple[int, ...], tuple[Call, ...]]:
        options = [Option(edge.tail.label, edge.tail.iri.value, edge.tail.alt_labels) for edge in offer]
        classes = {rule: found for rule in self.rules if (found := self._class(rule))}
        variables = {
            "persona": self.domain.persona,
            "question": describe_question(question),
            "entity": path.leaf.label,
            "memory": bulleted(describe_path(path, overlay)),
            "neighbours": numbered(self._lines(edge, path, overlay) for edge in offer),
        }
        variables |= {_CLASS_VARIABLES[rule]: found.label for rule, found in classes.items()}
        indices, calls = self.asker.ask(
            self.asker.prompt.render(variables, rules=tuple(classes)),
            lambda reply: parse_choices(reply.text, options, cut_off=reply.cut_off),
            schema=choices_schema(len(offer)),
        )
        return indices or (), calls

    def _class(self, rule: str) -> DomainClass | None:
        found: DomainClass | None = getattr(self.domain, _CLASS_VARIABLES[rule])
        return found

    def _lines(self, edge: Edge, path: Path, overlay: Overlay) -> str:
        """The edge as a sentence, its tail's class where a rule is about it, and what is known of the tail."""
        marks = [found.label for rule in self.rules if (found := self._class(rule)) and found.iri in edge.tail.types]
        about = shorten(" ".join(describe_entity(edge.tail, overlay)), self.words)
        sentence = describe_edge(edge, path.leaf.label) + "".join(f" [{mark}]" for mark in marks)
        return f"{sentence}\n   {about}" if about else sentence

    def _enforce(self, chosen: Sequence[int], offer: Sequence[Edge]) -> tuple[tuple[int, ...], str]:
        """The chosen with one of the single-choice class at most, the first; parallel edges to it stay."""
        single = self.domain.single_choice_class
        if "single-choice" not in self.rules or single is None:
            return tuple(chosen), ""
        members = [index for index in chosen if single.iri in offer[index].tail.types]
        first = offer[members[0]].tail if members else None
        dropped = [index for index in members if first and offer[index].tail.iri != first.iri]
        if not dropped or first is None:
            return tuple(chosen), ""
        names = ", ".join(offer[index].tail.label for index in dropped)
        note = f"at most one {single.label}: kept {first.label}, left out {names}"
        return tuple(index for index in chosen if index not in dropped), note


@dataclass(frozen=True, slots=True)
class LlmValidator:
    """U: yes or no by ``wording``; where ``media_files`` finds pictures of the leaf, they are described as well."""

    asker: Asker
    domain: Domain
    wording: Wording = "sufficient"
    media_files: MediaFiles | None = None
    images: int = 10

    def validate(self, question: Question, path: Path, overlay: Overlay) -> Verdict:
        """See :class:`agents.roles.Validator`."""
        shown = self._pictures(path.leaf, overlay)
        variables = {
            "persona": self.domain.persona,
            "question": describe_question(question),
            "entity": path.leaf.label,
            "memory": bulleted(describe_path(path, overlay)),
        }
        rule: str = self.wording
        if shown:
            rule, variables["look_for"] = f"{self.wording}-seen", self.domain.look_for
        verdict, calls = self.asker.ask(
            self.asker.prompt.render(variables, rules=(rule,), images=shown),
            lambda reply: parse_verdict(reply.text, cut_off=reply.cut_off),
            schema=verdict_schema(thought=_THOUGHTS[self.wording], described=bool(shown)),
        )
        if verdict is None:
            return Verdict(False, calls=calls)
        return Verdict(verdict.yes, verdict.description if shown else "", calls)

    def _pictures(self, leaf: Entity, overlay: Overlay) -> tuple[FilePath, ...]:
        """What there is to look at, unless the leaf has been looked at for this question already."""
        if self.media_files is None or leaf.iri in overlay:
            return ()
        return tuple(filter(is_image, self.media_files(leaf.iri)))[: self.images]


@dataclass(frozen=True, slots=True)
class LlmSummarizer:
    """Writes the answer; ``sees`` shows it the question's pictures as well (Q in equation 11 holds them)."""

    asker: Asker
    domain: Domain
    sees: bool = False
    images: int = 10

    def summarize(self, question: Question, paths: Sequence[Path], overlay: Overlay) -> Answer:
        """See :class:`agents.roles.Summarizer`. Without a path no model is asked: there is nothing to answer from."""
        if not paths:
            return Answer("The graph was searched and nothing in it was found to answer this question.")
        variables = {
            "persona": self.domain.persona,
            "question": describe_question(question),
            "knowledge": describe_paths(paths, overlay),
        }
        shown = tuple(filter(is_image, question.images))[: self.images] if self.sees else ()
        text, calls = self.asker.ask(self.asker.prompt.render(variables, images=shown), read_prose)
        return Answer(text or "", calls)
