"""Questions that name a relation, over a plain graph: the walk stops where they are answered."""

from collections.abc import Callable

import pytest

from agents.builtin.policy import build_builtin_policy
from agents.builtin.scoring import Weights
from agents.domain import Domain
from agents.roles import Question
from agents.walk import walk
from kg.store import EmbeddedStore
from retrieval.encoder import WordLlamaEncoder

Routes = Callable[..., set[str]]


@pytest.fixture
def routes(barn: EmbeddedStore, encoder: WordLlamaEncoder) -> Routes:
    def asked(text: str, topic: str = "", **off: float) -> set[str]:
        policy = build_builtin_policy(barn, encoder, Domain(), weights=Weights(**off))  # type: ignore[arg-type]
        kept = walk(barn, policy, Question(text, topic)).paths
        return {">".join(entity.label for entity in scored.path.entities) for scored in kept}

    return asked


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("What does the owl eat?", {"Owl>Mouse", "Owl>Vole"}),
        ("Where does the owl live?", {"Owl>Barn"}),
        ("Does the owl eat the vole?", {"Owl>Vole"}),
        ("What is the owl hunted by?", {"Owl>Eagle"}),
    ],
)
def test_one_step_that_the_question_names_is_taken_and_no_more(routes: Routes, text: str, ends: set[str]) -> None:
    assert routes(text) == ends


def test_what_comes_after_is_gone_to_where_it_is_asked_for(routes: Routes) -> None:
    assert routes("What does what the owl eats eat?") == {"Owl>Mouse>Cheese", "Owl>Vole>Grass"}
    assert routes("What does the mouse eat?") == {"Owl>Mouse>Cheese"}
    assert routes("What does it eat?", "Mouse") == {"Mouse>Cheese"}
    assert routes("What is the thing that the owl eats coloured?") == {"Owl>Mouse>Grey"}


def test_a_relation_that_only_others_have_is_no_answer(routes: Routes) -> None:
    """The mouse is grey, and the owl leads to it; yet nothing is said of the owl's own colour."""
    assert routes("What is the owl coloured?") == set()
    assert routes("What is the vole coloured?", "Vole") == set()


def test_of_two_relations_that_the_question_may_name_the_closer_is_meant(routes: Routes) -> None:
    assert routes("Which large animal is the eagle hunted by?", "Eagle") == {"Eagle>Bear"}


def test_the_mechanism_can_be_switched_off(routes: Routes) -> None:
    assert routes("What does the owl eat?", asked=float("inf")) != {"Owl>Mouse", "Owl>Vole"}
