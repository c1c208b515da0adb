"""D9: a workbook of half a megabyte unpacked to half a gigabyte; and honest workbooks were refused for a ratio.

Members and unpacked bytes are bounded while they are unpacked, whatever the archive declares; ratios are not looked at.
"""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.errors import ImportFailed
from kg.importers.cells import read_sheet
from kg.importers.workbook import WorkbookFolder
from kg.importers.zip_bounds import Bounds, require_bounded
from kg.report import ImportReport

Run = Callable[..., tuple[set[ox.Quad], ImportReport]]
MIB = 1 << 20


def archive(path: Path, members: dict[str, int]) -> Path:
    """A zip of members of zeros, of the given sizes in bytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as writer:
        for name, size in members.items():
            with writer.open(name, "w", force_zip64=True) as stream:
                for start in range(0, size, MIB):
                    stream.write(bytes(min(MIB, size - start)))
    return path


def test_one_member_may_not_be_too_large(tmp_path: Path) -> None:
    bomb = archive(tmp_path / "bomb.xlsx", {"xl/worksheets/sheet1.xml": 3 * MIB})
    assert bomb.stat().st_size < 10_000
    with pytest.raises(ImportFailed, match=r"sheet1\.xml unpacks to more than 2 MiB"):
        require_bounded(bomb, Bounds(member_bytes=2 * MIB))


def test_all_members_together_may_not_be_too_large(tmp_path: Path) -> None:
    bomb = archive(tmp_path / "bomb.xlsx", {f"part{number}.xml": MIB for number in range(5)})
    with pytest.raises(ImportFailed, match="unpacks to more than 4 MiB"):
        require_bounded(bomb, Bounds(total_bytes=4 * MIB))
    require_bounded(bomb, Bounds(total_bytes=5 * MIB))


def test_there_may_not_be_too_many_members(tmp_path: Path) -> None:
    bomb = archive(tmp_path / "bomb.xlsx", {f"part{number}.xml": 1 for number in range(11)})
    with pytest.raises(ImportFailed, match="11 members, more than 10"):
        require_bounded(bomb, Bounds(members=10))


def test_a_bomb_costs_its_workbook_alone(
    tmp_path: Path, write_workbook: Callable[..., Path], run_importer: Run
) -> None:
    header = ("Head", "Relation", "Information", "Condition", "Tail")
    for topic in ("Zinogre", "Tigrex"):
        write_workbook(
            tmp_path / topic / "Relations.xlsx", [header, (topic, "has attack action of", None, None, "Bite")]
        )
        write_workbook(tmp_path / topic / "Node.xlsx", [("Name",), ("Bite",)])
    archive(tmp_path / "Tigrex" / "Node.xlsx", {"[Content_Types].xml": 130 * MIB})
    quads, report = run_importer(WorkbookFolder(), tmp_path)
    assert [(r.file, r.reason) for r in report.rejected] == [
        ("Tigrex/Node.xlsx", "[Content_Types].xml unpacks to more than 128 MiB")
    ]
    subjects = {q.subject for q in quads}
    assert {ox.NamedNode(f"http://example.org/id/{topic}/bite") for topic in ("zinogre", "tigrex")} <= subjects


def test_an_honest_workbook_is_read_whatever_its_ratio(tmp_path: Path, write_workbook: Callable[..., Path]) -> None:
    path = write_workbook(tmp_path / "honest.xlsx", [("the same words again " * 50,) for _ in range(4000)])
    with zipfile.ZipFile(path) as reader:
        unpacked = sum(member.file_size for member in reader.infolist())
    assert unpacked > 50 * path.stat().st_size
    assert len(read_sheet(path, 5).rows) == 4000


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut off", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old", b"<html>"])
def test_what_is_no_workbook_says_so(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.xlsx").write_bytes(content)
    with pytest.raises(ImportFailed):
        read_sheet(tmp_path / "a.xlsx", 5)


def test_a_sheet_of_nested_entities_is_refused(tmp_path: Path, write_workbook: Callable[..., Path]) -> None:
    path = write_workbook(tmp_path / "plain.xlsx", [("a",)])
    lol = '<!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;">]>'
    bomb = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path) as reader, zipfile.ZipFile(bomb, "w") as writer:
        for member in reader.infolist():
            data = reader.read(member)
            if member.filename == "xl/worksheets/sheet1.xml":
                text = data.decode("utf-8")
                text = text[text.index("<worksheet") :].replace("<v>", "<v>&b;")
                data = (lol + text).encode("utf-8")
            writer.writestr(member.filename, data)
    with pytest.raises(ImportFailed, match="not a readable workbook"):
        read_sheet(bomb, 5)
