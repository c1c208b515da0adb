"""D2: a row without a tail gave an IRI called "null" or "nan", or stopped the run.

Such a row is rejected, with its file, sheet, row, column and the reason; the other rows are imported.
"""

from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.errors import ImportFailed
from kg.importers.triples import TripleTable
from kg.importers.workbook import WorkbookFolder
from kg.report import ImportReport

Run = Callable[..., tuple[set[ox.Quad], ImportReport]]
ID = "http://example.org/id/"


@pytest.fixture
def folder(tmp_path: Path, write_workbook: Callable[..., Path]) -> Path:
    """A sub-graph in whose edges each needed cell is missing once, once by white space."""
    edges = [
        ("Head", "Relation", "Information", "Condition", "Tail"),
        ("Zinogre", "has attack action of", None, None, None),
        (None, "has attack action of", None, None, "Bite"),
        ("Zinogre", "  ", None, None, "Bite"),
        ("Zinogre", "has attack action of", None, None, "Bite"),
    ]
    write_workbook(tmp_path / "Zinogre" / "Relations.xlsx", edges)
    write_workbook(
        tmp_path / "Zinogre" / "Node.xlsx", [("Name",), ("Bite",), (None, None, None, "A description", None)]
    )
    return tmp_path


def test_a_row_with_a_missing_cell_is_named(folder: Path, run_importer: Run) -> None:
    _quads, report = run_importer(WorkbookFolder(), folder)
    assert [(r.file, r.sheet, r.row, r.column, r.reason) for r in report.rejected] == [
        ("Zinogre/Node.xlsx", "Sheet1", 3, "A (name)", "the name is missing"),
        ("Zinogre/Relations.xlsx", "Sheet1", 2, "E (tail)", "the tail is missing"),
        ("Zinogre/Relations.xlsx", "Sheet1", 3, "A (head)", "the head is missing"),
        ("Zinogre/Relations.xlsx", "Sheet1", 4, "B (relation)", "the relation is missing"),
    ]
    assert "Zinogre/Relations.xlsx, sheet Sheet1, row 2, column E (tail): the tail is missing" in report.as_text()


def test_the_other_rows_are_imported_and_nothing_is_called_null(folder: Path, run_importer: Run) -> None:
    quads, report = run_importer(WorkbookFolder(), folder)
    assert report.rows_read == 6
    assert report.entities == 2
    parts = {q.subject.value.rsplit("/", 1)[-1] for q in quads if isinstance(q.subject, ox.NamedNode)}
    assert "bite" in parts
    assert not parts & {"null", "nan", "none", ""}


def test_strict_stops_instead(folder: Path, run_importer: Run) -> None:
    with pytest.raises(ImportFailed, match="the name is missing"):
        run_importer(WorkbookFolder(), folder, strict=True)


def test_a_table_of_triples_does_the_same(tmp_path: Path, run_importer: Run) -> None:
    (tmp_path / "graph.csv").write_text("a,knows,b\na,knows,\na,,b\na\n,knows,b\nb,knows,c\n", encoding="utf-8")
    quads, report = run_importer(TripleTable(), tmp_path / "graph.csv")
    assert [(r.file, r.row, r.column) for r in report.rejected] == [
        ("graph.csv", 2, "tail"),
        ("graph.csv", 3, "relation"),
        ("graph.csv", 4, None),
        ("graph.csv", 5, "head"),
    ]
    assert report.entities == 3
    assert ox.NamedNode(f"{ID}c") in {q.subject for q in quads}
