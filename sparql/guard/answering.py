"""Answers one query of a stranger from a store. Runs inside a worker; knows nothing of processes.

What the store refuses becomes a GuardError with the parser's line and column.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import pyoxigraph as ox

from kg.errors import ExportFailed
from kg.rdfxml import write_rdfxml
from kg.sparql_faults import fault_of
from kg.sparql_text import nests_deeper, says, tokens
from ontology import terms
from sparql.errors import GuardError, LimitExceeded, Malformed, NotAcceptable, Refused
from sparql.guard.frames import Settings
from sparql.guard.requests import Form

FORMS: dict[bytes, Form] = {b"S": "SELECT", b"A": "ASK", b"C": "CONSTRUCT", b"D": "DESCRIBE"}
SOLUTIONS: dict[object, ox.QueryResultsFormat] = {
    "application/sparql-results+json": ox.QueryResultsFormat.JSON,
    "application/sparql-results+xml": ox.QueryResultsFormat.XML,
    "text/csv": ox.QueryResultsFormat.CSV,
    "text/tab-separated-values": ox.QueryResultsFormat.TSV,
}
GRAPHS: dict[object, ox.RdfFormat] = {
    "text/turtle": ox.RdfFormat.TURTLE,
    "application/n-triples": ox.RdfFormat.N_TRIPLES,
    "application/n-quads": ox.RdfFormat.N_QUADS,
    "application/trig": ox.RdfFormat.TRIG,
    "application/rdf+xml": ox.RdfFormat.RDF_XML,
    "application/ld+json": ox.RdfFormat.JSON_LD,
}
Name = ox.NamedNode | ox.BlankNode | ox.DefaultGraph


@dataclass(frozen=True, slots=True)
class Source:
    """
    A store and what its default graph is.

    ``union`` are the graphs that a query without FROM sees as one; None where the store's default graph holds their
    triples already, or is to be seen alone.
    """

    store: ox.Store
    union: Sequence[Name] | None = None


class Bounded:
    """A file of at most ``most`` bytes. Raises LimitExceeded where more are written."""

    def __init__(self, most: int) -> None:
        self._chunks: list[bytes] = []
        self._left, self._most = most, most

    def write(self, data: bytes) -> int:
        """Take more bytes."""
        self._left -= len(data)
        if self._left < 0:
            self._chunks.clear()
            raise LimitExceeded(
                f"the answer is larger than {self._most} bytes: ask for less, or with LIMIT", limit="size of the answer"
            )
        self._chunks.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""

    def getvalue(self) -> bytes:
        """All of it."""
        return b"".join(self._chunks)


def answer(source: Source, text: str, settings: Settings, *, answer_bytes: int, nesting: int) -> tuple[bytes, bytes]:
    """The letter of the query's form (a key of FORMS) and the document. Raises GuardError, MemoryError."""
    refuse(text, "SERVICE", nesting=nesting)
    results = _results(source, text, settings)
    out = Bounded(answer_bytes)
    try:
        if isinstance(results, ox.QueryTriples):
            return _graph(results, text, settings.get("graph_type"), out), out.getvalue()
        return _solutions(results, settings.get("solutions_type"), out), out.getvalue()
    except (OSError, RuntimeError, ValueError) as error:
        raise said(error, text) from error


def refuse(text: str, *keywords: str, nesting: int) -> None:
    """Raises Refused where the text uses one of the keywords, LimitExceeded where it nests too deeply."""
    if nests_deeper(text, nesting):
        raise LimitExceeded(f"more than {nesting} brackets stand open at once: take the query apart", limit="nesting")
    if (found := says(text, *keywords)) is not None:
        raise Refused(f"{found} is not allowed: this endpoint asks no other server")


def said(error: Exception, text: str) -> GuardError:
    """What the store says of a query or an update, as one line."""
    fault = fault_of(error, text, prefixes=terms.PREFIXES)
    if fault.line is None and not isinstance(error, SyntaxError | ValueError):
        return GuardError(str(fault))
    return Malformed(str(fault), line=fault.line, column=fault.column)


def _results(source: Source, text: str, settings: Settings) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
    try:
        default = _names(settings.get("default_graphs"))
        named = _names(settings.get("named_graphs"))
        dataset: dict[str, list[Name]] = {}
        if default or named:
            dataset = {"default_graph": default, "named_graphs": named}
        elif source.union is not None and not says(text, "FROM"):
            dataset = {"default_graph": list(source.union)}  # which would go before FROM
        return source.store.query(
            text,
            base_iri=cast(str | None, settings.get("base_iri")),
            prefixes=terms.PREFIXES,
            **dataset,  # type: ignore[arg-type]
        )
    except (SyntaxError, ValueError, OSError, RuntimeError) as error:
        raise said(error, text) from error


def _names(iris: object) -> list[Name]:
    return [ox.NamedNode(iri) for iri in cast(list[str], iris or ())]


def _solutions(results: ox.QuerySolutions | ox.QueryBoolean, media_type: object, out: Bounded) -> bytes:
    is_ask = isinstance(results, ox.QueryBoolean)
    syntax = SOLUTIONS.get(media_type)
    if syntax is None:
        raise NotAcceptable(f"{'an ASK' if is_ask else 'a SELECT'} is answered in {', '.join(map(str, SOLUTIONS))}")
    if is_ask and syntax in (ox.QueryResultsFormat.CSV, ox.QueryResultsFormat.TSV):
        out.write(b"true\n" if results else b"false\n")
    else:
        results.serialize(out, syntax)  # type: ignore[arg-type]
    return b"A" if is_ask else b"S"


def _graph(triples: ox.QueryTriples, text: str, media_type: object, out: Bounded) -> bytes:
    form = next((token.text for token in tokens(text) if token.text in ("CONSTRUCT", "DESCRIBE")), "CONSTRUCT")
    syntax = GRAPHS.get(media_type)
    if syntax is None:
        raise NotAcceptable(f"a {form} is answered in {', '.join(map(str, GRAPHS))}")
    if syntax == ox.RdfFormat.RDF_XML:
        # pyoxigraph writes element names that no XML reader accepts.
        found = sorted(set(triples), key=lambda triple: (str(triple.subject), str(triple.predicate)))
        try:
            write_rdfxml(found, out, prefixes=terms.PREFIXES)  # type: ignore[arg-type]
        except ExportFailed as error:
            raise NotAcceptable(str(error)) from error
    else:
        ox.serialize(triples, out, syntax, prefixes=terms.PREFIXES)  # type: ignore[arg-type]
    return form[:1].encode()
