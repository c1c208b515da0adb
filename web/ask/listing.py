"""Lists of runs, from what each run says of itself in short."""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from agents.errors import RunNotFound
from agents.run_status import RunStatus
from agents.runs import RunFolder
from web.ask.records import explained, run_time
from web.errors import RunUnreadable

_LOG = logging.getLogger(__name__)
MAX_PAGE = 10_000
"""Of a list; nobody reads so far, and islice counts no further than a machine word."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of a list."""

    run: str
    status: RunStatus

    @property
    def time(self) -> datetime | None:
        """When the run began, as its id says."""
        return run_time(self.run)


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of a list; ``more`` says whether older ones follow, ``hidden`` how many could not be read."""

    runs: tuple[Listed, ...]
    more: bool
    hidden: int = 0


def newest(runs: RunFolder, limit: int) -> list[Listed]:
    """The newest runs."""
    return [listed for listed in islice(_read(runs, runs.all_ids()), limit) if listed is not None]


def list_runs(runs: RunFolder, *, page: int, per_page: int, state: str = "", policy: str = "") -> Listing:
    """The runs in a state and of a policy ("": any), newest first, a page of them; pages count from 1."""
    wanted = (
        listed
        for listed in _read(runs, runs.all_ids())
        if listed is None or (state in {"", listed.status.state} and policy in {"", listed.status.policy})
    )
    shown = list(islice(wanted, (page - 1) * per_page, page * per_page))
    more = next(wanted, None) is not None
    readable = tuple(listed for listed in shown if listed is not None)
    return Listing(readable, more, len(shown) - len(readable))


def _read(runs: RunFolder, ids: Iterable[str]) -> Iterator[Listed | None]:
    """The runs of these ids; None for a damaged one: it must not take the page away."""
    for run_id in ids:
        try:
            with explained(f"run {run_id}"):
                yield Listed(run_id, runs.status(run_id))
        except (RunNotFound, RunUnreadable) as error:
            _LOG.warning("left out of the list: %s", error)
            yield None
