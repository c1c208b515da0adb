"""Words, their stems and their weights, counted by hand over three sentences."""

import doctest
import math
from collections.abc import Sequence

import numpy as np
import pytest

from retrieval import lexicon as module
from retrieval.encoder import Vectors
from retrieval.lexicon import Lexicon, stem, words

DOCUMENTS = ["the pump hammers", "the pump drips, and drips", "the steam"]


class Letters:
    """An encoder that knows the first letter of a text only: the same letter is the same direction."""

    fingerprint = "letters"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.seen += texts
        rows = np.zeros((len(texts), 26), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            if text:
                row[(ord(text[0]) - ord("a")) % 26] = 1.0
        return rows


@pytest.fixture
def lexicon() -> Lexicon:
    return Lexicon(DOCUMENTS, Letters())


def idf(documents_with_it: int, size: int = 3) -> float:
    return math.log(1 + (size - documents_with_it + 0.5) / (documents_with_it + 0.5))


def test_examples_hold() -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("  \n", []),
        ("360-degree Tail_Spin", ["360", "degree", "tail", "spin"]),
        ("Café Crème, naïve", ["café", "crème", "naïve"]),
        ("-lead and trail- -- x--y", ["lead", "and", "trail", "x", "y"]),
        ("茶 123", ["茶", "123"]),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_forms_of_a_word_share_a_stem() -> None:
    assert stem("dripping") == stem("drips") == stem("drip")
    assert stem("drip") != stem("drop")


@pytest.mark.parametrize(
    ("word", "documents_with_it"), [("the", 3), ("pump", 2), ("pumping", 2), ("drip", 1), ("new", 0)]
)
def test_a_weight_is_the_inverse_document_frequency_of_bm25(
    lexicon: Lexicon, word: str, documents_with_it: int
) -> None:
    assert lexicon.weight(word) == pytest.approx(idf(documents_with_it))


def test_weights_fall_with_frequency_and_stay_above_zero(lexicon: Lexicon) -> None:
    assert lexicon.weight("new") > lexicon.weight("drip") > lexicon.weight("pump") > lexicon.weight("the") > 0


def test_no_documents_weigh_all_words_alike() -> None:
    empty = Lexicon([], Letters())
    assert empty.weight("pump") == empty.weight("steam") > 0
    assert empty.coverage(["pump", "steam"], ["pump"]) == pytest.approx(0.5)


def test_coverage_is_the_share_of_the_weight_that_is_found(lexicon: Lexicon) -> None:
    share = idf(2) / (idf(2) + idf(1))
    assert lexicon.coverage(["pump", "drips"], ["pumping"]) == pytest.approx(share)
    assert lexicon.coverage(["pump", "drips"], ["dripped", "pumps"]) == pytest.approx(1.0)
    assert lexicon.coverage(["pump"], ["steam"]) == 0.0


@pytest.mark.parametrize(("phrase", "text"), [([], ["a"]), (["a"], []), ([], [])])
def test_nothing_covers_nothing(lexicon: Lexicon, phrase: list[str], text: list[str]) -> None:
    assert lexicon.coverage(phrase, text) == 0.0
    assert lexicon.soft_coverage(phrase, text) == 0.0


def test_soft_coverage_takes_the_closest_word(lexicon: Lexicon) -> None:
    share = idf(2) / (idf(2) + idf(1))
    assert lexicon.soft_coverage(["pump", "drips"], ["press", "xylophone"]) == pytest.approx(share)
    assert lexicon.soft_coverage(["pump", "drips"], ["drum", "press"]) == pytest.approx(1.0)


def test_a_word_is_encoded_once() -> None:
    encoder = Letters()
    lexicon = Lexicon(DOCUMENTS, encoder)
    for _ in range(2):
        lexicon.soft_coverage(["pump", "pump", "steam"], ["pump"])
    assert encoder.seen == ["pump", "steam"]
