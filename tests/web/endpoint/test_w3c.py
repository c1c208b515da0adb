"""The protocol tests of the W3C, run against a real server by the tool that lies beside the checkout."""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.web.endpoint.conftest import ROOT, TOKEN, Endpoint, serving

CHECK = ROOT.parent / "shared" / "tools" / "protocol_check.py"
pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(not CHECK.exists(), reason="the tests of the W3C do not lie beside the checkout"),
]


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Endpoint]:
    """A server of its own: some of the tests clear everything."""
    with serving(tmp_path_factory.mktemp("scratch")) as started:
        yield started


@pytest.mark.parametrize(("suite", "tests"), [("sd", 3), ("gsp", 13), ("protocol", 34)])
def test_every_test_passes(scratch: Endpoint, suite: str, tests: int) -> None:
    command = [sys.executable, str(CHECK), suite, scratch.query, scratch.update, scratch.store, "--token", TOKEN]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout) == (0, f"{suite}: {tests} passed, 0 failed\n"), done.stderr
