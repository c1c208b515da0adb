"""Names and numbers against what was offered. The usual disguises are in the field reports F2, F4, F15 and F16."""

import pytest

from agents.matching import Matches, Offer, Option, Unclear

OFFER = Offer(
    [
        Option("Bite", "k:bite"),
        Option("Tail Spin", "k:spin", ("Tail Whirl", "TS")),
        Option("360 Tail Spin", "k:360"),
        Option("Fire Breath", "k:fire-1"),
        Option("Fire Breath", "k:fire-2"),
    ]
)


@pytest.mark.parametrize(
    ("text", "indices"),
    [
        ("1", (0,)),
        ("#2", (1,)),
        ("[3]", (2,)),
        ("0", ()),
        ("TAIL-SPIN!", (1,)),
        ("tail whirl", (1,)),
        ("360 tail spin", (2,)),
        ("3. 360 Tail Spin", (2,)),
        ("2) Tail Spin (when angry)", (1,)),
        ("1: the jaws snap shut", (0,)),
        ("4. Fire Breath", (3,)),
        ("5 Fire Breath", (4,)),
        ("Bite and 3", (0, 2)),
        ("Bite, Bite, bite", (0,)),
        ("N/A", ()),
    ],
)
def test_items(text: str, indices: tuple[int, ...]) -> None:
    assert OFFER.item(text) == Matches(indices)


@pytest.mark.parametrize("text", ["6", "-1", "99999999999999", "Roar", "Bite because it bites", " "])
def test_what_is_not_on_offer_is_rejected_with_its_words(text: str) -> None:
    assert OFFER.item(text).rejected in {(text.strip() or "(blank)",), (text.strip(" -"),)}
    assert OFFER.item(text).indices == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Fire Breath", "numbers 4 and 5"),
        ("1. Tail Spin", "different options"),
        ("1-3", "every number on its own"),
        ("1.5", "every number on its own"),
    ],
)
def test_what_may_mean_two_things_is_unclear(text: str, reason: str) -> None:
    with pytest.raises(Unclear, match=reason):
        OFFER.item(text)


def test_options_called_none_or_by_a_number() -> None:
    offer = Offer([Option("None", "k:none"), Option("3", "k:three"), Option("NA", "k:na")])
    with pytest.raises(Unclear, match="may also mean none"):
        offer.item("none")
    with pytest.raises(Unclear, match="number of one option and the name of another"):
        offer.item("3")
    assert offer.item("1. None").indices == (0,)


def test_options_without_letters_are_matched_exactly() -> None:
    assert Offer([Option("???", "k:1"), Option("", "k:2")]).item("???").indices == (0,)
    assert Offer([Option("???", "k:1"), Option("", "k:2")]).item("").rejected == ("(blank)",)
