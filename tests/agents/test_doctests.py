"""The examples in the docstrings of the package."""

import doctest
import importlib
from pathlib import Path

import pytest

import agents

MODULES = sorted(path.stem for path in Path(str(agents.__path__[0])).glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"agents.{name}")).failed == 0
