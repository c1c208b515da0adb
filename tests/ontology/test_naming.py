"""The last parts of IRIs: stable, readable, and apart where labels are apart."""

import xml.etree.ElementTree as ET

import pytest

from ontology.naming import LONGEST, is_name, local_name, tidy

DIFFERENT = [
    ("1 5", "15"),
    ("HP < 3", "HP > 3"),
    ("C", "C++"),
    ("C++", "C#"),
    ("+", "-"),
    ("x" * 100 + "a", "x" * 100 + "b"),
    ("攻击", "防御"),
    ("goes -5", "goes 5"),
]


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("has attack action of", "hasAttackActionOf"),
        ("is about to leave the ground", "isAboutToLeaveTheGround"),
        ("mother-in-law", "motherInLaw"),
        ("Parent's House", "parentSHouse"),
        ("P31", "p31"),
        ("HP", "hp"),
        ("攻击 动作", "攻击动作"),
        ("is angry.", "isAngry"),
    ],
)
def test_a_plain_label_becomes_a_camel_cased_name(label: str, name: str) -> None:
    assert local_name(label) == name


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_labels_that_differ_in_more_than_spacing_get_different_names(one: str, other: str) -> None:
    assert local_name(one).casefold() != local_name(other).casefold()


@pytest.mark.parametrize(
    "label", [label for pair in DIFFERENT for label in pair] + ["", " ", "a\x00b", "²", "1st", "e\u0301"]
)
def test_every_name_can_be_the_name_of_an_xml_element(label: str) -> None:
    name = local_name(label)
    assert is_name(name)
    assert ET.fromstring(f"<{name}/>").tag == name
    assert len(name) <= LONGEST + 10


def test_composed_and_decomposed_letters_are_one_label() -> None:
    assert local_name("se\u0301jour") == local_name("s\u00e9jour")
    assert tidy("se\u0301jour\t ") == "s\u00e9jour"
