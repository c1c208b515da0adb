"""D11: an image folder that was missing, empty or too long a name stopped the import, or a wrong file was taken.

The import works without media, takes only what a row names, and says how many entities have any.
"""

from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox

from kg.importers.workbook import WorkbookFolder
from kg.report import ImportReport
from ontology import terms

Run = Callable[..., tuple[set[ox.Quad], ImportReport]]
EDGE = ("Zinogre", "has attack action of", None, None)


def source(tmp_path: Path, write_workbook: Callable[..., Path], nodes: list[tuple[object, ...]]) -> Path:
    """One sub-graph with these rows in Node.xlsx and an edge to each of its attacks."""
    write_workbook(tmp_path / "Zinogre" / "Node.xlsx", [("Name",), *nodes])
    names = dict.fromkeys(str(row[0]) for row in nodes)
    write_workbook(tmp_path / "Zinogre" / "Relations.xlsx", [("Head", "Relation"), *((*EDGE, name) for name in names)])
    return tmp_path


def test_what_is_missing_is_named_and_counted(
    tmp_path: Path, write_workbook: Callable[..., Path], run_importer: Run
) -> None:
    nodes: list[tuple[object, ...]] = [("Bite", "bite", "bite.mp4"), ("Roar", "roar.png"), ("Slam", "empty"), ("Leap",)]
    images = tmp_path / "Zinogre" / "Knowledge_Images"
    (images / "empty").mkdir(parents=True)
    (images / "roar.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    _quads, report = run_importer(WorkbookFolder(), source(tmp_path, write_workbook, nodes))
    assert not report.rejected
    assert report.media_missing == [
        "Zinogre/Node.xlsx, row 2, column C (video): bite.mp4 (no such file)",
        "Zinogre/Node.xlsx, row 2, column B (image): bite (no such file)",
        "Zinogre/Node.xlsx, row 4, column B (image): empty (an empty folder)",
    ]
    assert report.media_found == 1
    assert "1 of 5 entities have media" in report.notes


def test_without_any_media_folder_the_graph_is_imported(
    tmp_path: Path, write_workbook: Callable[..., Path], run_importer: Run
) -> None:
    quads, report = run_importer(WorkbookFolder(), source(tmp_path, write_workbook, [("Bite", "bite", "bite.mp4")]))
    assert ox.NamedNode("http://example.org/id/zinogre/bite") in {q.subject for q in quads}
    assert not {q for q in quads if q.predicate == terms.HAS_MEDIA}
    assert "0 of 2 entities have media" in report.notes


def test_a_name_too_long_for_the_disk_is_no_crash(
    tmp_path: Path, write_workbook: Callable[..., Path], run_importer: Run
) -> None:
    path = source(tmp_path, write_workbook, [("Bite", "x" * 5000), ("Roar",)])
    _quads, report = run_importer(WorkbookFolder(), path)
    assert report.entities == 3
    assert [(r.row, r.column) for r in report.rejected] == [(2, "B (image)")]


def test_a_file_that_shares_only_its_beginning_is_not_taken(
    tmp_path: Path, write_workbook: Callable[..., Path], run_importer: Run
) -> None:
    images = tmp_path / "Zinogre" / "Knowledge_Images"
    images.mkdir(parents=True)
    (images / "bite2.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    _quads, report = run_importer(WorkbookFolder(), source(tmp_path, write_workbook, [("Bite", "bite")]))
    assert report.media_found == 0
    assert len(report.media_missing) == 1
