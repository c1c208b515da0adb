"""F15: two people of one name became one node.

What is offered is told apart by IRI and number; a name that two of them bear picks neither.
"""

from agents.domain import Domain
from agents.llm import build_llm_policy
from agents.roles import Path, Question
from tests.fakes import ScriptedChat, edge, entity

TOWN = entity("Town")
SMITHS = [entity("John Smith", iri=f"http://example.org/{trade}", context=trade) for trade in ("baker", "mayor")]
OFFER = [edge(TOWN, "is home to", smith) for smith in SMITHS]


def test_a_shared_name_is_asked_again_and_the_number_decides() -> None:
    model = ScriptedChat(['{"choices": ["John Smith"]}', '{"choices": [2]}'])
    policy = build_llm_policy({"default": model}, Domain())
    expansion = policy.expander.expand(Question("Who governs?"), Path(TOWN), OFFER, {})
    assert OFFER[expansion.chosen[0]].tail.iri.value == "http://example.org/mayor"
    assert len(expansion.chosen) == 1
    assert "numbers 1 and 2" in expansion.calls[0].problem


def test_one_thing_reached_by_two_edges_is_not_ambiguous() -> None:
    offer = [edge(TOWN, "is home to", SMITHS[0]), edge(TOWN, "is fed by", SMITHS[0])]
    policy = build_llm_policy({"default": ScriptedChat(["John Smith"])}, Domain())
    assert policy.expander.expand(Question("Who bakes?"), Path(TOWN), offer, {}).chosen == (0, 1)


def test_a_topic_of_a_shared_name_is_picked_by_number_only() -> None:
    policy = build_llm_policy({"default": ScriptedChat(["John Smith", '{"choice": 1}'])}, Domain())
    choice = policy.topic_selector.select_topic(Question("Who bakes?"), SMITHS)
    assert choice.topic == SMITHS[0]
