"""
Counts what the server does, in the words of Prometheus. Knows nothing of HTTP: see web.operations.

Labels have few values each (routes, not addresses; kinds of errors, not their texts), so that no stranger can make the
server keep a series for everything he sends.
"""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from kg.errors import GraphError
from sparql.errors import GuardError, LimitExceeded
from sparql.guard.requests import Answer, CatchesUp, Guard, QueryRequest, UpdateRequest

T = TypeVar("T")
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_KILLING = {"time", "memory", "size of the answer"}
"""Limits at which a worker is ended."""
ANSWERED = "answered"


class Metrics:
    """The counters of one site, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "scoutfly_http_requests", "Requests answered.", ["route", "method", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "scoutfly_http_request_seconds",
            "Seconds until an answer stood.",
            ["route"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.guarded = Counter(
            "scoutfly_guarded_requests",
            "What strangers had done, by how it ended.",
            ["kind", "outcome"],
            registry=self.registry,
        )
        self.guarded_seconds = Histogram(
            "scoutfly_guarded_seconds", "Seconds that it took.", ["kind"], buckets=_SECONDS, registry=self.registry
        )
        self.kills = Counter(
            "scoutfly_guard_kills", "Workers ended because a limit was reached.", ["limit"], registry=self.registry
        )

    def watch(self, name: str, help_text: str, read: Callable[[], float]) -> None:
        """A gauge that is read when somebody looks; left out where ``read`` raises an OSError or a GraphError."""
        self.registry.register(_Read(f"scoutfly_{name}", help_text, read))


class _Read(Collector):
    def __init__(self, name: str, help_text: str, read: Callable[[], float]) -> None:
        self._name, self._help, self._read = name, help_text, read

    def describe(self) -> Iterator[Metric]:
        yield GaugeMetricFamily(self._name, self._help)

    def collect(self) -> Iterator[Metric]:
        with suppress(GraphError, OSError):
            yield GaugeMetricFamily(self._name, self._help, value=self._read())


class MeteredGuard:
    """A guard whose work is counted."""

    def __init__(self, guard: Guard, metrics: Metrics, *, quick_s: float) -> None:
        self._guard, self._metrics, self._quick_s = guard, metrics, quick_s
        self._begun: dict[object, float] = {}
        metrics.watch("guard_busy", "Guarded requests that are being carried out.", lambda: len(self._ages()))
        metrics.watch("guard_long", "Those of them that take longer than usual.", self._long)

    def query(self, request: QueryRequest) -> Answer:
        """See sparql.guard.requests.Guard."""
        return self._counted("query", lambda: self._guard.query(request))

    def update(self, request: UpdateRequest) -> int:
        """See sparql.guard.requests.Guard."""
        return self._counted("update", lambda: self._guard.update(request))

    def parse(self, document: bytes, media_type: str, *, base_iri: str) -> bytes:
        """See sparql.guard.requests.Guard."""
        return self._counted("parse", lambda: self._guard.parse(document, media_type, base_iri=base_iri))

    def reach(self, generation: int) -> None:
        """See sparql.guard.requests.CatchesUp."""
        if isinstance(self._guard, CatchesUp):
            self._guard.reach(generation)

    def _counted(self, kind: str, work: Callable[[], T]) -> T:
        outcome = "failed"
        with self._timed(kind):
            try:
                result = work()
                outcome = ANSWERED
            except GuardError as error:
                outcome = outcome_of(error)
                if isinstance(error, LimitExceeded) and error.limit in _KILLING:
                    self._metrics.kills.labels(error.limit).inc()
                raise
            finally:
                self._metrics.guarded.labels(kind, outcome).inc()
        return result

    @contextmanager
    def _timed(self, kind: str) -> Iterator[None]:
        token, start = object(), time.monotonic()
        self._begun[token] = start
        try:
            yield
        finally:
            del self._begun[token]
            self._metrics.guarded_seconds.labels(kind).observe(time.monotonic() - start)

    def _ages(self) -> list[float]:
        now = time.monotonic()
        return [now - start for start in list(self._begun.values())]

    def _long(self) -> int:
        return sum(age > self._quick_s for age in self._ages())


def outcome_of(error: GuardError) -> str:
    """
    How a guarded request ended, as a label.

    >>> outcome_of(LimitExceeded("", limit="size of the query"))
    'limit: size of the query'
    >>> outcome_of(GuardError())
    'guard error'
    """
    if isinstance(error, LimitExceeded):
        return f"limit: {error.limit}"
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__).lower()
