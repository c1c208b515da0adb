"""D5: rows that only carry borders or fills came through as rows without a name.

Rows that hold nothing are passed over, and the numbers of the rows after them stay those that the spreadsheet shows.
"""

import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pyoxigraph as ox
from openpyxl.styles import Border, Side

from kg.importers.cells import read_sheet
from kg.importers.triples import TripleTable
from kg.importers.workbook import WorkbookFolder
from kg.report import ImportReport

Run = Callable[..., tuple[set[ox.Quad], ImportReport]]


def bordered(path: Path, rows: dict[int, tuple[object, ...]], *, last: int) -> None:
    """Writes rows at the given numbers into a sheet in which every row up to ``last`` has borders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for number in range(1, last + 1):
        for column in range(1, 6):
            sheet.cell(number, column).border = Border(bottom=Side(style="thin"))
    for number, values in rows.items():
        for column, value in enumerate(values, start=1):
            sheet.cell(number, column).value = value  # type: ignore[assignment]
    book.save(path)


def test_empty_rows_are_dropped_and_the_numbers_stay(tmp_path: Path, run_importer: Run) -> None:
    header = ("Head", "Relation", "Information", "Condition", "Tail")
    rows: dict[int, tuple[object, ...]] = {
        1: header,
        4: ("Zinogre", "has attack action of", None, None, "Bite"),
        9: ("Zinogre", "has attack action of", None, None, None),
    }
    bordered(tmp_path / "Zinogre" / "Relations.xlsx", rows, last=40)
    bordered(tmp_path / "Zinogre" / "Node.xlsx", {1: ("Name",), 7: ("Bite",)}, last=20)
    quads, report = run_importer(WorkbookFolder(), tmp_path)
    assert report.rows_read == 3
    assert [(r.row, r.column) for r in report.rejected] == [(9, "E (tail)")]
    assert ox.NamedNode("http://example.org/id/zinogre/bite") in {q.subject for q in quads}


def test_a_sheet_that_declares_too_small_a_range_is_read_whole(tmp_path: Path) -> None:
    bordered(tmp_path / "a.xlsx", {1: ("a",), 3: ("b",), 1000: ("c",)}, last=1)
    with zipfile.ZipFile(tmp_path / "a.xlsx") as reader, zipfile.ZipFile(tmp_path / "b.xlsx", "w") as writer:
        for member in reader.infolist():
            writer.writestr(
                member.filename, reader.read(member).replace(b'<dimension ref="A1:E1000"', b'<dimension ref="A1"')
            )
    assert openpyxl.load_workbook(tmp_path / "b.xlsx", read_only=True).worksheets[0].max_row == 1
    rows = read_sheet(tmp_path / "b.xlsx", 5).rows
    assert [(row.number, row.cells[0]) for row in rows] == [(1, "a"), (3, "b"), (1000, "c")]


def test_blank_lines_of_a_table_do_not_shift_the_numbers(tmp_path: Path, run_importer: Run) -> None:
    (tmp_path / "graph.csv").write_text("a,knows,b\n\n,,\n\na,knows,\n", encoding="utf-8")
    _quads, report = run_importer(TripleTable(), tmp_path / "graph.csv")
    assert report.rows_read == 2
    assert [r.row for r in report.rejected] == [5]
