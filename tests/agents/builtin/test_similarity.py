"""How well an entity fits a description, with an encoder that knows first letters only."""

from collections.abc import Sequence

import numpy as np
import pytest

from agents.builtin.similarity import Similarity
from retrieval.encoder import Vectors
from retrieval.lexicon import Lexicon, words
from tests.fakes import entity

DOCUMENTS = ["ape", "bee", "cow"]


class Letters:
    """The vector of a text counts the first letters of its words."""

    fingerprint = "letters"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.seen += texts
        rows = np.zeros((len(texts), 26), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in words(text):
                row[ord(word[0]) - ord("a")] += 1
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vectors = (rows / np.maximum(lengths, 1e-9)).astype(np.float32)
        return unit


def similarity(background: Sequence[str] = (), **weights: float) -> Similarity:
    encoder = Letters()
    return Similarity(encoder, Lexicon(DOCUMENTS, encoder), background, **weights)


def test_a_fit_is_the_label_s_coverage_and_twice_the_best_caption_s_cosine() -> None:
    ape = entity("ape", caption="bee")
    assert similarity().fit("ape", ape, {}) == pytest.approx(1.0)
    assert similarity().fit("bee", ape, {}) == pytest.approx(2.0)
    assert similarity().fit("ape bee", ape, {}) == pytest.approx(1 + 2 / 2**0.5)
    assert similarity().fit("cow", ape, {}) == pytest.approx(0.0)


def test_each_part_has_its_weight() -> None:
    ape = entity("ape", caption="bee")
    assert similarity(label=0.0).fit("ape", ape, {}) == pytest.approx(0.0)
    assert similarity(caption=0.5).fit("bee", ape, {}) == pytest.approx(0.5)


def test_what_fits_everything_is_taken_off() -> None:
    """It fits one of two other descriptions as well as this one."""
    ape = entity("ape", caption="bee")
    assert similarity(["bee", "cow"]).fit("bee", ape, {}) == pytest.approx(2.0 - 1.0)
    assert similarity(["bee", "cow"], usual=0.5).fit("bee", ape, {}) == pytest.approx(2.0 - 0.5)
    assert similarity(["bee", "cow"], usual=0.0).fit("bee", ape, {}) == pytest.approx(2.0)


def test_a_context_stands_in_where_there_is_no_caption() -> None:
    assert similarity().fit("bee", entity("ape", context="bee"), {}) == pytest.approx(2.0)
    assert similarity().fit("bee", entity("ape", context="bee", caption="cow"), {}) == pytest.approx(0.0)


def test_a_caption_made_for_the_question_stands_in_the_place_of_the_graph_s() -> None:
    ape = entity("ape", caption="bee")
    assert similarity().fit("cow", ape, {ape.iri: "cow"}) == pytest.approx(2.0)
    assert similarity().fit("bee", ape, {ape.iri: "cow"}) == pytest.approx(0.0)


def test_names_that_both_share_are_hidden() -> None:
    ape = entity("Old Ape", caption="ape bee")
    assert similarity().fit("the ape", ape, {}, hide=["Ape", "Old"]) == pytest.approx(0.0)
    assert similarity().fit("bee", ape, {}, hide=["Ape"]) == pytest.approx(2.0)


@pytest.mark.parametrize("description", ["", "ape", "?"])
def test_an_entity_without_texts_fits_by_its_label_alone(description: str) -> None:
    assert similarity().fit(description, entity("ape"), {}) == pytest.approx(float(description == "ape"))


def test_a_text_is_encoded_once() -> None:
    encoder = Letters()
    fits = Similarity(encoder, Lexicon(DOCUMENTS, encoder), ["cow"])
    for _ in range(3):
        fits.fit("bee", entity("ape", caption="a bee"), {})
    assert encoder.seen.count("a bee") == 1
