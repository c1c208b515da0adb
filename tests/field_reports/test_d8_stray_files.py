"""D8: a ``.DS_Store`` beside the data folders was taken for one of them, as lock files were for workbooks.

Only folders that hold the expected workbooks count; dot files, lock files and other things are passed over.
"""

from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox

from kg.importers.subgraphs import SubgraphFolder
from kg.importers.triples import TripleFolder
from kg.importers.workbook import WorkbookFolder
from kg.report import ImportReport

Run = Callable[..., tuple[set[ox.Quad], ImportReport]]


def test_only_the_expected_workbooks_are_read(
    tmp_path: Path, write_workbook: Callable[..., Path], run_importer: Run
) -> None:
    mmkg = tmp_path / "mmkg"
    write_workbook(mmkg / "Zinogre" / "Node.xlsx", [("Name",), ("Zinogre", None, None, None, "A wyvern.")])
    write_workbook(
        mmkg / "Zinogre" / "Relations.xlsx",
        [("Head", "Relation"), ("Zinogre", "has attack action of", None, None, "Bite")],
    )
    plain, _report = run_importer(WorkbookFolder(), tmp_path)
    (mmkg / ".DS_Store").write_bytes(b"\x00\x00\x00\x01Bud1")
    (mmkg / "kg_offline_model.json").write_text("{}", encoding="utf-8")
    (mmkg / "__MACOSX").mkdir()
    (mmkg / "pictures").mkdir()
    write_workbook(mmkg / ".Trash" / "Node.xlsx", [("Name",), ("Ghost",)])
    (mmkg / "Zinogre" / "~$Node.xlsx").write_bytes(b"\x05Owner")
    (mmkg / "Zinogre" / "._Node.xlsx").write_bytes(b"\x00\x05\x16\x07")
    quads, report = run_importer(WorkbookFolder(), tmp_path)
    assert quads == plain
    assert not report.rejected
    assert [path.name for path in WorkbookFolder().files(tmp_path)] == ["Node.xlsx", "Relations.xlsx"]


def test_hidden_files_are_no_frames(tmp_path: Path, write_workbook: Callable[..., Path], run_importer: Run) -> None:
    frames = tmp_path / "Zinogre" / "Knowledge_Images" / "bite"
    frames.mkdir(parents=True)
    (frames / "1.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (frames / ".DS_Store").write_bytes(b"\x00\x00\x00\x01Bud1")
    write_workbook(tmp_path / "Zinogre" / "Node.xlsx", [("Name",), ("Bite", "bite"), ("Bite", "bite")])
    write_workbook(
        tmp_path / "Zinogre" / "Relations.xlsx",
        [("Head", "Relation"), ("Zinogre", "has attack action of", None, None, "Bite")],
    )
    _quads, report = run_importer(WorkbookFolder(), tmp_path)
    assert report.media_found == 1


def test_dot_files_are_no_sub_graphs_and_no_labels(tmp_path: Path) -> None:
    for name in ("dataset.toml", ".dataset.toml.swp", ".zinogre.toml", "~zinogre.toml", "zinogre.toml"):
        (tmp_path / name).write_text("", encoding="utf-8")
    assert [path.name for path in SubgraphFolder().files(tmp_path)] == ["dataset.toml", "zinogre.toml"]
    (tmp_path / ".triples.csv").write_text("a,b,c\n", encoding="utf-8")
    assert not TripleFolder().recognises(tmp_path)
