"""The example queries: each reads well, runs, and answers something."""

from pathlib import Path

import pytest

from sparql.guard.requests import QueryRequest
from tests.web.editor.conftest import FakeGuard
from web.editor.queries import BUNDLED, ExampleQuery, load_queries
from web.editor.tables import read_table
from web.errors import ExamplesUnreadable

QUERIES = load_queries(BUNDLED)


@pytest.mark.parametrize("example", QUERIES, ids=[example.title for example in QUERIES])
def test_an_example_gives_rows(example: ExampleQuery, guard: FakeGuard) -> None:
    table = read_table(guard.query(QueryRequest(example.query, graph_type="application/n-triples")))
    assert table.boolean or table.total >= 1
    for column in range(len(table.columns)):
        assert any(row[column].kind != "unbound" for row in table.rows) or table.columns[column] == "evidence"


def test_there_are_examples_of_every_form_and_each_says_what_it_does() -> None:
    assert len(QUERIES) >= 8
    forms = " ".join(example.query for example in QUERIES)
    for word in ("SELECT", "CONSTRUCT", "DESCRIBE", "ASK", "GROUP BY", "CONTAINS", ")+", "OPTIONAL", "sf:Fact"):
        assert word in forms
    assert len({example.title for example in QUERIES}) == len(QUERIES)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[query]\n", "not TOML"),
        ("[[example]]\ntitle = 'x'", "nothing else"),
        ("query = 1", "nothing else"),
        ("[[query]]\ntitle = 'x'\ndescription = 'y'", "must be given"),
        ("[[query]]\ntitle = 'x'\ndescription = 'y'\nquery = ' '", "must be given"),
        ("[[query]]\ntitle = 1\ndescription = 'y'\nquery = 'ASK {}'", "texts only"),
        ("[[query]]\ntitle = 'x'\ndescription = 'y'\nquery = 'ASK {}'\nlang = 'en'", "texts only"),
    ],
)
def test_a_bad_file_is_named_with_what_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "queries.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ExamplesUnreadable, match=said) as raised:
        load_queries(path)
    assert "queries.toml" in str(raised.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ExamplesUnreadable, match=r"nowhere\.toml"):
        load_queries(tmp_path / "nowhere.toml")
