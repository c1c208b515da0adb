"""How a question is read: English cues, and the labels of the domain's two classes, in several domains."""

import pytest

from agents.builtin.reading import Classes, Order, Reading, negated, read_question
from agents.roles import Question

COFFEE = Classes("work step", "working mode")
CHESS = Classes("move", "stage of the game")
GARDEN = Classes("chore", "season")
NONE = Classes()


def read(text: str, classes: Classes = COFFEE, *, topic: str = "", extra: str = "", caption: str = "") -> Reading:
    return read_question(Question(text, topic, extra, caption), classes)


@pytest.mark.parametrize(
    ("text", "classes", "order"),
    [
        ("Which work step is running?", COFFEE, Order.SHOWN),
        ("What is the name of the work step that the machine is doing?", COFFEE, Order.SHOWN),
        ("What is the next work step?", COFFEE, Order.NEXT),
        ("Which step comes after this one?", COFFEE, Order.NEXT),
        ("It has flushed. Tell me the following work step.", COFFEE, Order.NEXT),
        ("Which step follows?", COFFEE, Order.NEXT),
        ("What was the previous work step?", COFFEE, Order.PREVIOUS),
        ("Which work step was it preceding?", COFFEE, Order.PREVIOUS),
        ("What will it do next within this work step?", COFFEE, Order.SHOWN),
        ("Which part comes next in this step?", COFFEE, Order.SHOWN),
        ("Which move will black play next?", CHESS, Order.NEXT),
        ("What move is this?", CHESS, Order.SHOWN),
        ("Name the subsequent move.", CHESS, Order.NEXT),
        ("Which chore is shown here?", GARDEN, Order.SHOWN),
        ("After the rain, which chore is the second?", GARDEN, Order.NEXT),
        ("What comes next?", NONE, Order.NEXT),
    ],
)
def test_whether_what_is_shown_or_its_neighbour_is_asked_for(text: str, classes: Classes, order: Order) -> None:
    assert read(text, classes).order is order


@pytest.mark.parametrize(
    ("text", "classes", "preferred", "single"),
    [
        ("Which work step is running?", COFFEE, True, False),
        ("Which working mode is it in?", COFFEE, False, True),
        ("Tell me the mode of the machine.", COFFEE, False, True),
        ("What is the current mode?", COFFEE, False, True),
        ("How long does this work step last?", COFFEE, False, False),
        ("What should be cleaned after this work step?", COFFEE, False, False),
        ("What will happen?", COFFEE, False, False),
        ("Which move is best?", CHESS, True, False),
        ("What stage of the game is it?", CHESS, False, True),
        ("Which season is it?", GARDEN, False, True),
        ("What is the name of the next chore?", GARDEN, True, False),
        ("Which is it?", NONE, False, False),
    ],
)
def test_the_class_that_is_asked_for(text: str, classes: Classes, preferred: bool, single: bool) -> None:
    reading = read(text, classes)
    assert (reading.asks_preferred, reading.asks_single) == (preferred, single)


def test_an_order_is_one_of_candidates_and_not_of_groups() -> None:
    """ "Working" has the stem of "work": the label of the one class must not count for the other."""
    assert read("Which working mode comes next?").order is Order.SHOWN
    assert read("Which working mode comes next?").asks_single


def test_the_topic_s_name_may_stand_between() -> None:
    reading = read("Which Grand Brewer work step is this?", topic="Grand Brewer")
    assert reading.asks_preferred
    assert not read("Which Grand Brewer work step is this?").asks_preferred


@pytest.mark.parametrize(
    ("text", "speaks"),
    [
        ("What does this step do?", True),
        ("How long do its steps take?", True),
        ("How many cups does it serve?", False),
        ("Which working mode is on?", False),
        ("Which working mode is on in this step?", True),
    ],
)
def test_whether_a_candidate_is_spoken_of_at_all(text: str, speaks: bool) -> None:
    assert read(text).speaks_of_preferred is speaks


@pytest.mark.parametrize(
    ("text", "compares"),
    [
        ("How does it differ from the larger model?", True),
        ("Compare both.", True),
        ("What is the difference?", True),
        ("What is it made of?", False),
    ],
)
def test_whether_two_things_are_compared(text: str, compares: bool) -> None:
    assert read(text).compares is compares


@pytest.mark.parametrize(
    ("text", "repeats"),
    [
        ("It continues. Which work step is this?", True),
        ("What will it do further within this step?", True),
        ("It has no further movement. Which step was it?", False),
        ("Without any other knock, which step was it?", False),
        ("Which work step is this?", None),
        ("Which work step is next?", None),
    ],
)
def test_whether_what_is_shown_goes_on_or_has_ended(text: str, repeats: bool | None) -> None:
    assert read(text).repeats is repeats


def test_statements_are_the_clauses_of_what_is_known_and_of_the_question() -> None:
    reading = read("Which step is it? The lamp is on.", extra="The lid is open and the tank is not empty; it is cold")
    assert reading.statements == (
        ("the", "lid", "is", "open"),
        ("the", "tank", "is", "not", "empty"),
        ("it", "is", "cold"),
        ("which", "step", "is", "it"),
        ("the", "lamp", "is", "on"),
    )


def test_what_is_shown_is_held_against_captions_or_else_the_question() -> None:
    assert read("Which step?", caption="It knocks.").description == "It knocks."
    assert read("Which step knocks?").description == "Which step knocks?"


@pytest.mark.parametrize("text", ["", "?", "...", "   ", "茶は何ですか"])
def test_a_question_of_no_words_is_read_too(text: str) -> None:
    reading = read(text)
    assert (reading.order, reading.asks_preferred, reading.compares) == (Order.SHOWN, False, False)


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("it is not open", True),
        ("it isn t open", True),
        ("without a lid", True),
        ("never", True),
        ("another knot", False),
    ],
)
def test_denials(text: str, denied: bool) -> None:
    assert negated(tuple(text.split())) is denied


def test_words_of_the_classes_are_known_and_the_lead_of_a_label_is_no_class() -> None:
    assert read("x").class_words == {"work", "step", "working", "mode"}
    assert COFFEE.preferred_stems == {"work", "step"}
    assert COFFEE.single_stems == {"mode"}
    assert NONE.preferred_stems == NONE.single_stems == frozenset()
