"""What one check of an ontology and its data found."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """How a check ended; ``NOT_CHECKED`` where something that it needs is missing here."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_CHECKED = "not checked"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """``detail`` is one line for people; ``problems`` are single findings, a line each, the first ones only."""

    name: str
    outcome: Outcome
    detail: str
    problems: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join([f"{self.name}: {self.outcome}: {self.detail}", *(f"  {line}" for line in self.problems)])


MOST_PROBLEMS = 10
"""How many findings of one check are listed."""
MOST_TRIPLES = 200_000
"""Beyond this a reasoner takes hours and a shapes engine in Python many minutes: a check says so instead of hanging."""


def failed(name: str, detail: str, problems: list[str]) -> CheckResult:
    """A failed check with its first findings; how many were left out is said."""
    shown = problems[:MOST_PROBLEMS]
    if len(problems) > len(shown):
        shown.append(f"... and {len(problems) - len(shown)} more")
    return CheckResult(name, Outcome.FAILED, detail, tuple(shown))


def too_many(name: str, triples: int, limit: int) -> CheckResult:
    """A check that was left out because of the size of the graph."""
    return CheckResult(name, Outcome.NOT_CHECKED, f"{triples} triples are more than the {limit} that are checked")
