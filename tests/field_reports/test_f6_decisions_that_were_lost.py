"""F6: answers of a judge that could not be read became NaN, or left the averages without a word.

A decision that was lost is told apart from a No, and can be counted.
"""

from agents.asking import is_lost
from agents.domain import Domain
from agents.llm import build_llm_policy
from agents.roles import Path, Question
from tests.fakes import ScriptedChat, edge, entity

BEAR = entity("Bear")
PATH = Path(BEAR, (edge(BEAR, "eats", entity("Honey")),))


def test_lost_decisions_are_counted_beside_yes_and_no() -> None:
    model = ScriptedChat(["Yes", "No", "Hm.", "Hmm.", "Hm.", '{"answer": "no"}'])
    validator = build_llm_policy({"default": model}, Domain()).validator
    verdicts = [validator.validate(Question("What does it eat?"), PATH, {}) for _ in range(4)]
    assert [(verdict.sufficient, is_lost(verdict.calls)) for verdict in verdicts] == [
        (True, False),
        (False, False),
        (False, True),
        (False, False),
    ]


def test_no_model_asked_is_nothing_lost() -> None:
    assert not is_lost(
        build_llm_policy({"default": ScriptedChat([""])}, Domain()).summarizer.summarize(Question("?"), [], {}).calls
    )
