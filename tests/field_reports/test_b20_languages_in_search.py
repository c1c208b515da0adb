"""B20: a search dropped matches in other languages, or showed them as if they were something else.

Every label in every language, tagged or not, leads to its entity; what is shown is the best label, and beside it the
one that fitted, with its language.
"""

import pytest

from tests.web.stage import hostile_store
from web.browse.search import SearchIndex
from web.browse.table import read_table

GRAPH = """
ex:concept a ex:Idea ; rdfs:label "cat"@en, "Katze"@de, "gato"@es, "kissa" ; skos:altLabel "mirri"@fi, "pussy-cat" .
ex:untagged a ex:Idea ; rdfs:label "Hund" ; skos:altLabel "dog of the house" .
ex:foreign a ex:Idea ; rdfs:label "oiseau"@fr .
ex:alternative a ex:Idea ; skos:altLabel "only an alternative" .
ex:silent-one a ex:Idea .
"""


@pytest.fixture(scope="module")
def index() -> SearchIndex:
    return SearchIndex(read_table(hostile_store(GRAPH)))


@pytest.mark.parametrize(
    ("query", "shown", "matched", "language"),
    [
        ("katze", "cat", "Katze", "de"),
        ("gato", "cat", "gato", "es"),
        ("kissa", "cat", "kissa", ""),
        ("mirri", "cat", "mirri", "fi"),
        ("pussy", "cat", "pussy-cat", ""),
        ("house", "Hund", "dog of the house", ""),
    ],
)
def test_a_match_by_another_label_is_shown_with_it(
    index: SearchIndex, query: str, shown: str, matched: str, language: str
) -> None:
    (hit,) = index.search(query).found
    assert hit.shown.text == shown
    assert hit.matched is not None
    assert (hit.matched.text, hit.matched.language) == (matched, language)


@pytest.mark.parametrize(
    ("asked", "shown"), [("de", "Katze"), ("fi", "cat"), ("pt", "cat"), ("es-MX", "gato"), ("en", "cat")]
)
def test_the_language_asked_for_then_english_then_none_then_any_then_the_iri(
    index: SearchIndex, asked: str, shown: str
) -> None:
    (hit,) = index.search("http://example.org/concept", language=asked).found
    assert hit.shown.text == shown
    texts = [index.search(f"http://example.org/{name}", language=asked).found[0].shown.text for name in NAMES]
    assert texts == ["Hund", "oiseau", "only an alternative", "silent-one"]


NAMES = ("untagged", "foreign", "alternative", "silent-one")
