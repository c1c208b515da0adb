"""Recognises a condition of the catalogue in what a person wrote: "When Zinogre is angry." says "is angry".

Only wording is taken away (a leading "when", the subject that the label leaves out, articles, the final stop);
nothing is guessed from meaning. A text that is not recognised stays free text.
"""

import re
from collections.abc import Iterable

from ontology.naming import tidy

_OPENING = re.compile(r"^(?:condition\s*:\s*)?(?:when(?:ever)?|if|while|once|only when|only if)\s+", re.IGNORECASE)
_ARTICLES = re.compile(r"\b(?:the|its|a|an)\s+", re.IGNORECASE)
_FINAL = re.compile(r"[\s.!;,\u2026]+$")
_PRONOUN = "it"


class Conditions:
    """The condition labels of a vocabulary, found by what people write."""

    def __init__(self, labels: Iterable[str]) -> None:
        self._labels: dict[str, str] = {}
        for label in sorted(labels):
            self._labels.setdefault(_core(label), label)

    def find(self, text: str, *, subjects: Iterable[str] = ()) -> str | None:
        """The label that ``text`` words, or None; ``subjects`` are names that may stand for the label's unsaid subject.

        >>> Conditions(["is angry", "hunter is in front"]).find("When the Zinogre is angry.", subjects=["Zinogre"])
        'is angry'
        """
        core = _core(_OPENING.sub("", tidy(text)))
        if core in self._labels:
            return self._labels[core]
        for subject in (*subjects, _PRONOUN):
            opening = f"{_core(subject)} "
            if core.startswith(opening) and (label := self._labels.get(core.removeprefix(opening))):
                return label
        return None


def same_words(text: str, label: str) -> bool:
    """Whether a text says a label and nothing else, whatever its case, spacing and final stop."""
    return _FINAL.sub("", tidy(text)).casefold() == _FINAL.sub("", tidy(label)).casefold()


def _core(text: str) -> str:
    return " ".join(_ARTICLES.sub("", _FINAL.sub("", tidy(text)).casefold()).split())
