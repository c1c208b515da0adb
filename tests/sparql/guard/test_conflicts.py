"""Updates that are sound and do not fit what the graph holds: the sender's matter, not a failure of the server."""

from pathlib import Path

import pytest

from kg.home import Home
from sparql.errors import Conflicting
from sparql.guard.limits import Limits
from sparql.guard.pool import WorkerPool
from sparql.guard.requests import UpdateRequest


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("CREATE GRAPH <urn:a>; CREATE GRAPH <urn:a>", "<urn:a> already exists"),
        ("DROP GRAPH <urn:b>", "<urn:b> does not exist"),
        ("CLEAR GRAPH <urn:b>", "<urn:b> does not exist"),
    ],
)
def test_a_graph_that_is_there_and_one_that_is_not(tmp_path: Path, text: str, reason: str) -> None:
    home = Home(tmp_path)
    with home.write():
        pass
    with WorkerPool(tmp_path, Limits(workers=1)) as pool, pytest.raises(Conflicting, match=reason):
        pool.update(UpdateRequest(text))
    assert home.current() == 1
