"""A large file loaded in parts gives the same graph and the same errors as in one piece."""

from itertools import pairwise
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg import line_parts
from kg.errors import ImportFailed
from kg.home import Home
from kg.importing import import_path
from kg.line_parts import Part, parts_of
from ontology.terms import source_graph

LINE = "<http://example.org/{0}> <http://example.org/p> <http://example.org/{1}> .\n"


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_parts, "LEAST_BYTES", 1000)
    monkeypatch.setattr(line_parts, "processors", lambda: 3)


def write(tmp_path: Path, lines: list[str], *, end: str = "") -> Path:
    path = tmp_path / "g.nt"
    path.write_text("".join(lines) + end)
    return path


def lines() -> list[str]:
    return [LINE.format(number, number * 7) for number in range(1000)]


def test_parts_cover_the_file_and_end_at_line_ends(tmp_path: Path) -> None:
    path = write(tmp_path, lines(), end="# the last line has no end")
    parts = parts_of(path)
    assert len(parts) == 3
    assert parts[0].start == 0
    assert parts[-1].end == path.stat().st_size
    assert all(one.end == other.start for one, other in pairwise(parts))
    data = path.read_bytes()
    assert all(data[part.start - 1 : part.start] == b"\n" for part in parts[1:])


@pytest.mark.parametrize(
    "text", ["", "\n", LINE.format("a", "b"), LINE.format("a" * 5000, "b"), "_:a <http://e.org/p> _:b .\n" * 300]
)
def test_small_files_single_lines_and_blank_nodes_are_one_part(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, [text])
    assert parts_of(path) == [Part(0, len(text))]


def test_a_file_in_parts_is_the_same_graph(tmp_path: Path) -> None:
    path = write(tmp_path, lines(), end=lines()[0].rstrip("\n"))
    home = Home(tmp_path / "home")
    report = import_path(home, path, strict=True)
    with home.snapshot() as snapshot:
        held = {quad.triple for quad in snapshot.store.quads_for_pattern(None, None, None, source_graph("g"))}
    assert held == {quad.triple for quad in ox.parse(path=path)}
    assert report.triples == 1000


@pytest.mark.parametrize("number", [0, 1, 499, 998, 999])
def test_a_bad_line_is_named_by_its_place_in_the_whole_file(tmp_path: Path, number: int) -> None:
    broken = lines()
    broken[number] = "this is no triple\n"
    path = write(tmp_path, broken)
    home = Home(tmp_path / "home")
    with pytest.raises(ImportFailed, match=rf"g\.nt, line {number + 1}: "):
        import_path(home, path, strict=True)
    assert home.current() is None
    report = import_path(home, path)
    assert [rejection.row for rejection in report.rejected] == [number + 1]
    assert report.triples == 999


def test_the_first_of_several_bad_lines_is_named(tmp_path: Path) -> None:
    broken = lines()
    broken[300] = broken[900] = "this is no triple\n"
    with pytest.raises(ImportFailed, match="line 301"):
        import_path(Home(tmp_path / "home"), write(tmp_path, broken), strict=True)
