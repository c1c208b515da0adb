"""Pools over a small graph with tight limits."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kg.home import Home
from sparql.guard.pool import WorkerPool
from tests.sparql.guard.stage import TIGHT, Listener, fill


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """See :func:`fill`; not to be written to."""
    return fill(tmp_path_factory.mktemp("guard") / "home")


@pytest.fixture(scope="module")
def pool(home: Home) -> Iterator[WorkerPool]:
    """A pool with tight limits over the graph in memory."""
    with WorkerPool(home.path, TIGHT) as pool:
        yield pool


@pytest.fixture(scope="module")
def patient_pool(home: Home) -> Iterator[WorkerPool]:
    """The same with a minute's time."""
    with WorkerPool(home.path, replace(TIGHT, seconds=60)) as pool:
        yield pool


@pytest.fixture(scope="module")
def disk_pool(home: Home) -> Iterator[WorkerPool]:
    """A pool with tight limits over the graph on disk."""
    with WorkerPool(home.path, TIGHT, in_memory_quads=1) as pool:
        yield pool


@pytest.fixture
def own_pool(tmp_path: Path) -> Iterator[WorkerPool]:
    """A pool over a home of its own, to be written to."""
    fill(tmp_path / "home")
    with WorkerPool(tmp_path / "home", TIGHT) as pool:
        yield pool


@pytest.fixture
def listener() -> Iterator[Listener]:
    """One that no one may reach."""
    listener = Listener()
    yield listener
    listener.close()
