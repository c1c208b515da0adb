"""The tree of errors in the docstring is the tree of the classes, and the examples in the docstrings hold."""

import doctest
import importlib
import inspect
import re
from pathlib import Path

import pytest

import web
from web import errors

MODULES = sorted(path.stem for path in Path(str(web.__path__[0])).glob("*.py") if path.stem != "__init__")


def test_the_tree_in_the_docstring_is_the_tree_of_classes() -> None:
    drawn: dict[str, str] = {}
    open_at: list[tuple[int, str]] = []
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"^([│├└─ ]*)([A-Z][A-Za-z]+)(\s{2,}|$)", line)
        if match is None:
            continue
        depth = len(match[1])
        open_at = [(other, name) for other, name in open_at if other < depth]
        drawn[match[2]] = open_at[-1][1] if open_at else "Exception"
        open_at.append((depth, match[2]))
    real = {
        name: kind.__bases__[0].__name__
        for name, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, Exception)
    }
    assert drawn == real


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"web.{name}")).failed == 0
