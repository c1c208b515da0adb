"""
The answer of a query as a table of cells: what the page shows where no script does it.

Texts are kept as texts, whatever stands in them; only IRIs become links, and those to this server's own pages.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import pyoxigraph as ox

from kg.store import Term
from ontology import terms
from sparql.guard.requests import Answer

SHOWN_ROWS = 1000
SHOWN_CHARACTERS = 2000
"""Of one text; the downloads hold all of it."""
_LOCAL = re.compile(r"[\w-]+")
_PLAIN = {terms.PREFIXES["xsd"] + "string", terms.PREFIXES["rdf"] + "langString"}


@dataclass(frozen=True, slots=True)
class Cell:
    """
    One term: ``space + text`` for reading, ``iri`` where it is one, ``note`` the language or datatype of a literal.

    ``space`` is the namespace of an IRI that no prefix of ours shortens: it says little, and takes much room.
    """

    kind: Literal["iri", "blank", "literal", "triple", "unbound"]
    text: str = ""
    iri: str = ""
    note: str = ""
    space: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """
    ``rows`` are the first of the ``total``; ``boolean`` is the answer of an ASK, None for other queries.

    ``is_graph`` says that it is of a CONSTRUCT or a DESCRIBE, which answer in other formats.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    total: int
    boolean: bool | None = None
    is_graph: bool = False


def read_table(answer: Answer) -> Table:
    """The table of an answer in SPARQL JSON or in N-Triples."""
    if answer.media_type == "application/n-triples":
        triples = ox.parse(answer.body, format=ox.RdfFormat.N_TRIPLES)
        rows = ([q.subject, q.predicate, q.object] for q in triples)
        return _table(("subject", "predicate", "object"), rows, is_graph=True)
    results = ox.parse_query_results(answer.body, format=ox.QueryResultsFormat.JSON)
    if isinstance(results, ox.QueryBoolean):
        return Table((), (), 0, boolean=bool(results))
    return _table(tuple(variable.value for variable in results.variables), results)


def _table(columns: tuple[str, ...], rows: Iterable[Iterable[Term | None]], *, is_graph: bool = False) -> Table:
    iterator = iter(rows)
    shown = tuple(tuple(map(cell, row)) for row in islice(iterator, SHOWN_ROWS))
    return Table(columns, shown, len(shown) + sum(1 for _ in iterator), is_graph=is_graph)


def cell(term: Term | None) -> Cell:
    """
    A term for reading.

    >>> cell(terms.RDFS_LABEL).text, cell(ox.Literal("<b>", language="en")), cell(None).kind
    ('rdfs:label', Cell(kind='literal', text='<b>', iri='', note='en', space=''), 'unbound')
    """
    if term is None:
        return Cell("unbound")
    if isinstance(term, ox.NamedNode):
        space, text = _parted(term.value)
        return Cell("iri", text, iri=term.value, space=space)
    if isinstance(term, ox.Literal):
        datatype = term.datatype.value
        note = term.language or ("" if datatype in _PLAIN else "".join(_parted(datatype)))
        return Cell("literal", _cut(term.value), note=note)
    return Cell("blank" if isinstance(term, ox.BlankNode) else "triple", _cut(str(term)))


def _parted(iri: str) -> tuple[str, str]:
    """The namespace and the rest; no namespace, and a prefixed name, where one of our prefixes fits."""
    for prefix, namespace in terms.PREFIXES.items():
        if iri.startswith(namespace) and _LOCAL.fullmatch(iri, len(namespace)):
            return "", f"{prefix}:{iri[len(namespace) :]}"
    at = max(iri.rfind("/", 0, -1), iri.rfind("#", 0, -1)) + 1
    return iri[:at], iri[at:]


def _cut(text: str) -> str:
    if len(text) <= SHOWN_CHARACTERS:
        return text
    return f"{text[:SHOWN_CHARACTERS]}… ({len(text):,} characters)"
