"""Whether what a question states agrees with the condition of an edge."""

from collections.abc import Iterable, Sequence

from agents.builtin.reading import FUNCTION_WORDS, negated
from retrieval.lexicon import Lexicon, words
from sparql.graph import Edge

_STATED = 0.5
"""Share of a condition's words, by weight, that one statement must have for the condition to be stated."""


def agreement(
    edge: Edge, statements: Sequence[tuple[str, ...]], lexicon: Lexicon, *, hide: Iterable[str] = ()
) -> float:
    """How fully a condition of the edge is stated, up to 1; down to -1 where its contrary is; 0 where nothing is said
    of it.
    """
    hidden = {word for name in hide for word in words(name)}
    label = edge.relation.condition_label
    phrases = ([label] if label else []) + list(edge.conditions)
    marks = [_mark(words(phrase), statement, lexicon, hidden) for phrase in phrases for statement in statements]
    best = max(marks, default=0.0)
    return best if best > 0 else min(marks, default=0.0)


def _mark(phrase: Sequence[str], statement: tuple[str, ...], lexicon: Lexicon, hidden: set[str]) -> float:
    """A denial is wider than what it denies: "no slime on its fist" rules out orange slime there, so it is the one to
    be covered.
    """
    wanted, said = (_content(text, hidden) for text in (phrase, statement))
    if negated(statement) and not negated(tuple(phrase)):
        return -_strength(said, wanted, lexicon)
    return _strength(wanted, said, lexicon) * (1 if negated(tuple(phrase)) == negated(statement) else -1)


def _strength(phrase: Sequence[str], text: Sequence[str], lexicon: Lexicon) -> float:
    coverage = lexicon.coverage(phrase, text) if phrase else 0.0
    return coverage if coverage >= _STATED else 0.0


def _content(text: Sequence[str], hidden: set[str]) -> list[str]:
    return [word for word in text if word not in hidden | FUNCTION_WORDS and not negated((word,))]
