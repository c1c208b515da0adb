"""Words and how much each one tells, counted over the texts of a graph.

A word's weight is its inverse document frequency, so that words in every text weigh next to nothing and no list of
stop words is needed. Words are compared by their stem, or softly by their vectors ("swipe" is close to "slash").
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
import snowballstemmer

from retrieval.encoder import TextEncoder, Vectors

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_stemmer = snowballstemmer.stemmer("english")


def words(text: str) -> list[str]:
    """The words of a text in lower case; hyphenated ones are taken apart.

    >>> words("Z's S-shaped Charge!")
    ['z', 's', 's', 'shaped', 'charge']
    """
    return [part for word in _WORD.findall(text.lower()) for part in word.split("-")]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The English stem of a word (Snowball)."""
    return str(_stemmer.stemWord(word))


class Lexicon:
    """Word weights over ``documents``, and coverage of one text by another."""

    def __init__(self, documents: Iterable[str], encoder: TextEncoder) -> None:
        counted = [set(map(stem, words(document))) for document in documents]
        self._frequency = Counter(word for document in counted for word in document)
        self._size = len(counted)
        self._encoder = encoder
        self._vectors: dict[str, Vectors] = {}

    def weight(self, word: str) -> float:
        """Inverse document frequency as in BM25: about 0 for a word in every text.

        Robertson and Zaragoza (2009), equation 3.15.
        """
        frequency = self._frequency[stem(word)]
        return math.log(1 + (self._size - frequency + 0.5) / (frequency + 0.5))

    def coverage(self, phrase: Sequence[str], text: Sequence[str]) -> float:
        """How much of ``phrase`` stands in ``text`` word for word (by stem), by weight: 0 to 1."""
        stems = set(map(stem, text))
        total = sum(map(self.weight, phrase))
        return sum(self.weight(word) for word in phrase if stem(word) in stems) / total if total else 0.0

    def soft_coverage(self, phrase: Sequence[str], text: Sequence[str]) -> float:
        """The same with each word of ``phrase`` counted by its closest word in ``text`` (cosine): -1 to 1."""
        if not phrase or not text:
            return 0.0
        closest = (self._matrix(phrase) @ self._matrix(text).T).max(axis=1)
        weights = np.array([self.weight(word) for word in phrase])
        total = float(weights.sum())
        return float(closest @ weights) / total if total else 0.0

    def _matrix(self, sequence: Sequence[str]) -> Vectors:
        unknown = [word for word in dict.fromkeys(sequence) if word not in self._vectors]
        for word, vector in zip(unknown, self._encoder.encode(unknown), strict=True):
            self._vectors[word] = vector
        return np.stack([self._vectors[word] for word in sequence])
