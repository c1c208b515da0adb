"""Reads the rows of a workbook's first sheet as texts.

A cell is the text that a person typed: "NA", "None" and "null" are names, a number is its digits, and only a cell that
holds nothing is empty. It knows no layout; columns are counted from the left.
"""

import datetime
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from xml.etree.ElementTree import ParseError

import openpyxl
from defusedxml import DefusedXmlException
from openpyxl.cell.read_only import EmptyCell, ReadOnlyCell
from openpyxl.utils import get_column_letter
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.worksheet._read_only import ReadOnlyWorksheet

from kg.errors import ImportFailed
from kg.importers.zip_bounds import require_bounded

LAST_ROW = 1_048_576
"""The last row that a spreadsheet may number (ECMA-376); a file that claims more is refused."""

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


@dataclass(frozen=True, slots=True)
class Row:
    """One row that holds something: its number as spreadsheets count, its cells ("" where empty), its error cells."""

    number: int
    cells: tuple[str, ...]
    errors: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """The first sheet of a workbook; ``others`` are the names of the sheets that were not read."""

    name: str
    rows: tuple[Row, ...]
    others: tuple[str, ...] = ()


def read_sheet(path: Path, columns: int) -> Sheet:
    """The first ``columns`` columns of a workbook's first sheet, without rows that hold nothing.

    Raises ImportFailed for a file that is no workbook, or one that unpacks to more than ``zip_bounds`` allows.
    """
    try:
        _refuse_old(path)
        require_bounded(path)
        with warnings.catch_warnings():
            # openpyxl warns of styles and validations that it does not keep; nothing of them is read here.
            warnings.simplefilter("ignore")
            return _read(path, columns)
    except (
        InvalidFileException,
        KeyError,
        ValueError,
        TypeError,
        IndexError,
        ParseError,
        DefusedXmlException,
    ) as error:
        raise ImportFailed(f"not a readable workbook: {error}") from error
    except OSError as error:
        raise ImportFailed(f"cannot be read: {error.strerror or error}") from error


def column_name(index: int, role: str) -> str:
    """A column for a message.

    >>> column_name(4, "tail")
    'E (tail)'
    """
    return f"{get_column_letter(index + 1)} ({role})"


def _refuse_old(path: Path) -> None:
    with path.open("rb") as stream:
        if stream.read(len(_OLE)) == _OLE:
            raise ImportFailed("an old .xls workbook or one with a password: save it as .xlsx without one")


def _read(path: Path, columns: int) -> Sheet:
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    try:
        sheets = [sheet for sheet in book.worksheets if isinstance(sheet, ReadOnlyWorksheet)]
        if not sheets:
            raise ImportFailed("the workbook holds no sheet of cells")
        sheet, *others = sheets
        # Some writers declare a used range smaller than the cells that follow.
        sheet.reset_dimensions()
        return Sheet(sheet.title, tuple(_rows(sheet, columns)), tuple(other.title for other in others))
    finally:
        book.close()


def _rows(sheet: ReadOnlyWorksheet, columns: int) -> Iterator[Row]:
    # openpyxl's stubs give the rows of a read-only sheet the type of a writable one.
    rows: Iterable[tuple[ReadOnlyCell | EmptyCell, ...]] = cast(Any, sheet).iter_rows(min_col=1, max_col=columns)
    for number, cells in enumerate(rows, start=1):
        if number > LAST_ROW:
            raise ImportFailed(f"a row claims a number beyond {LAST_ROW}")
        texts = tuple(_text(cell.value) for cell in cells)
        if any(texts):
            errors = tuple(index for index, cell in enumerate(cells) if cell.data_type == "e")
            yield Row(number, texts + ("",) * (columns - len(texts)), errors)


def _text(value: object) -> str:
    """A cell's value as the text that the sheet shows, without number formats.

    >>> _text(None), _text(360), _text(360.0), _text(True), _text(datetime.datetime(2018, 1, 26))
    ('', '360', '360', 'TRUE', '2018-01-26')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    return str(value)
