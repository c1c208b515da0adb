"""B13: SERVICE and LOAD make a proxy of a read-only endpoint; a search for the word refuses too much."""

from pathlib import Path

import pytest

from sparql.errors import Refused
from sparql.guard.pool import WorkerPool
from sparql.guard.requests import QueryRequest, UpdateRequest
from tests.sparql.guard.stage import TIGHT, Listener


def test_nobody_is_called_and_the_word_alone_is_harmless(tmp_path: Path) -> None:
    listener = Listener()
    address = f"<http://127.0.0.1:{listener.port}/>"
    try:
        with WorkerPool(tmp_path / "home", TIGHT) as pool:
            for silent in ("", "SILENT"):
                with pytest.raises(Refused, match="SERVICE"):
                    pool.query(QueryRequest(f"SELECT * {{ SERVICE {silent} {address} {{ ?s ?p ?o }} }}"))
                with pytest.raises(Refused, match="LOAD"):
                    pool.update(UpdateRequest(f"LOAD {silent} {address}"))
            answer = pool.query(QueryRequest(f'SELECT ("SERVICE" AS ?service) {{}} # SERVICE {address}'))
            assert b'"value":"SERVICE"' in answer.body
    finally:
        listener.close()
    assert listener.connections == 0
