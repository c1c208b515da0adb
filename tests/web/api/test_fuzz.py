"""A real server, fuzzed from its own description: the bounded form of ``make fuzz``."""

import shutil
import sys
from pathlib import Path

import pytest

from benchmarks.fuzz import fuzz

REQUESTS = 500


@pytest.mark.slow
@pytest.mark.server
def test_a_real_server_stands_what_its_description_allows_and_what_it_does_not(tmp_path: Path) -> None:
    if shutil.which("schemathesis", path=str(Path(sys.executable).parent)) is None:
        pytest.skip("schemathesis is not installed (it comes with the dev extra)")
    result = fuzz(REQUESTS, tmp_path, at_once=1)
    assert result.findings == []
    assert result.requests >= REQUESTS
    assert result.operations >= 20
    assert result.statuses["200"] > 50
