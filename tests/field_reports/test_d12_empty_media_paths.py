"""D12: a figure without a path, or a tuple with too few parts, ended the whole batch.

An item that cannot be used is left out with its reason, and the next one is taken.
"""

from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox

from kg.importers.workbook import WorkbookFolder
from kg.report import ImportReport
from ontology import terms

Run = Callable[..., tuple[set[ox.Quad], ImportReport]]


def test_bad_items_are_left_out_one_by_one(
    tmp_path: Path, write_workbook: Callable[..., Path], run_importer: Run
) -> None:
    images = tmp_path / "Zinogre" / "Knowledge_Images"
    (images / "frames").mkdir(parents=True)
    (images / "none.png").write_bytes(b"")
    (images / "pointer.png").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    (images / "frames" / "1.png").write_bytes(b"")
    (images / "frames" / "2.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    nodes = [
        ("Name",),
        ("Blank", " "),
        ("Short",),
        ("None", "none.png"),
        ("Pointer", "pointer.png"),
        ("Frames", "frames"),
    ]
    write_workbook(tmp_path / "Zinogre" / "Node.xlsx", nodes)
    edges = [("Zinogre", "has attack action of", None, None, row[0]) for row in nodes[1:]]
    write_workbook(tmp_path / "Zinogre" / "Relations.xlsx", [("Head",), *edges])
    quads, report = run_importer(WorkbookFolder(), tmp_path)
    assert [(r.row, r.column, r.reason.split(" (")[0]) for r in report.rejected] == [
        (4, "B (image)", "none.png is empty"),
        (5, "B (image)", "pointer.png is a Git LFS pointer: fetch the file itself"),
        (6, "B (image)", "1.png is empty"),
    ]
    assert report.entities == 6
    assert report.media_found == 1
    frame = ox.NamedNode("http://example.org/id/media/Zinogre/Knowledge_Images/frames/2.png")
    zero = ox.Literal("0", datatype=terms.term("xsd:nonNegativeInteger"))
    assert (frame, terms.FRAME_INDEX, zero) in {(q.subject, q.predicate, q.object) for q in quads}
