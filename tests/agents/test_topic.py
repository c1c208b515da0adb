"""Which entity a text names: whole words, the longest name first, and never one of several in silence."""

import pyoxigraph as ox
import pytest

from agents.errors import NoTopic
from agents.topic import find_topics, mentioned, names, normalise, resolve_topic
from kg.store import EmbeddedStore
from tests.fakes import entity

BREWER = entity("Brewer", alt=["Old Faithful of the Counter"])
GRAND = entity("Grand Brewer")
PRO = entity("Brewer Pro")
FROTHER = entity("Milk Frother", alt=["Frother", "Brewer"])
TOPIC = "<https://w3id.org/scoutfly/ns#TopicEntity>"
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"


def graph(turtle: str) -> EmbeddedStore:
    return EmbeddedStore.from_quads(ox.parse(turtle, ox.RdfFormat.TURTLE))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  Cafe\u0301-Crème!  No. 7", "café crème no 7"),
        ("STRASSE straße", "strasse strasse"),
        ("...", ""),
    ],
)
def test_names_are_compared_without_case_and_punctuation(text: str, expected: str) -> None:
    assert normalise(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How does the Brewer's pump work?", [BREWER]),
        ("What does the GRAND-BREWER do?", [GRAND]),
        ("What does the grand brewer do that the brewer does not?", [GRAND, BREWER]),
        ("Brewer, brewer and grand brewer", [GRAND, BREWER]),
        ("Is old faithful of the counter older than the Grand Brewer?", [BREWER, GRAND]),
        ("Brewers and brewery", []),
        ("", []),
    ],
)
def test_a_mention_within_a_longer_one_does_not_count(text: str, expected: list[object]) -> None:
    assert mentioned([BREWER, GRAND], text) == expected


def test_a_long_alternative_label_gives_the_short_label_no_priority() -> None:
    """The longest *name found* goes first, not the entity with the longest name."""
    assert mentioned([BREWER, PRO], "the Brewer Pro") == [PRO]


def test_the_same_mention_twice_in_a_row_is_used_up() -> None:
    assert mentioned([entity("tick tock"), entity("tick")], "tick tock tick tock") == [entity("tick tock")]


def test_all_who_bear_the_name_are_mentioned() -> None:
    twins = [entity("Flush", iri=f"http://example.org/{number}") for number in (2, 1)]
    assert mentioned(twins, "a flush") == [twins[1], twins[0]]


def test_a_name_without_letters_is_never_mentioned() -> None:
    assert mentioned([entity("..."), entity("", iri="http://example.org/x")], "... ") == []


def test_a_label_goes_before_another_s_alternative_label() -> None:
    assert find_topics([FROTHER, BREWER], "brewer") == [BREWER]
    assert find_topics([FROTHER, BREWER], "FROTHER") == [FROTHER]
    assert find_topics([FROTHER, BREWER], BREWER.iri.value) == [BREWER]
    assert find_topics([FROTHER, BREWER], "kettle") == []
    assert find_topics([FROTHER, BREWER], "") == []


def test_names_are_the_label_and_the_others() -> None:
    assert names(FROTHER) == ("Milk Frother", "Frother", "Brewer")


@pytest.mark.parametrize(
    "name", ["Brewer", "brewer ", "old faithful-of the counter", "https://example.org/brew/id/brewer"]
)
def test_a_topic_is_resolved_by_label_alternative_label_or_iri(tiny_store: EmbeddedStore, name: str) -> None:
    assert resolve_topic(tiny_store, name).label == "Brewer"


def test_any_other_entity_may_be_named_too(tiny_store: EmbeddedStore) -> None:
    assert resolve_topic(tiny_store, "pomp burst").label == "Pump Burst"


def test_two_entities_of_one_name_are_not_chosen_between(tiny_store: EmbeddedStore) -> None:
    with pytest.raises(
        NoTopic, match=r"2 entities are called 'Flush': give the IRI of one, e\.g\. https://example\.org/"
    ):
        resolve_topic(tiny_store, "Flush")
    assert resolve_topic(tiny_store, "https://example.org/brew/id/grand-flush").label == "Flush"


def test_two_topics_of_one_name_are_not_chosen_between() -> None:
    store = graph(f'<http://e.org/a> a {TOPIC} ; {LABEL} "Kettle" . <http://e.org/b> a {TOPIC} ; {LABEL} "kettle" .')
    with pytest.raises(NoTopic, match=r"2 entities are called 'Kettle': give the IRI of one, e\.g\. http://e\.org/a"):
        resolve_topic(store, "Kettle")
    assert resolve_topic(store, "http://e.org/b").iri.value == "http://e.org/b"


def test_an_unknown_name_is_told_what_is_close(tiny_store: EmbeddedStore) -> None:
    with pytest.raises(NoTopic, match=r"no entity is called 'Bruwer': did you mean Brewer\?"):
        resolve_topic(tiny_store, "Bruwer")


def test_a_name_like_no_other_is_told_what_there_is(tiny_store: EmbeddedStore) -> None:
    with pytest.raises(NoTopic, match=r"the topic entities are Brewer, Grand Brewer, Milk Frother$"):
        resolve_topic(tiny_store, "xyzzy")


def test_only_some_of_many_topics_are_listed() -> None:
    turtle = " ".join(f'<http://e.org/{n}> a {TOPIC} ; {LABEL} "Kettle number {n}" .' for n in range(9))
    with pytest.raises(NoTopic, match=r"Kettle number 4, \.\.\.$"):
        resolve_topic(graph(turtle), "xyzzy")


def test_an_empty_graph_says_so() -> None:
    with pytest.raises(NoTopic, match="the graph has no topic entities to choose from; give the full label"):
        resolve_topic(graph(""), "Brewer")


@pytest.mark.parametrize("name", ['"} #', "<x> <y>", "$names", "a\nb", "\\"])
def test_hostile_names_are_unknown_names(tiny_store: EmbeddedStore, name: str) -> None:
    with pytest.raises(NoTopic) as error:
        resolve_topic(tiny_store, name)
    assert "\n" not in str(error.value)
