"""What the graph does not hold is not answered: the built-in policy says that nothing fits, and why."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agents.builtin.policy import build_builtin_policy
from agents.builtin.reading import content_words
from agents.domain import Domain, load_domain
from agents.report import result_to_json, result_to_text
from agents.roles import Policy, Question
from agents.trace import Event
from agents.walk import WalkResult, walk
from kg.bundled import FOLDER
from kg.store import EmbeddedStore
from retrieval.encoder import WordLlamaEncoder
from tests.agents.builtin.conftest import COFFEE, Ask

Fed = Callable[..., WalkResult]


@pytest.fixture
def owls(barn: EmbeddedStore, encoder: WordLlamaEncoder) -> Fed:
    policy = build_builtin_policy(barn, encoder, Domain())
    return lambda text, topic="": walk(barn, policy, Question(text, topic))


@pytest.mark.parametrize(
    "text", ["What is the capital of France?", "asdf qwer", "Who invented the telephone?", "?", "What is the topic?"]
)
def test_what_names_nothing_of_the_graph_has_no_answer_but_the_nearest_topic(owls: Fed, text: str) -> None:
    result = owls(text)
    assert result.paths == ()
    assert result.answer == "Nothing in the graph fits the question. The nearest topic is Owl."
    assert result.unanswered
    assert result.stopped == ""


@pytest.mark.parametrize("text", ["How heavy is the owl?", "Who painted the owl?", "Which telephone does the owl use?"])
def test_what_the_graph_does_not_say_of_a_topic_that_is_named_has_no_answer(owls: Fed, text: str) -> None:
    result = owls(text)
    assert (result.paths, result.answer) == ((), "Nothing that the graph says of Owl fits the question.")


def test_a_relation_of_another_entity_is_no_answer(owls: Fed) -> None:
    result = owls("What is the mouse hunted by?", "Barn")
    assert result.paths == ()


@pytest.mark.parametrize("text", ["What is the owl?", "Owl", "Tell me about the owl", "Who or what is an owl?"])
def test_a_question_on_the_topic_alone_is_answered_by_the_topic(owls: Fed, text: str) -> None:
    (kept,) = owls(text).paths
    assert kept.path.edges == ()


def test_the_report_and_the_trace_say_why(barn: EmbeddedStore, encoder: WordLlamaEncoder) -> None:
    events: list[Event] = []
    policy = build_builtin_policy(barn, encoder, Domain())
    result = walk(barn, policy, Question("What is the capital of France?"), observe=events.append)
    why = "it names no topic, and no route has more than half of its words by weight (at most 0%)"
    assert result_to_json(result)["unanswered"] == why
    (selected,) = [event for event in events if event.kind == "selected"]
    assert selected.data["unanswered"] == why
    said = result_to_text(result).splitlines()
    assert said[0] == result.answer
    assert "Topic: Owl (the nearest)" in said
    assert f"  none: {why}" in said
    assert not any(line.startswith("Evidence") for line in said)


def test_what_is_answered_has_no_reason(owls: Fed) -> None:
    result = owls("What does the owl eat?")
    assert result_to_json(result)["unanswered"] == ""
    assert "none:" not in result_to_text(result)


@pytest.mark.parametrize("domain", [Domain(), COFFEE])
def test_nothing_fits_in_a_graph_with_texts(ask: Ask, domain: Domain) -> None:
    assert ask("Who invented the telephone?", domain=domain) == []
    assert ask("How many cups does the Brewer serve?", domain=domain) == ["Brewer"]


def test_a_description_is_answered_as_before(ask: Ask) -> None:
    assert ask("Which work step is it?", shows="Water runs somewhere.")


# -- the bundled graph


@pytest.fixture(scope="module")
def monsters(bundled_store: EmbeddedStore) -> Policy:
    return build_builtin_policy(bundled_store, WordLlamaEncoder(), load_domain(Path(FOLDER) / "domain.toml"))


@pytest.mark.parametrize(
    "text",
    [
        "What is the capital of France?",
        "asdf qwer",
        "Who won the football world cup?",
        "How many people live in Berlin?",
        "How do I bake bread?",
        "Who composed the music of Rathian?",
    ],
)
def test_what_has_nothing_to_do_with_the_bundled_graph(
    bundled_store: EmbeddedStore, monsters: Policy, text: str
) -> None:
    assert walk(bundled_store, monsters, Question(text)).paths == ()


def test_a_topic_that_is_only_alluded_to_is_found(bundled_store: EmbeddedStore, monsters: Policy) -> None:
    assert (
        walk(bundled_store, monsters, Question("Which monster lives in the coral highlands?")).topic.label == "Legiana"
    )


def test_a_name_that_the_topic_does_not_lead_to_is_no_answer(bundled_store: EmbeddedStore, monsters: Policy) -> None:
    result = walk(bundled_store, monsters, Question("What does the Triple Rush Attack do?"))
    assert all("Triple Rush Attack" in [entity.label for entity in scored.path.entities] for scored in result.paths)


def test_the_words_of_content() -> None:
    assert content_words("What is the owl, and how many are there?") == ["owl"]
    assert content_words("Does it not eat what the others eat?") == ["eat", "others", "eat"]
