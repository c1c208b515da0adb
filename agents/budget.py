"""What a walk may spend, and the meter that says when it is spent."""

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from agents.roles import Call

STOPPED = "stopped"
"""Why a walk ended that somebody asked to end."""
StopSignal = Callable[[], bool]
"""Whether the walk is to end; asked before each call, from several threads."""


def never() -> bool:
    """The signal of a walk that nobody stops."""
    return False


@dataclass(frozen=True, slots=True)
class Budget:
    """Upper bounds of one walk; None is no bound.

    ``depth`` is edges from the topic; ``paths`` is sufficient paths found; ``calls`` and ``tokens`` count calls of
    models (tokens in and out); ``seconds`` is wall time. At a bound the walk stops and gives the best paths so far,
    with the reason. Calls and tokens are counted before each half of a round, and one call is kept back for the
    answer; no call begins after the time is up, save the one for the answer.
    """

    depth: int | None = 6
    paths: int | None = None
    calls: int | None = 200
    tokens: int | None = None
    seconds: float | None = None


@dataclass(slots=True)
class Meter:
    """What has been spent so far, and whether to go on.

    Safe to use from several threads.
    """

    budget: Budget
    stop: StopSignal = never
    started: float = field(default_factory=time.perf_counter)
    calls: list[Call] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def spend(self, calls: Iterable[Call]) -> None:
        """Adds finished calls."""
        with self._lock:
            self.calls.extend(calls)

    @property
    def seconds(self) -> float:
        """Wall time since the walk began."""
        return time.perf_counter() - self.started

    @property
    def is_over(self) -> bool:
        """Whether no further call is to begin: the time is up, or the walk was stopped."""
        return self.is_late or self.stop()

    @property
    def is_late(self) -> bool:
        """Whether the time is up."""
        return self.budget.seconds is not None and self.seconds >= self.budget.seconds

    @property
    def tokens(self) -> int:
        """Tokens in and out, as the endpoints reported them."""
        return sum(call.prompt_tokens + call.completion_tokens for call in self.calls)

    def exhausted(self, upcoming_calls: int = 0) -> str:
        """Which bound the next ``upcoming_calls`` would pass, in words, or "" when they may go on."""
        budget = self.budget
        if self.stop():
            return STOPPED
        if self.is_late:
            return f"time limit of {budget.seconds:g} s reached"
        if budget.calls is not None and len(self.calls) + upcoming_calls > budget.calls:
            return f"limit of {budget.calls} calls reached"
        if budget.tokens is not None and self.tokens >= budget.tokens:
            return f"limit of {budget.tokens} tokens reached"
        return ""
