"""Questions of fact on the bundled graph, with nothing shown: they ask for a relation, a class or a condition."""

from pathlib import Path

import pytest

from agents.builtin.policy import build_builtin_policy
from agents.domain import load_domain
from agents.roles import Policy, Question
from agents.walk import walk
from kg.bundled import FOLDER
from kg.store import EmbeddedStore
from retrieval.encoder import WordLlamaEncoder


@pytest.fixture(scope="module")
def policy(bundled_store: EmbeddedStore) -> Policy:
    return build_builtin_policy(bundled_store, WordLlamaEncoder(), load_domain(Path(FOLDER) / "domain.toml"))


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("What is Zinogre weak to?", {"Zinogre>Ice", "Zinogre>Water"}),
        ("Which element is Zinogre weakened by?", {"Zinogre>Ice", "Zinogre>Water"}),
        (
            "What are the phases of Zinogre?",
            {"Zinogre>Charging Phase", "Zinogre>Charged Phase", "Zinogre>Super Charged Phase"},
        ),
        ("Which weapons are made from Rathalos?", {"Rathalos>Fire Element Weapon"}),
        ("Who is the mate of Rathian?", {"Rathian>Rathalos"}),
        ("What subspecies does Rathian have?", {"Rathian>Pink Rathian"}),
        ("What can stop Diablos while it is burrowed underground?", {"Diablos>Screamer Pod"}),
        ("How can I stop Tigrex's Charge Attack?", {"Tigrex>Charge Attack>Pierce Pod"}),
        ("Where does Legiana live?", {"Legiana"}),
    ],
)
def test_all_that_is_asked_for_and_no_more(
    bundled_store: EmbeddedStore, policy: Policy, text: str, paths: set[str]
) -> None:
    result = walk(bundled_store, policy, Question(text))
    assert {">".join(entity.label for entity in scored.path.entities) for scored in result.paths} == paths


def test_what_follows_a_named_attack_needs_no_word_for_its_class(bundled_store: EmbeddedStore, policy: Policy) -> None:
    result = walk(bundled_store, policy, Question("Zinogre's Leap Attack: what follows?"))
    assert {scored.path.leaf.label for scored in result.paths} == {"Shoulder Charge", "Heavy Pawslam"}
    assert {scored.path.entities[-2].label for scored in result.paths} == {"Leap Attack"}
