"""Finds the columns of head, relation and tail in a table of triples, and what kind of text each of them holds.

A column's role says what its cells are, never the characters of one cell: a value with a slash in it is no IRI. Only a
column whose every sampled cell is an absolute http(s) IRI holds IRIs.
"""

import re
from dataclasses import dataclass

from kg.importers.tables import TableRow
from kg.iri import clean

ROLES = ("head", "relation", "tail")

_HEADERS = (
    {"head", "h", "subject", "s", "source", "from", "start", "entity1", "entity 1", "e1", "node1", "arg1"},
    {"relation", "r", "rel", "predicate", "p", "property", "edge", "relationship", "type", "label"},
    {"tail", "t", "object", "o", "target", "to", "end", "entity2", "entity 2", "e2", "node2", "arg2"},
)
_HEADER_SUFFIX = re.compile(r"[\s_-]*(?:id|iri|name|label|entity)$")
_IRI = re.compile(r"\s*(?:<https?://[^\s<>]+>|https?://[^\s<>]+)\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Columns:
    """Where head, relation and tail stand, and which of the three hold IRIs; ``header`` is the header's line."""

    places: tuple[int, int, int]
    are_iris: tuple[bool, bool, bool]
    header: int | None = None

    @classmethod
    def study(cls, sample: list[TableRow]) -> "Columns":
        """Judge the columns by the first rows of a table."""
        named = _header(sample[0]) if sample else None
        places = named or (0, 1, 2)
        rows = sample[1:] if named else sample
        first, second, third = (bool(rows) and all(is_iri(_cell(row, place)) for row in rows) for place in places)
        return cls(places, (first, second, third), sample[0].line if named else None)

    def cells(self, row: TableRow) -> tuple[str, str, str]:
        """Head, relation and tail of a row, trimmed, "" where the row is too short."""
        head, relation, tail = (_tidy(_cell(row, place)) for place in self.places)
        return head, relation, tail


def is_iri(cell: str) -> bool:
    """Whether a whole cell is an absolute http(s) IRI, with or without angle brackets.

    >>> is_iri("http://example.org/a"), is_iri("<http://example.org/a>"), is_iri("Planned/Actual date")
    (True, True, False)
    """
    return _IRI.fullmatch(cell) is not None


def _header(row: TableRow) -> tuple[int, int, int] | None:
    """The places of head, relation and tail where a first row names all three."""
    words = [_HEADER_SUFFIX.sub("", clean(cell).casefold()) or clean(cell).casefold() for cell in row.cells]
    head, relation, tail = (next((i for i, word in enumerate(words) if word in names), None) for names in _HEADERS)
    if head is None or relation is None or tail is None or len({head, relation, tail}) < len(ROLES):
        return None
    return head, relation, tail


def _cell(row: TableRow, place: int) -> str:
    return row.cells[place] if place < len(row.cells) else ""


def _tidy(cell: str) -> str:
    # Most identifiers need no cleaning, and cleaning takes a third of an import's time.
    return cell if cell.isascii() and cell.isprintable() and " " not in cell else clean(cell)
