"""D10: a path in a graph such as ``../../etc/passwd`` read, wrote or deleted outside the data folder.

A media path is resolved and must stay inside the folder of the source, links included; else it is refused by name, and
the rest is imported.
"""

from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.importers.workbook import WorkbookFolder
from kg.report import ImportReport
from ontology import terms

Run = Callable[..., tuple[set[ox.Quad], ImportReport]]
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def source(tmp_path: Path, write_workbook: Callable[..., Path]) -> Callable[[str], Path]:
    """Writes a source whose one attack names a picture by the given path; a secret stands outside the source."""
    (tmp_path / "secret.png").write_bytes(PNG + b"secret")
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "1.png").write_bytes(PNG + b"secret")

    def write(value: str) -> Path:
        folder = tmp_path / "data" / "Zinogre"
        nodes = [("Name",), ("Bite", value, None, "Zinogre bites.", None), ("Roar", "good.png")]
        write_workbook(folder / "Node.xlsx", nodes)
        edges = [("Head", "Relation"), *(("Zinogre", "has attack action of", None, None, n) for n in ("Bite", "Roar"))]
        write_workbook(folder / "Relations.xlsx", edges)
        (folder / "Knowledge_Images").mkdir(exist_ok=True)
        (folder / "Knowledge_Images" / "good.png").write_bytes(PNG)
        return tmp_path / "data"

    return write


@pytest.mark.parametrize(
    "value",
    [
        "../../../secret.png",
        "..\\..\\..\\secret.png",
        "../../../vault",
        "/etc/passwd",
        "C:\\Windows\\win.ini",
        "bite/../../../../secret.png",
    ],
)
def test_a_path_out_of_the_source_is_refused_by_name(
    source: Callable[[str], Path], run_importer: Run, value: str
) -> None:
    quads, report = run_importer(WorkbookFolder(), source(value))
    assert [(r.file, r.sheet, r.row, r.column) for r in report.rejected] == [
        ("Zinogre/Node.xlsx", "Sheet1", 2, "B (image)")
    ]
    assert repr(value) in report.rejected[0].reason
    assert report.media_found == 1
    bite = {q.predicate for q in quads if q.subject == ox.NamedNode("http://example.org/id/zinogre/bite")}
    assert terms.HAS_CAPTION in bite
    assert terms.HAS_MEDIA not in bite


def test_a_link_out_of_the_source_is_refused(source: Callable[[str], Path], run_importer: Run, tmp_path: Path) -> None:
    root = source("link.png")
    (root / "Zinogre" / "Knowledge_Images" / "link.png").symlink_to(tmp_path / "secret.png")
    _quads, report = run_importer(WorkbookFolder(), root)
    assert [(r.row, r.column) for r in report.rejected] == [(2, "B (image)")]
    assert report.media_found == 1


def test_a_link_out_of_a_folder_of_frames_is_left_out(
    source: Callable[[str], Path], run_importer: Run, tmp_path: Path
) -> None:
    root = source("frames")
    frames = root / "Zinogre" / "Knowledge_Images" / "frames"
    frames.mkdir()
    (frames / "1.png").write_bytes(PNG + b"1")
    (frames / "2.png").symlink_to(tmp_path / "secret.png")
    (frames / "more").symlink_to(tmp_path / "vault")
    quads, report = run_importer(WorkbookFolder(), root)
    urls = {q.object for q in quads if q.predicate == terms.CONTENT_URL}
    prefix = "Zinogre/Knowledge_Images"
    assert urls == {ox.Literal(f"{prefix}/frames/1.png"), ox.Literal(f"{prefix}/good.png")}
    assert report.media_found == 2


def test_a_linked_workbook_is_not_read(source: Callable[[str], Path], run_importer: Run, tmp_path: Path) -> None:
    root = source("good.png")
    nodes = root / "Zinogre" / "Node.xlsx"
    nodes.rename(tmp_path / "elsewhere.xlsx")
    nodes.symlink_to(tmp_path / "elsewhere.xlsx")
    _quads, report = run_importer(WorkbookFolder(), root)
    assert [(r.file, r.reason) for r in report.rejected] == [
        ("Zinogre/Node.xlsx", "a link that leads out of the folder of the source")
    ]


def test_a_path_that_stays_inside_is_followed(source: Callable[[str], Path], run_importer: Run) -> None:
    _quads, report = run_importer(WorkbookFolder(), source("../Knowledge_Images/good.png"))
    assert not report.rejected
    assert not report.media_missing
