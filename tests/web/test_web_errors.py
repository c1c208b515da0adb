"""The tree of errors in the docstring is the tree of the classes, and the examples in the docstrings hold."""

import doctest
import importlib
import inspect
import pkgutil
import re

import pytest

import web
from web import errors
from web.problems import STATUS

MODULES = sorted(found.name for found in pkgutil.walk_packages(web.__path__, "web."))


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


def test_every_error_that_may_be_answered_has_a_status_of_its_own() -> None:
    """Those that only the command line meets have none."""
    for_the_terminal = {
        "ExamplesUnreadable",
        "BadRate",
        "WorkFailed",
        "PackagesMissing",
        "StartFailed",
        "AddressUnusable",
    }
    kinds = {kind for _, kind in inspect.getmembers(errors, inspect.isclass) if kind.__bases__ == (errors.WebError,)}
    assert {kind.__name__ for kind in kinds - set(STATUS)} == for_the_terminal


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
