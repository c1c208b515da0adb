"""The tree of errors in the docstring is the tree of the classes."""

import inspect
import re

from agents import errors


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
