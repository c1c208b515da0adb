"""Words and nesting of SPARQL text."""

import doctest

import pytest

from kg import sparql_text
from kg.sparql_text import depth, nests_deeper, says, tokens


def test_the_examples_hold() -> None:
    assert doctest.testmod(sparql_text).failed == 0


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { SERVICE <http://a/> {} }",
        "select * {service<http://a/>{}}",
        "SELECT * { FILTER(?a<?b)SERVICE ?c {} }",
        "SELECT * { ?a ?b 'x'@en.SERVICE <http://a/> {} }",
        "SELECT * { ?a ?b 1.SERVICE <http://a/> {} }",
        "SELECT * { ?a ?b 1SERVICE <http://a/> {} }",
        "SELECT * { ?a ?b .5e3SERVICE <http://a/> {} }",
        "SELECT * { ?a ?b trueSERVICE <http://a/> {} }",
        "SELECT * { ?a ?b falseserviceSilent<http://a/> {} }",
        "SELECT * { SERVICESILENT<http://a/> {} }",
        "SELECT * { ?a a ?b;.SERVICE <http://a/> {} }",
        'SELECT * { ?a ?b """a "quoted" word""" . SERVICE <http://a/> {} }',
        "SELECT * { ?a ?b <http://a/#>  SERVICE <http://a/> {} }",
        "SELECT * { ?a ?b 'it\\'s' SERVICE <http://a/> {} }",
        "# don't\nSELECT * { SERVICE <http://a/> {} # don't\n}",
    ],
)
def test_the_keyword_is_found(text: str) -> None:
    assert says(text, "SERVICE") == "SERVICE"


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?SERVICE { ?SERVICE ?p $SERVICE }",
        "SELECT * { ?s ex:SERVICE SERVICE:x , SERVICE.x:y , :SERVICE , ex:a.SERVICE , ex:a-SERVICE , ex:é-SERVICE }",
        "SELECT * { ?s <http://a/SERVICE> 'SERVICE' , \"SERVICE\" , '''SERVICE''' , \"\"\"a\nSERVICE\"\"\" }",
        "SELECT * { ?s ?p 'x'@SERVICE , _:SERVICE , SERVICES , MY_SERVICE } # SERVICE",
        "SELECT * { ?s ex:a\\,SERVICE ex:a%20SERVICE }",
    ],
)
def test_the_word_alone_is_not_the_keyword(text: str) -> None:
    assert says(text, "SERVICE") is None


def test_the_first_of_several_is_named() -> None:
    assert says("LOAD <a:b> ; INSERT {} WHERE { SERVICE <a:b> {} }", "SERVICE", "LOAD") == "LOAD"


def test_tokens_say_where_they_stand() -> None:
    text = "ASK { ?s ?p 'a' }"
    assert [(token.text, text[token.start : token.end]) for token in tokens(text)] == [
        ("ASK", "ASK"),
        ("{", "{"),
        ("}", "}"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0), ("{([])}", 3), ("()()()", 1), ("{ '((((' # ((((\n <http://a/((((> }", 1), (")))((", 2)],
)
def test_depth(text: str, expected: int) -> None:
    assert depth(text) == expected
    assert nests_deeper(text, expected) is False
    assert expected == 0 or nests_deeper(text, expected - 1)
