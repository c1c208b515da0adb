"""Two commands that meet an empty home at the same time both get their answer."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent


@pytest.mark.slow
def test_both_wait_for_the_one_that_fills_the_home(tmp_path: Path) -> None:
    environment = os.environ | {"SCOUTFLY_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-m", "scoutfly", "ask", "What is Zinogre weak to?"]
    both = [
        subprocess.Popen(
            command, cwd=CHECKOUT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(2)
    ]
    answers = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0], answers
    assert [said.splitlines()[0] for said, _ in answers] == ["Ice; Water"] * 2
    assert (tmp_path / "home" / "domain.toml").is_file()
