"""The packages stand at the root of the checkout, under names that other projects may use too."""

import importlib
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
NAMES = ("scoutfly", "ontology", "kg", "sparql", "retrieval", "agents", "web", "eval")


@pytest.mark.parametrize("name", NAMES)
def test_each_top_level_name_is_the_checkouts(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__file__ is not None
    assert Path(module.__file__).resolve().is_relative_to(CHECKOUT), f"{name} is {module.__file__}"
    assert ".venv" not in Path(module.__file__).parts
