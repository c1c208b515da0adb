"""B24: what the store says of a faulty query does not reach the person who wrote it."""

from pathlib import Path

import pytest

from sparql.errors import Malformed
from sparql.guard.pool import WorkerPool
from sparql.guard.requests import QueryRequest
from tests.sparql.guard.stage import TIGHT


def test_the_message_has_line_column_and_what_was_expected(tmp_path: Path) -> None:
    with WorkerPool(tmp_path / "home", TIGHT) as pool, pytest.raises(Malformed) as caught:
        pool.query(QueryRequest("SELECT ?s\nWHERE { ?s rdfs:label }"))
    assert (caught.value.line, caught.value.column) == (2, 23)
    assert str(caught.value).startswith("line 2, column 23: expected")
