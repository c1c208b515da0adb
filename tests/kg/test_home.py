"""A home: generations, the switch between them, and what a kill leaves."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.errors import StoreError, StoreLocked
from kg.home import Home
from ontology.terms import INFERRED_GRAPH, SOURCES_GRAPH, source_graph

GRAPH = source_graph("test")
EX = "http://example.org/"
COUNT = "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"


def quad(subject: str, value: str, graph: ox.NamedNode = GRAPH) -> ox.Quad:
    return ox.Quad(ox.NamedNode(EX + subject), ox.NamedNode(EX + "p"), ox.Literal(value), graph)


def values(home: Home) -> set[str]:
    rows = home.reader().select("SELECT ?o WHERE { ?s ?p ?o }")
    return {row["o"].value for row in rows if isinstance(row["o"], ox.Literal)}


def write(home: Home, *quads: ox.Quad) -> None:
    with home.write() as draft:
        draft.add(quads)


def generations(home: Home) -> set[str]:
    return {path.name for path in (home.path / "generations").iterdir() if path.is_dir()}


def test_an_empty_home_reads_as_an_empty_graph(tmp_path: Path) -> None:
    home = Home(tmp_path / "none")
    assert home.current() is None
    assert len(home.reader()) == 0
    assert not home.path.exists()


def test_a_write_is_seen_by_readers_who_come_after_it_only(tmp_path: Path) -> None:
    home = Home(tmp_path)
    write(home, quad("a", "one"))
    before = home.reader(in_memory_quads=0)
    write(home, quad("b", "two"))
    write(home, quad("c", "three"))
    assert int(before.select(COUNT)[0]["n"].value) == 1  # type: ignore[union-attr]
    assert values(home) == {"one", "two", "three"}


def test_a_failed_write_changes_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    home = Home(tmp_path)
    write(home, quad("a", "one"))

    def quads() -> object:
        yield quad("b", "two")
        raise RuntimeError("row 2 is bad")

    with pytest.raises(RuntimeError, match="row 2"), home.write() as draft:
        draft.add(quads())  # type: ignore[arg-type]
    assert values(home) == {"one"}
    assert generations(home) == {"1"}


def test_old_generations_go_with_the_next_write_unless_someone_reads_them(tmp_path: Path) -> None:
    home = Home(tmp_path)
    write(home, quad("a", "one"))
    snapshot = home.snapshot()
    for number in range(4):
        write(home, quad("b", str(number)))
    assert "1" in generations(home)
    assert len(snapshot.store) == 1
    snapshot.close()
    write(home, quad("c", "last"))
    assert len(generations(home)) == 2


def test_a_second_writer_is_told_who_holds_the_home(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with (
        home.write(),
        pytest.raises(StoreLocked, match=f"process {os.getpid()}: wait"),
        Home(tmp_path).write(),
    ):
        pass


def test_a_pointer_to_nothing_is_an_error_that_names_the_generation(tmp_path: Path) -> None:
    home = Home(tmp_path)
    write(home, quad("a", "one"))
    (tmp_path / "CURRENT").write_text("41\n")
    with pytest.raises(StoreError, match="generation 41"):
        home.snapshot()
    (tmp_path / "CURRENT").write_text("what?\n")
    with pytest.raises(StoreError, match=r"is .* a Scoutfly home"):
        home.snapshot()


def test_a_home_that_is_a_file_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("")
    with pytest.raises(StoreError, match="cannot be written to"), Home(path).write():
        pass


@pytest.mark.parametrize("in_memory_quads", [0, 1000])
def test_readers_see_no_notes_on_sources_where_nothing_is_inferred(tmp_path: Path, in_memory_quads: int) -> None:
    home = Home(tmp_path)
    write(home, quad("a", "asserted", source_graph("one")), quad("a", "note", SOURCES_GRAPH))
    rows = home.reader(in_memory_quads=in_memory_quads).select("SELECT ?o WHERE { ?s ?p ?o }")
    assert [row["o"].value for row in rows] == ["asserted"]  # type: ignore[union-attr]


@pytest.mark.parametrize("in_memory_quads", [0, 1000])
def test_readers_see_asserted_graphs_as_one_and_no_closure(tmp_path: Path, in_memory_quads: int) -> None:
    home = Home(tmp_path)
    write(
        home,
        quad("a", "asserted"),
        quad("a", "other", source_graph("other")),
        quad("a", "closure", INFERRED_GRAPH),
        quad("a", "note", SOURCES_GRAPH),
    )
    reader = home.reader(in_memory_quads=in_memory_quads)
    rows = reader.select("SELECT ?o WHERE { ?s ?p ?o }")
    assert sorted(row["o"].value for row in rows) == ["asserted", "other"]  # type: ignore[union-attr]


def test_removing_a_large_graph_keeps_the_others_whole(tmp_path: Path) -> None:
    home = Home(tmp_path)
    other = source_graph("other")
    node = ox.BlankNode()
    linked = [
        ox.Quad(node, ox.NamedNode(EX + "p"), ox.Literal("x"), other),
        ox.Quad(ox.NamedNode(EX + "a"), ox.NamedNode(EX + "q"), node, INFERRED_GRAPH),
    ]
    write(home, *linked, *(quad(f"n{number}", str(number)) for number in range(25_000)))
    with home.write() as draft:
        draft.remove_graphs([GRAPH])
        draft.add([quad("a", "new")])
    with home.snapshot() as snapshot:
        assert len(snapshot.store) == 3
        assert set(snapshot.store.quads_for_pattern(None, None, None, other)) == {linked[0]}
        assert set(snapshot.store.quads_for_pattern(None, None, None, INFERRED_GRAPH)) == {linked[1]}


WRITER = """
import itertools, os, signal, sys
import pyoxigraph as ox
from pathlib import Path
import kg.home
from ontology.terms import source_graph

path, kill_at_sync = Path(sys.argv[1]), int(sys.argv[2])
calls, real_sync = itertools.count(), kg.home._sync

def sync(target):
    if 0 <= kill_at_sync <= next(calls):  # not ==, which the extra step below can jump over
        os.kill(os.getpid(), signal.SIGKILL)
    real_sync(target)

kg.home._sync = sync
graph, node = source_graph("test"), ox.NamedNode("http://example.org/p")
for number in itertools.count(int(sys.argv[3])):
    print("begin", number, flush=True)
    with kg.home.Home(path).write() as draft:
        draft.remove_graphs([graph])
        draft.add(ox.Quad(ox.NamedNode(f"http://example.org/{i}"), node, ox.Literal(str(number)), graph) for i in
        range(2000))
    print("done", number, flush=True)
    if kill_at_sync >= 0:
        next(calls)
"""


def assert_whole(home: Home, *, least: int, most: int) -> int:
    """Every triple is of one and the same write, none before ``least`` or after ``most``; gives that write's number."""
    rows = home.reader().select("SELECT ?o (COUNT(*) AS ?n) WHERE { ?s ?p ?o } GROUP BY ?o")
    assert len(rows) == 1
    assert rows[0]["n"] == ox.Literal(2000)
    number = int(rows[0]["o"].value)  # type: ignore[union-attr]
    assert least <= number <= most
    return number


def start_writer(path: Path, *, kill_at_sync: int, number: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WRITER, str(path), str(kill_at_sync), str(number)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])


def test_a_kill_at_any_moment_leaves_the_graph_as_before_or_as_after(tmp_path: Path) -> None:
    home, number = Home(tmp_path), 0
    for delay_s in (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.13):
        with start_writer(tmp_path, kill_at_sync=-1, number=number) as writer:
            assert writer.stdout is not None
            finished = -1
            while finished < number:  # one whole write, so that there is a "before"
                word, at = writer.stdout.readline().split()
                finished = int(at) if word == "done" else finished
            time.sleep(delay_s)
            writer.send_signal(signal.SIGKILL)
            said = [line.split() for line in writer.stdout.read().splitlines() if len(line.split()) == 2]
        finished = max([finished, *(int(at) for word, at in said if word == "done")])
        number = assert_whole(home, least=finished, most=finished + 1) + 1


def test_a_kill_between_any_two_steps_of_publishing_leaves_before_or_after(tmp_path: Path) -> None:
    seen = set()
    with start_writer(tmp_path, kill_at_sync=-1, number=0) as writer:
        assert writer.stdout is not None
        while writer.stdout.readline().split() != ["done", "0"]:
            pass
        writer.send_signal(signal.SIGKILL)
    current = assert_whole(Home(tmp_path), least=0, most=10**6)
    for step in range(200):
        with start_writer(tmp_path, kill_at_sync=step, number=current + 1) as writer:
            assert writer.stdout is not None
            said = writer.stdout.read().splitlines()
        assert writer.returncode == -signal.SIGKILL
        published = [line for line in said if line.startswith("done")]
        after = assert_whole(Home(tmp_path), least=current, most=current + 1 + len(published))
        seen.add("after" if after > current else "before")
        current = after
        if published:  # every step of one whole publication has been a moment of death
            break
    assert seen == {"before", "after"}


def test_a_damaged_generation_is_an_error_of_the_store(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    for number in range(2):
        with home.write() as draft:
            draft.add([quad(str(number), "x")])
    for table in tmp_path.glob("home/generations/*/*.sst"):
        table.write_bytes(table.read_bytes()[:10])
    with pytest.raises(StoreError, match="cannot be opened"), home.write():
        pass
    with pytest.raises(StoreError, match="cannot be opened"):
        home.snapshot()
