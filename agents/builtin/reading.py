"""Reads a question: what kind of thing it asks for, and where that stands to what is shown.

English cues only (``cues.toml``), and no word of any domain: the words of the domain ("attack action", "phase") come
from the labels of its classes. ``docs/builtin-policy.md`` says what each mechanism is worth.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from importlib import resources

from agents.roles import Question
from retrieval.lexicon import stem, words

_CUES: dict[str, list[str]] = tomllib.loads(
    resources.files("agents.builtin").joinpath("cues.toml").read_text(encoding="utf-8")
)
_ASKS = re.compile(rf"\b({'|'.join(_CUES['asks'])})\b", re.IGNORECASE)
_FILLERS = frozenset(_CUES["fillers"])
_SENTENCE_END = re.compile(r"(?<=[.?!;])\s+|\bthen\b")
_CLAUSE_END = re.compile(r"[.;?!]|,? (?:and|but|when|while|if) ")
_WITHIN = re.compile(
    r"\b(with\s*in|inside|during|in the end of|in|of) (this|the|its|his|her|\w+'s?)? ?(current |same )?", re.IGNORECASE
)
_ENDS = re.compile(r"\b(no|without|not any)\b[^.?!]{0,12}\b(other|further|more|another)\b", re.IGNORECASE)


def _stems(texts: Sequence[str]) -> frozenset[str]:
    return frozenset(map(stem, texts))


FOLLOWING = _stems(_CUES["following"])
REPETITION = _stems(_CUES["repetition"])
IDENTITY = _stems(_CUES["identity"])
FUNCTION_WORDS = frozenset(_CUES["function"])
_EMPTY = (
    FUNCTION_WORDS | _FILLERS | {word for list_of in ("asks", "empty") for cue in _CUES[list_of] for word in words(cue)}
)
_BEFORE = _stems(_CUES["before"])
_REPEATS = _stems(_CUES["repeats"])
_COMPARES = _stems(_CUES["compares"])
_NEGATIONS = frozenset(_CUES["negations"])


class Order(Enum):
    """Where what is asked for stands to what the media show."""

    SHOWN = "shown"
    NEXT = "next"
    PREVIOUS = "previous"


@dataclass(frozen=True, slots=True)
class Classes:
    """What a domain calls the members of its two classes ("" where it has no such class)."""

    preferred: str = ""
    single: str = ""

    @property
    def preferred_stems(self) -> frozenset[str]:
        """The stems of the preferred class's label: "attack action" → attack, action."""
        return _stems(words(self.preferred))

    @property
    def single_stems(self) -> frozenset[str]:
        """The stems that tell the single-choice class from the preferred one: "attack phase" → phase."""
        return _stems(words(self.single)) - self.preferred_stems


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question asks.

    ``order`` is about things of the preferred class. ``asks_preferred`` and ``asks_single``: it asks for the name of
    one of that class, or of the single-choice class; ``speaks_of_preferred``: it has a word for the former at all.
    ``repeats``: what is shown goes on (True) or has ended (False). ``statements`` are the clauses in which conditions
    may be stated, as words; ``asked_for`` are the stems of the words that stand right after one that asks ("which
    element" → element); ``description`` is the text to be held against captions.
    """

    order: Order
    asks_preferred: bool
    asks_single: bool
    speaks_of_preferred: bool
    compares: bool
    repeats: bool | None
    statements: tuple[tuple[str, ...], ...]
    question_words: tuple[str, ...]
    asked_for: frozenset[str]
    class_words: frozenset[str]
    description: str


def read_question(question: Question, classes: Classes) -> Reading:
    """The reading of ``question`` in a domain with these classes."""
    asking = _asking_sentences(question.text)
    hidden = frozenset(words(question.topic))
    within = any(_is_within(sentence, classes.preferred_stems) for sentence in asking)
    asks_single = any(_asks_for(sentence, classes.single_stems, hidden | _lead(classes.single)) for sentence in asking)
    asks_preferred = any(_asks_for(sentence, classes.preferred_stems, hidden) for sentence in asking)
    return Reading(
        order=_order(
            asking, asks_candidate=not asks_single and (asks_preferred or not question.caption), within=within
        ),
        asks_preferred=asks_preferred and not asks_single,
        asks_single=asks_single,
        speaks_of_preferred=bool(classes.preferred_stems & _stems(words(_delete(question.text, classes.single)))),
        compares=bool(_COMPARES & _stems(words(question.text))),
        repeats=_repeats(question.text, within=within),
        statements=tuple(tuple(words(clause)) for text in (question.extra, question.text) for clause in _clauses(text)),
        question_words=tuple(words(question.text)),
        asked_for=frozenset(word for sentence in asking for word in _asked_for(sentence, hidden)),
        class_words=frozenset(words(f"{classes.preferred} {classes.single}")),
        description=question.caption or question.text,
    )


def negated(text: Sequence[str]) -> bool:
    """Whether a clause says that something is not so."""
    return bool(_NEGATIONS & set(text))


def content_words(text: str) -> list[str]:
    """The words that say what a text is about.

    >>> content_words("Tell me: how many cups does it serve?")
    ['cups', 'serve']
    """
    return [word for word in words(text) if word not in _EMPTY]


def _asking_sentences(text: str) -> list[str]:
    sentences = [sentence for sentence in _SENTENCE_END.split(text) if words(sentence)]
    return [sentence for sentence in sentences if _ASKS.search(sentence)] or sentences[-1:]


def _asks_for(sentence: str, labels: frozenset[str], hidden: frozenset[str]) -> bool:
    """Whether a word that asks leads to a word of ``labels`` by fillers alone.

    So "what is the next attack" asks for an attack, and "what will it do in this attack" does not.
    """
    return bool(labels & set(_asked_for(sentence, hidden)))


def _asked_for(sentence: str, hidden: frozenset[str]) -> list[str]:
    """The stem that each word which asks leads to by fillers alone."""
    reached = []
    for match in _ASKS.finditer(sentence):
        following = [word for word in words(sentence[match.end() :]) if word not in hidden]
        reached += [stem(word) for word in following if word not in _FILLERS][:1]
    return reached


def _order(asking: Sequence[str], *, asks_candidate: bool, within: bool) -> Order:
    """Where what is asked for stands; where nothing is shown, its kind need not be said ("what follows?")."""
    said = _stems([word for sentence in asking for word in words(sentence)])
    if asks_candidate and _BEFORE & said:
        return Order.PREVIOUS
    return Order.NEXT if asks_candidate and not within and FOLLOWING & said else Order.SHOWN


def _is_within(sentence: str, labels: frozenset[str]) -> bool:
    """Whether what is asked happens inside the thing shown: "what comes next within this attack"."""
    return any(labels & _stems(words(sentence[match.end() :])[:1]) for match in _WITHIN.finditer(sentence))


def _repeats(text: str, *, within: bool) -> bool | None:
    if _ENDS.search(text):
        return False
    said = _stems(words(text))
    return True if (within and said & _REPEATS) or stem("continue") in said else None


def _lead(label: str) -> frozenset[str]:
    """The words of a label before its last: they qualify it and do not ask for another class."""
    return frozenset(words(label)[:-1])


def _delete(text: str, phrase: str) -> str:
    return re.sub(re.escape(phrase), " ", text, flags=re.IGNORECASE) if phrase else text


def _clauses(text: str) -> list[str]:
    return [clause for clause in _CLAUSE_END.split(text) if words(clause)]
