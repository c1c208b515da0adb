"""Reads a file of labels or descriptions: an identifier and a text a row. Further columns are not read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kg.errors import ImportFailed
from kg.importers.tables import open_table
from kg.iri import clean
from kg.report import ImportReport

COLUMNS = ("identifier", "text")

_HEADERS = (
    {"id", "identifier", "iri", "entity", "relation", "node", "property", "qid", "pid"},
    {"text", "label", "name", "title", "description", "long text", "longtext"},
)
_ID = re.compile(r"[\s_-]+(?:id|label|name|text)$")


@dataclass(slots=True)
class Labels:
    """The texts of identifiers, in the order of the file called ``file``."""

    file: str
    _texts: dict[str, list[str]] = field(default_factory=dict)

    def texts(self, identifier: str) -> list[str]:
        """The texts of an identifier; none where the file does not hold it."""
        return self._texts.get(identifier, [])

    def __iter__(self) -> Iterator[str]:
        """The identifiers."""
        return iter(self._texts)

    def add(self, identifier: str, text: str) -> None:
        """Give an identifier one more text, if it does not have it yet."""
        texts = self._texts.setdefault(identifier, [])
        if text not in texts:
            texts.append(text)


def read_labels(path: Path, report: ImportReport) -> Labels:
    """The labels of a file; a row that lacks its identifier or its text is rejected in ``report``.

    Raises ImportFailed where the file has no two columns.
    """

    def reject(line: int, reason: str) -> None:
        report.rows_read += 1
        report.reject(path.name, reason, row=line)

    table = open_table(path, len(COLUMNS))
    if table is None:
        raise ImportFailed(f"{path.name} has no two columns, by tab, comma, semicolon or bar")
    labels = Labels(path.name)
    for row in table.rows(reject):
        cells = [clean(cell) for cell in (*row.cells, "", "")[: len(COLUMNS)]]
        if row.line == 1 and _is_header(cells):
            continue
        report.rows_read += 1
        missing = next((name for name, cell in zip(COLUMNS, cells, strict=True) if not cell), None)
        if missing:
            report.reject(path.name, f"the {missing} is missing", row=row.line, column=missing)
            continue
        labels.add(cells[0], cells[1])
    return labels


def _is_header(cells: list[str]) -> bool:
    words = [_ID.sub("", cell.casefold()) for cell in cells]
    return all(word in names for word, names in zip(words, _HEADERS, strict=True))
