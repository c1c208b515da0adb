"""A result as people and programs read it."""

import json
from dataclasses import replace

import pytest

from agents.budget import Budget
from agents.report import cost, path_to_text, result_to_json, result_to_text
from agents.roles import Call, Question
from agents.walk import WalkResult, WalkSettings, walk
from kg.store import EmbeddedStore
from tests.fakes import FakeRoles

FOLLOW = {
    "Brewer": ["Brew Mode"],
    "Brew Mode": ["Pump Burst", "Steam Blast"],
    "Pump Burst": [],
    "Steam Blast": ["Hot Vapour"],
}
ASKED = Question("What comes out?", "Brewer", "The lid is open.", "A hand lifts the lid.")


@pytest.fixture
def result(tiny_store: EmbeddedStore) -> WalkResult:
    roles = FakeRoles(
        FOLLOW, sufficient=["Hot Vapour"], captions={"Steam Blast": "white steam"}, scores={"Pump Burst": 0.5}
    )
    return replace(walk(tiny_store, roles.policy, ASKED), seconds=1.25)


def test_the_text_for_people(result: WalkResult) -> None:
    text = result_to_text(replace(result, answer="Hot vapour comes out."))
    assert text == (
        "Hot vapour comes out.\n"
        "\n"
        "Topic: Brewer\n"
        "\n"
        "Paths (3 kept of 3 retrieved):\n"
        "  1. Brewer -has working mode-> Brew Mode -has work step-> Pump Burst\n"
        "  2. Brewer -has working mode-> Brew Mode -has work step-> Steam Blast -releases-> Hot Vapour\n"
        "  3. Brewer -has working mode-> Brew Mode -has work step [When the lid is lifted during brewing]-> "
        "Steam Blast -releases-> Hot Vapour\n"
        "     Steam Blast: The steam then goes upwards\n"
        "\n"
        "Evidence: https://example.org/brew/id/pump-burst-film, https://example.org/brew/id/pump-burst-frame, "
        "https://example.org/brew/id/pump-burst-sound\n"
        "\n"
        "3 rounds, 3 SPARQL queries, 9 calls, 27 + 18 tokens, 1.25 s."
    )


def test_a_topic_that_the_policy_chose_is_said_to_be_chosen(result: WalkResult) -> None:
    chosen = replace(result, question=replace(ASKED, topic=""))
    assert "\nTopic: Brewer (chosen)\n" in result_to_text(chosen)
    assert result_to_json(chosen)["topic_chosen"] is True
    assert result_to_json(result)["topic_chosen"] is False


def test_the_generated_queries_are_shown_on_demand(result: WalkResult) -> None:
    text = result_to_text(result, verbose=True)
    for number, query in enumerate(result.queries, 1):
        assert f"SPARQL of round {number}:\n{query.strip()}" in text
    assert "SELECT" not in result_to_text(result)


def test_an_early_end_unusable_answers_and_missing_media_are_said(tiny_store: EmbeddedStore) -> None:
    roles = FakeRoles({"Milk Frother": ["Whirl"]})
    found = walk(tiny_store, roles.policy, Question("?", "Frother"), settings=WalkSettings(budget=Budget(depth=1)))
    spoilt = replace(found, answer="", calls=(*found.calls, Call("validator", "fake", problem="not JSON")))
    text = result_to_text(spoilt)
    assert text.startswith("No answer.\n")
    assert "Evidence: no media; the captions and contexts of the graph" in text
    assert "4 calls, 1 of them unusable, " in text
    assert text.endswith(" Stopped early: depth limit of 1 edges reached.")


def test_the_topic_alone_is_a_path(tiny_store: EmbeddedStore) -> None:
    found = walk(tiny_store, FakeRoles({"Brewer": []}).policy, Question("?", "Brewer"))
    assert path_to_text(found.paths[0].path) == "Brewer"
    assert "Paths (1 kept of 1 retrieved):\n  1. Brewer\n" in result_to_text(found)


def test_the_json_for_programs(result: WalkResult) -> None:
    said = json.loads(json.dumps(result_to_json(result)))
    assert said["question"] == {
        "text": "What comes out?",
        "topic": "Brewer",
        "extra": "The lid is open.",
        "caption": "A hand lifts the lid.",
        "images": [],
    }
    assert said["topic"]["iri"] == "https://example.org/brew/id/brewer"
    assert said["captions_made"] == {"https://example.org/brew/id/steam-blast": "white steam"}
    assert (said["retrieved"], said["rounds"], said["stopped"]) == (3, 3, "")
    assert said["queries"] == list(result.queries)
    assert [path["sufficient"] for path in said["paths"]] == [False, True, True]
    assert said["paths"][0]["score"] == 0.5
    assert said["cost"] == {
        "calls": 9,
        "calls_by_role": {"expander": 4, "summarizer": 1, "validator": 4},
        "models": ["fake"],
        "prompt_tokens": 27,
        "completion_tokens": 18,
        "cached": 0,
        "unusable": 0,
        "seconds": 1.25,
    }


def test_an_edge_in_json_has_relation_condition_facts_and_evidence(result: WalkResult) -> None:
    edge = result_to_json(result)["paths"][2]["edges"][1]  # type: ignore[index]
    space = "https://example.org/brew#"
    assert edge == {
        "relation": f"{space}hasStep-lidIsOpen",
        "label": "has work step when lid is open",
        "base": f"{space}hasStep",
        "base_label": "has work step",
        "condition": "lid is open",
        "conditions": ["When the lid is lifted during brewing"],
        "information": ["The steam then goes upwards"],
        "facts": ["<https://example.org/brew/id/fact-lid>"],
        "evidence": ["https://example.org/brew/id/pump-burst-film"],
    }


def test_an_entity_in_json_has_its_texts_and_media(result: WalkResult) -> None:
    pump = result_to_json(result)["paths"][0]["entities"][2]  # type: ignore[index]
    assert (pump["label"], pump["types"]) == ("Pump Burst", ["https://example.org/brew#Step"])
    assert pump["contexts"] == ["It wakes the neighbours."]
    assert [caption["model"] for caption in pump["captions"]] == [None, "seer-1"]
    assert len(pump["media"]) == 3


def test_the_cost_of_no_calls() -> None:
    assert cost([]) == {
        "calls": 0,
        "calls_by_role": {},
        "models": [],
        "prompt_tokens": 0,
        "completion_tokens": 0,
        "cached": 0,
        "unusable": 0,
    }
    assert cost([Call("a", "m", cached=True), Call("b", "", problem="x")])["cached"] == 1
