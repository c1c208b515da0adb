"""The tree in the docstring is the tree in the code."""

import re

from ontology import errors


def test_the_docstring_names_every_error_and_no_other() -> None:
    defined = {
        name for name, value in vars(errors).items() if isinstance(value, type) and value.__module__ == errors.__name__
    }
    assert errors.__doc__ is not None
    drawn = set(re.findall(r"^[├└│─ ]*([A-Z]\w+)", errors.__doc__.split("\n\n", 1)[1], re.MULTILINE))
    assert drawn == defined
