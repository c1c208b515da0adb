"""Whether what is stated agrees with the condition of an edge: stated, denied, or nothing said of it."""

import pytest

from agents.builtin.conditions import agreement
from agents.builtin.reading import Classes, read_question
from agents.roles import Question
from retrieval.encoder import WordLlamaEncoder
from retrieval.lexicon import Lexicon
from sparql.graph import Edge, Fact
from tests.fakes import edge, entity

DOCUMENTS = [
    "the gate of the lock is open and water runs in",
    "the barge waits before the gate",
    "wind blows over the canal",
    "green weed covers the bow of the barge",
]
LOCK, FILL = entity("Lock"), entity("Fill")


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon(DOCUMENTS, WordLlamaEncoder())


def mark(lexicon: Lexicon, condition: str, stated: str, *, hide: tuple[str, ...] = ()) -> float:
    statements = read_question(Question("Which one?", extra=stated), Classes()).statements
    return agreement(edge(LOCK, "does", FILL, condition=condition), statements, lexicon, hide=hide)


@pytest.mark.parametrize(
    ("condition", "stated"),
    [
        ("gate is open", "The gate is open."),
        ("gate is open", "Its gates are opened wide"),
        ("gate is open", "It rains, and the gate is open."),
        ("is not moored", "The barge is not moored."),
        ("is not moored", "It isn't moored."),
        ("bow is covered with weed", "There is green weed covering its bow."),
    ],
)
def test_stated(lexicon: Lexicon, condition: str, stated: str) -> None:
    assert mark(lexicon, condition, stated) > 0.5


@pytest.mark.parametrize(
    ("condition", "stated"),
    [
        ("gate is open", "The gate is not open."),
        ("gate is open", "The gate isn't open"),
        ("is not moored", "The barge is moored."),
        ("bow is covered with weed", "No weed is on it."),
    ],
)
def test_denied(lexicon: Lexicon, condition: str, stated: str) -> None:
    assert mark(lexicon, condition, stated) < 0


@pytest.mark.parametrize("stated", ["", "The wind blows.", "The barge waits.", "It is not windy."])
def test_nothing_said_of_it(lexicon: Lexicon, stated: str) -> None:
    assert mark(lexicon, "gate is open", stated) == 0.0


def test_an_edge_without_a_condition_agrees_with_nothing(lexicon: Lexicon) -> None:
    assert mark(lexicon, "", "The gate is open.") == 0.0


def test_a_denial_in_one_clause_leaves_the_other_standing(lexicon: Lexicon) -> None:
    assert mark(lexicon, "gate is open", "The gate is open but the barge is not moored.") > 0.5
    assert mark(lexicon, "barge is moored", "The gate is open but the barge is not moored.") < 0


def test_a_denial_is_wider_than_what_it_denies(lexicon: Lexicon) -> None:
    """No weed at all rules out green weed on the bow; a denial that is about more rules out nothing."""
    assert mark(lexicon, "green weed covers the bow", "There is no weed.") < 0
    assert mark(lexicon, "there is weed", "No wind blows over the barge with its weed.") == 0.0


def test_the_free_text_of_a_fact_counts_as_its_condition(lexicon: Lexicon) -> None:
    plain = edge(LOCK, "does", FILL)
    free = Edge(plain.head, plain.relation, plain.tail, (Fact(LOCK.iri, condition_texts=("While the wind blows",)),))
    statements = read_question(Question("Which one? The wind blows."), Classes()).statements
    assert agreement(free, statements, lexicon) > 0.5
    assert agreement(plain, statements, lexicon) == 0.0


def test_names_that_stand_everywhere_tell_nothing(lexicon: Lexicon) -> None:
    assert mark(lexicon, "Barge Anna turns", "Barge Anna drifts.") > 0
    assert mark(lexicon, "Barge Anna turns", "Barge Anna drifts.", hide=("Barge Anna",)) == 0.0
