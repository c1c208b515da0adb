"""B12: a store without a time limit lets one cross product keep a processor for ever, and its page says nothing."""

from dataclasses import replace
from pathlib import Path

import pytest

from sparql.errors import LimitExceeded
from sparql.guard.pool import WorkerPool
from sparql.guard.requests import QueryRequest, UpdateRequest
from tests.sparql.guard.stage import TIGHT


def test_a_cross_product_of_3000_nodes_ends_at_the_time_limit_and_says_so(tmp_path: Path) -> None:
    rows = " ".join(f"<a:{number}> <a:p> <a:o> ." for number in range(3000))
    with WorkerPool(tmp_path / "home", replace(TIGHT, seconds=0.5)) as pool:
        pool.update(UpdateRequest(f"INSERT DATA {{ {rows} }}"))
        with pytest.raises(LimitExceeded, match=r"took longer than 0\.5 s") as caught:
            pool.query(QueryRequest("SELECT (COUNT(*) AS ?n) { ?a ?p ?b . ?c ?q ?d . ?e ?r ?f }"))
        assert caught.value.limit == "time"
        assert pool.query(QueryRequest("ASK { ?a ?p ?b }")).body == b'{"head":{},"boolean":true}'
