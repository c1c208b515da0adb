"""Runs one SPARQL query of the person at the terminal, and writes its answer in the format that they ask for.

SELECT and ASK answer as a table, JSON, XML, CSV or TSV; CONSTRUCT and DESCRIBE in an RDF syntax. Queries see the
union of all graphs, the inferred one included, or what their FROM clauses name; GRAPH clauses reach each by name.
Updates are refused by the grammar. Queries of strangers do not come here: nothing bounds them.
"""

import io
from collections.abc import Mapping, Sequence

import pyoxigraph as ox

from kg.errors import ExportFailed, StoreError
from kg.exporting import FORMATS, export
from kg.sparql_faults import fault_of
from kg.sparql_text import nests_deeper, says
from kg.store import Term
from ontology import terms

RESULT_FORMATS: Mapping[str, ox.QueryResultsFormat] = {
    "json": ox.QueryResultsFormat.JSON,
    "xml": ox.QueryResultsFormat.XML,
    "csv": ox.QueryResultsFormat.CSV,
    "tsv": ox.QueryResultsFormat.TSV,
}
TABLE = "table"
_DEEPEST = 1_000
"""Brackets within brackets. Oxigraph's parser recurses: some tens of thousands end the process without a word."""


def answer(store: ox.Store, query: str, *, fmt: str | None = None) -> bytes:
    """The answer of ``query`` as text in UTF-8; a table, or Turtle, where no format is asked for.

    Raises StoreError for a bad query, ExportFailed where the format does not fit its form.
    """
    if nests_deeper(query, _DEEPEST):
        raise StoreError(f"the query nests more than {_DEEPEST} brackets in one another: take it apart")
    try:
        # With the union asked for, Oxigraph passes over FROM clauses.
        results = store.query(query, use_default_graph_as_union=not says(query, "FROM"), prefixes=dict(terms.PREFIXES))
        if isinstance(results, ox.QueryTriples):
            return _graph(results, fmt or "turtle")
        return _solutions(results, fmt or TABLE)
    except (SyntaxError, ValueError, OSError, RuntimeError) as error:
        raise StoreError(f"the query failed: {fault_of(error, query, prefixes=terms.PREFIXES)}") from error


def _graph(triples: ox.QueryTriples, fmt: str) -> bytes:
    if fmt not in FORMATS:
        raise ExportFailed(f"a CONSTRUCT or DESCRIBE answers in {', '.join(FORMATS)}, not in {fmt}")
    buffer = io.BytesIO()
    export((ox.Quad(*triple) for triple in triples), FORMATS[fmt], buffer)
    return buffer.getvalue()


def _solutions(results: ox.QuerySolutions | ox.QueryBoolean, fmt: str) -> bytes:
    if fmt in RESULT_FORMATS:
        if isinstance(results, ox.QueryBoolean) and fmt in ("csv", "tsv"):
            return f"{str(bool(results)).lower()}\n".encode()
        return results.serialize(format=RESULT_FORMATS[fmt]) or b""
    if fmt != TABLE:
        raise ExportFailed(f"a SELECT or ASK answers in {TABLE}, {', '.join(RESULT_FORMATS)}, not in {fmt}")
    if isinstance(results, ox.QueryBoolean):
        return b"yes\n" if results else b"no\n"
    header = [f"?{variable.value}" for variable in results.variables]
    rows = [[shown(term) for term in solution] for solution in results]
    return _table(header, rows).encode()


def shown(term: Term | None) -> str:
    """A term for reading: IRIs shortened by the usual prefixes, texts bare, an empty one as ``""``, unbound as nothing.

    >>> shown(terms.RDFS_LABEL), shown(ox.Literal("")), shown(ox.Literal(0)), shown(None)
    ('rdfs:label', '""', '0', '')
    """
    if term is None:
        return ""
    if isinstance(term, ox.NamedNode):
        for prefix, namespace in terms.PREFIXES.items():
            local = term.value.removeprefix(namespace)
            if local != term.value and local and not set("/#?") & set(local):
                return f"{prefix}:{local}"
        return f"<{term.value}>"
    if isinstance(term, ox.Literal):
        text = " ".join(term.value.splitlines()) or '""'
        return f"{text}@{term.language}" if term.language else text
    return str(term)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    lines = [header, ["-" * width for width in widths], *rows]
    text = "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
    count = f"({len(rows)} row{'' if len(rows) == 1 else 's'})"
    return f"{text}\n{count}\n" if header else f"{count}\n"
