"""What a guarded worker is asked, and what it answers. Knows nothing of HTTP: that is for whoever asks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

Form = Literal["SELECT", "ASK", "CONSTRUCT", "DESCRIBE"]

SOLUTIONS_TYPES = (
    "application/sparql-results+json",
    "application/sparql-results+xml",
    "text/csv",
    "text/tab-separated-values",
)
"""Media types in which a SELECT or an ASK is answered; https://www.w3.org/TR/sparql11-protocol/#query-success."""
GRAPH_TYPES = (
    "text/turtle",
    "application/n-triples",
    "application/n-quads",
    "application/trig",
    "application/rdf+xml",
    "application/ld+json",
)
"""Media types in which a CONSTRUCT or a DESCRIBE is answered, and in which documents are read."""


@dataclass(frozen=True, slots=True)
class QueryRequest:
    """
    One query as it was sent.

    ``default_graphs`` and ``named_graphs`` are those of the protocol, which go before the query's own FROM; where there
    are neither, the query sees the asserted graphs as one (``union``), or the default graph alone. ``solutions_type``
    and ``graph_type`` are the media types to answer in, according to the form of the query, which only its parser
    knows; None stands for a form that the asker cannot take.
    """

    text: str
    default_graphs: Sequence[str] = ()
    named_graphs: Sequence[str] = ()
    union: bool = True
    base_iri: str | None = None
    solutions_type: str | None = SOLUTIONS_TYPES[0]
    graph_type: str | None = GRAPH_TYPES[0]


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer: its ``body`` is the document in ``media_type``, ``generation`` what was asked."""

    form: Form
    media_type: str
    body: bytes
    generation: int


@dataclass(frozen=True, slots=True)
class UpdateRequest:
    """One SPARQL update; ``using_graphs`` and ``using_named_graphs`` are those of the protocol."""

    text: str
    using_graphs: Sequence[str] = ()
    using_named_graphs: Sequence[str] = ()
    base_iri: str | None = None


class Guard(Protocol):
    """
    Runs what strangers wrote.

    Each method may be called from any thread, waits for its answer, and raises sparql.errors.GuardError: Malformed,
    Refused, NotAcceptable, LimitExceeded, Busy.
    """

    def query(self, request: QueryRequest) -> Answer:
        """The answer of a query on the current generation, whole."""

    def update(self, request: UpdateRequest) -> int:
        """Run an update and publish a new generation, whose number it gives; the next query sees it."""

    def parse(self, document: bytes, media_type: str, *, base_iri: str) -> bytes:
        """An RDF document of a stranger as N-Quads, blank nodes renamed; triples stand in the default graph."""


@runtime_checkable
class CatchesUp(Protocol):
    """A guard that can be told of a generation which was published without it."""

    def reach(self, generation: int) -> None:
        """Wait until queries see that generation, or a later one."""
