"""B15: a second process, or a second worker of the same server, cannot open the store; the message names no holder.

Any number of processes read; one writes, while they read; a second writer is told who holds the home.
"""

import os
import subprocess
import sys
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.errors import StoreLocked
from kg.home import Home
from ontology.terms import source_graph

READ = "import sys; from pathlib import Path; from kg.home import Home; {}"
COUNT = "print(len(Home(Path(sys.argv[1])).reader(in_memory_quads=int(sys.argv[2]))))"
WRITE = "\nwith Home(Path(sys.argv[1])).write(): pass"
ROOT = Path(__file__).parents[2]


def other_process(code: str, *words: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", READ.format(code), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


def add(home: Home, name: str) -> None:
    node = ox.NamedNode(f"http://example.org/{name}")
    with home.write() as draft:
        draft.add([ox.Quad(node, node, node, source_graph(name))])


@pytest.mark.parametrize("in_memory_quads", [0, 1000])
def test_several_processes_read_at_once_and_beside_a_writer(tmp_path: Path, in_memory_quads: int) -> None:
    home = Home(tmp_path)
    add(home, "one")
    reader = home.reader(in_memory_quads=in_memory_quads)
    assert other_process(COUNT, tmp_path, in_memory_quads).stdout == "1\n"
    with home.write():
        assert other_process(COUNT, tmp_path, in_memory_quads).stdout == "1\n"
    add(home, "two")
    assert other_process(COUNT, tmp_path, in_memory_quads).stdout == "2\n"
    assert len(reader) == 1


def test_a_second_writer_in_another_process_is_told_the_first_ones_id(tmp_path: Path) -> None:
    home = Home(tmp_path)
    add(home, "one")
    with home.write():
        result = other_process(WRITE, tmp_path)
    assert result.returncode != 0
    assert f"{StoreLocked.__name__}: {tmp_path} is being written to by process {os.getpid()}" in result.stderr


def test_a_dead_writer_holds_nothing(tmp_path: Path) -> None:
    home = Home(tmp_path)
    add(home, "one")
    killed = other_process(WRITE.replace("pass", "import os; os.kill(os.getpid(), 9)"), tmp_path)
    assert killed.returncode == -9
    add(home, "two")
    assert len(home.reader()) == 2
