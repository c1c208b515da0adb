"""Reads delimited text (CSV, TSV and their kin) as rows of texts, whatever the delimiter.

A cell is text: "null" and "NA" are names, and only an empty cell is empty. Tab-separated files have no quoting (IANA
text/tab-separated-values), others have that of RFC 4180. A row that breaks the rules is told of and passed over. It
does not know what the columns mean.
"""

import csv
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

DELIMITERS = ("\t", ",", ";", "|")
SAMPLED_ROWS = 100

_UNDECODED = re.compile(r"[\udc80-\udcff]")

Reject = Callable[[int, str], None]
"""Told of a row that cannot be read: its first line, and why."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """The cells of one row, and the line that it starts at, counted from 1."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A delimited file: open it anew with :meth:`rows` as often as needed."""

    path: Path
    encoding: str
    delimiter: str

    def rows(self, reject: Reject) -> Iterator[TableRow]:
        """The rows that hold something, one at a time. Raises OSError."""
        # What is not in the encoding comes through as lone surrogates, and its row alone is rejected.
        errors = "replace" if self.encoding == "utf-16" else "surrogateescape"
        with self.path.open(encoding=self.encoding, errors=errors, newline="") as stream:
            for row in _rows(stream, self.delimiter, reject):
                if any(not cell.isascii() and _UNDECODED.search(cell) for cell in row.cells):
                    reject(row.line, f"holds bytes that are not {self.encoding.removesuffix('-sig').upper()}")
                elif any(cell.strip() for cell in row.cells):
                    yield row

    def sample(self) -> list[TableRow]:
        """The first rows. Raises OSError."""
        sampled: list[TableRow] = []
        for row in self.rows(_ignore):
            sampled.append(row)
            if len(sampled) == SAMPLED_ROWS:
                break
        return sampled


def open_table(path: Path, columns: int) -> Table | None:
    """The table in a file, with the delimiter that gives most of its first rows ``columns`` columns, or more.

    None where no delimiter gives so many columns to half of the rows: prose with commas in it is no table. Raises
    OSError.
    """
    encoding = _encoding(path)
    best, best_score = None, (0, 0)
    for delimiter in DELIMITERS:
        table = Table(path, encoding, delimiter)
        widths = [len(row.cells) for row in table.sample()]
        score = (sum(width == columns for width in widths), sum(width > columns for width in widths))
        if score > best_score and sum(score) * 2 >= len(widths):
            best, best_score = table, score
    return best


def _rows(stream: TextIO, delimiter: str, reject: Reject) -> Iterator[TableRow]:
    if delimiter == "\t":
        reader = csv.reader(stream, delimiter=delimiter, quoting=csv.QUOTE_NONE, strict=True)
    else:
        reader = csv.reader(stream, delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            reject(line, f"is not in the form of RFC 4180: {error}")
            continue
        yield TableRow(line, tuple(cells))


def _encoding(path: Path) -> str:
    with path.open("rb") as stream:
        head = stream.read(2)
    # Spreadsheet programs save "Unicode text" as UTF-16 with a byte order mark.
    return "utf-16" if head in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"


def _ignore(_line: int, _reason: str) -> None:
    """A sample is read again as a whole later, and what is bad in it is told of then."""
