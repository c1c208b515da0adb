"""D1: real names such as "NA", "None", "null" and "nan" were read as empty cells, and numbers as numbers.

A cell is the text that a person typed; only a cell that holds nothing is empty.
"""

from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.importers.triples import TripleTable
from kg.importers.workbook import WorkbookFolder
from kg.report import ImportReport
from ontology import terms

Run = Callable[..., tuple[set[ox.Quad], ImportReport]]
NAMES = ("NA", "None", "null", "nan", "N/A", "#N/A", "TRUE", "0")


@pytest.mark.parametrize("name", [name for name in NAMES if name != "#N/A"])  # openpyxl writes that as an error
def test_such_a_name_in_a_workbook_is_a_name(
    tmp_path: Path, write_workbook: Callable[..., Path], run_importer: Run, name: str
) -> None:
    header = ("Head", "Relation", "Information", "Condition", "Tail")
    edge = ("Zinogre", "has attack action of", None, None, name)
    write_workbook(tmp_path / "Zinogre" / "Relations.xlsx", [header, edge])
    write_workbook(tmp_path / "Zinogre" / "Node.xlsx", [("Name",), (name, None, None, "It moves.", "null")])
    quads, report = run_importer(WorkbookFolder(), tmp_path)
    assert not report.rejected
    labels = {q.object for q in quads if q.predicate == terms.RDFS_LABEL}
    assert ox.Literal(name) in labels
    assert ox.Literal("null") in {q.object for q in quads if q.predicate == terms.CONTEXT}


def test_a_number_is_the_text_of_its_digits(
    tmp_path: Path, write_workbook: Callable[..., Path], run_importer: Run
) -> None:
    header = ("Head", "Relation", "Information", "Condition", "Tail")
    write_workbook(
        tmp_path / "Zinogre" / "Relations.xlsx", [header, ("Zinogre", "has attack action of", 1.5, None, 360)]
    )
    write_workbook(tmp_path / "Zinogre" / "Node.xlsx", [("Name",), (360, None, None, None, 0)])
    quads, report = run_importer(WorkbookFolder(), tmp_path)
    assert not report.rejected
    number = ox.NamedNode("http://example.org/id/zinogre/360")
    about = {(q.predicate, q.object) for q in quads if q.subject == number}
    assert (terms.RDFS_LABEL, ox.Literal("360")) in about
    assert (terms.CONTEXT, ox.Literal("0")) in about
    assert ox.Literal("1.5") in {q.object for q in quads if q.predicate == terms.INFORMATION}


def test_a_spreadsheet_error_is_no_name(tmp_path: Path, write_workbook: Callable[..., Path], run_importer: Run) -> None:
    header = ("Head", "Relation", "Information", "Condition", "Tail")
    rows = [header, ("Zinogre", "has attack action of", None, None, "#N/A"), ("Zinogre", "cause", None, None, "Spark")]
    write_workbook(tmp_path / "Zinogre" / "Relations.xlsx", rows)
    write_workbook(tmp_path / "Zinogre" / "Node.xlsx", [("Name",), ("Spark",)])
    _quads, report = run_importer(WorkbookFolder(), tmp_path)
    assert [(r.file, r.sheet, r.row, r.column) for r in report.rejected] == [
        ("Zinogre/Relations.xlsx", "Sheet1", 2, "E (tail)")
    ]


@pytest.mark.parametrize("name", NAMES)
def test_such_a_name_in_a_table_is_a_name(tmp_path: Path, run_importer: Run, name: str) -> None:
    (tmp_path / "graph.csv").write_text(f"Namibia,has code,{name}\nChad,has code,TD\n", encoding="utf-8")
    quads, report = run_importer(TripleTable(), tmp_path / "graph.csv")
    assert not report.rejected
    assert ox.Literal(name) in {q.object for q in quads if q.predicate == terms.RDFS_LABEL}
