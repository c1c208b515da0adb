"""A22: an illegal prefix name, such as ``_9:``, is kept from the input, and the output cannot be read.

Prefixes are checked when they are given, and refused by name.
"""

import io

import pytest

from kg.errors import BadTerm
from kg.exporting import FORMATS, check_prefixes, export


@pytest.mark.parametrize("prefix", ["_9", "9", "", "a.", "a b", "é:", "xml", "xmlns", "ex:"])
def test_illegal_prefixes_are_refused_by_name(prefix: str) -> None:
    with pytest.raises(BadTerm, match="cannot be a prefix"):
        export([], FORMATS["turtle"], io.BytesIO(), prefixes={prefix: "http://example.org/"})


@pytest.mark.parametrize("prefix", ["a", "ex", "a.b", "a-b_c", "A9"])
def test_legal_prefixes_are_taken(prefix: str) -> None:
    assert check_prefixes({prefix: "http://example.org/"}) == {prefix: "http://example.org/"}
