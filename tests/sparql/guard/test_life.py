"""What becomes of the processes: many threads, killed workers and zygotes, a killed parent, a new generation."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from kg.home import Home
from ontology.terms import source_graph
from sparql.errors import Busy, CannotGuard, GuardError, LimitExceeded
from sparql.guard.pool import WorkerPool
from sparql.guard.requests import QueryRequest, UpdateRequest
from tests.sparql.guard.stage import TIGHT, fill, quad

COUNT = QueryRequest("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", solutions_type="text/csv")
LONG = QueryRequest("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }")


def _descendants(pid: int) -> dict[int, int]:
    """Process → its parent, of all below ``pid``, zombies included."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    found: dict[int, int] = {}
    while more := {
        child: parent for child, parent in parents.items() if parent in (pid, *found) and child not in found
    }:
        found.update(more)
    return found


def _wait_for(condition: Callable[[], object], *, timeout_s: float = 5) -> None:
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.01)


def _open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_many_threads_get_their_own_answers(pool: WorkerPool) -> None:
    def ask(number: int) -> bool:
        query = f'SELECT ("{number}" AS ?x) {{ ?s ?p ?o }} LIMIT {number % 50 + 1}'
        body = pool.query(QueryRequest(query, solutions_type="text/csv")).body.decode()
        return body.split() == ["x", *[str(number)] * (number % 50 + 1)]

    with ThreadPoolExecutor(16) as threads:
        assert all(threads.map(ask, range(1500)))


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    home = fill(tmp_path / "home")
    before, files = _descendants(os.getpid()), _open_files()
    with WorkerPool(home.path, replace(TIGHT, seconds=0.3)) as pool:
        pool.query(COUNT)
        pool.query(replace(COUNT, union=False))
        with pytest.raises(LimitExceeded):
            pool.query(LONG)
        pool.update(UpdateRequest("INSERT DATA { <a:s> <a:p> <a:o> }"))
        pool.query(COUNT)
        during = _descendants(os.getpid())
        assert len(during) > len(before)
        states = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] for pid in during]
        assert "Z" not in states
    assert _descendants(os.getpid()) == before
    assert _open_files() == files
    pool.close()
    with pytest.raises(CannotGuard, match="closed"):
        pool.query(COUNT)


def test_closing_ends_what_runs(tmp_path: Path) -> None:
    pool = WorkerPool(fill(tmp_path / "home").path, replace(TIGHT, seconds=30))
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(pool.query, LONG)
        time.sleep(0.3)
        began = time.monotonic()
        pool.close()
        with pytest.raises(GuardError):
            running.result(timeout=5)
        assert time.monotonic() - began < 1.5


def test_a_killed_worker_is_replaced(own_pool: WorkerPool) -> None:
    own_pool.query(COUNT)
    parents = _descendants(os.getpid())
    leaves = set(parents) - set(parents.values())
    workers = [pid for pid in leaves if b"sparql.guard" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    assert workers
    for pid in workers:  # and no other process of the tests, such as a server that they ask
        os.kill(pid, signal.SIGKILL)
    for _ in range(4):
        assert own_pool.query(COUNT).body.split() == [b"n", b"2002"]


@pytest.mark.parametrize("which", ["nursery", "zygote"])
def test_a_killed_zygote_is_started_again(tmp_path: Path, which: str) -> None:
    before = _descendants(os.getpid())
    with WorkerPool(fill(tmp_path / "home").path, TIGHT) as pool:
        nursery, zygote = _nursery_and_zygote(before)
        os.kill(nursery if which == "nursery" else zygote, signal.SIGKILL)
        assert pool.query(COUNT).body.split() == [b"n", b"2002"]
        pool.update(UpdateRequest("INSERT DATA { <a:s> <a:p> <a:o> }"))
        assert pool.query(COUNT).body.split() == [b"n", b"2003"]
        _wait_for(lambda: zygote not in _all_processes())


def _nursery_and_zygote(before: dict[int, int]) -> tuple[int, int]:
    parents = {pid: parent for pid, parent in _descendants(os.getpid()).items() if pid not in before}
    nursery = next(pid for pid, parent in parents.items() if parent == os.getpid())
    return nursery, next(pid for pid, parent in parents.items() if parent == nursery)


def _all_processes() -> set[int]:
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue
            if state != "Z":
                found.add(int(entry.name))
    return found


def test_a_zygote_that_is_killed_in_the_middle_of_a_query(tmp_path: Path) -> None:
    before = _descendants(os.getpid())
    with WorkerPool(fill(tmp_path / "home").path, replace(TIGHT, seconds=2)) as pool, ThreadPoolExecutor(1) as threads:
        running = threads.submit(pool.query, LONG)
        time.sleep(0.3)
        os.kill(_nursery_and_zygote(before)[0], signal.SIGKILL)
        with pytest.raises(LimitExceeded) as caught:  # asked again, and too long again
            running.result(timeout=10)
        assert caught.value.limit == "time"


def test_a_killed_parent_leaves_no_orphans(tmp_path: Path) -> None:
    fill(tmp_path / "home")
    program = f"""
import sys, threading
from pathlib import Path
from sparql.guard.limits import Limits
from sparql.guard.pool import WorkerPool
from sparql.guard.requests import QueryRequest
pool = WorkerPool(Path({str(tmp_path / "home")!r}), Limits(seconds=60))
text = "SELECT (COUNT(*) AS ?n) {{ ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }}"
threading.Thread(target=pool.query, args=(QueryRequest(text),)).start()
print("ready", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert process.stdout is not None
    with process, process.stdout as output:
        assert output.readline() == b"ready\n"
        time.sleep(0.3)
        descendants = _descendants(process.pid)
        assert len(descendants) >= 4
        process.kill()
        process.wait()
    _wait_for(lambda: not _all_processes() & set(descendants))


def test_a_new_generation_is_followed(own_pool: WorkerPool, tmp_path: Path) -> None:
    assert own_pool.query(COUNT).body.split() == [b"n", b"2002"]
    for number in (1, 2, 3):
        with Home(tmp_path / "home").write() as draft:
            draft.add([quad("new", "is", f"x{number}", source_graph("one"))])
        assert own_pool.query(COUNT).body.split() == [b"n", str(2002 + number).encode()]
    kept = [path.name for path in (tmp_path / "home" / "generations").iterdir() if path.is_dir()]
    assert "1" not in kept


def test_queries_in_flight_end_on_the_old_generation(tmp_path: Path) -> None:
    home = fill(tmp_path / "home")
    query = QueryRequest(
        "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f FILTER(STRLEN(STR(?a)) > 0) }", solutions_type="text/csv"
    )
    with WorkerPool(home.path, replace(TIGHT, seconds=20)) as pool, ThreadPoolExecutor(1) as threads:
        running = threads.submit(pool.query, query)
        time.sleep(0.2)
        assert not running.done()
        pool.update(UpdateRequest("INSERT DATA { <a:s> <a:p> <a:o> }"))
        assert pool.query(COUNT).body.split() == [b"n", b"2003"]
        assert running.result().body.split() == [b"n", str(2002**2).encode()]


def test_a_generation_on_disk_stays_while_it_is_asked(tmp_path: Path) -> None:
    home = fill(tmp_path / "home")
    with WorkerPool(home.path, TIGHT, in_memory_quads=1) as pool:
        for number in range(3):
            with home.write() as draft:
                draft.add([quad("new", "is", f"x{number}", source_graph("one"))])
            assert (home.path / "generations" / str(number + 1)).is_dir()
            assert pool.query(COUNT).body.split() == [b"n", str(2004 + number).encode()]


def test_a_generation_that_cannot_be_read_leaves_the_old_one(
    own_pool: WorkerPool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "home" / "CURRENT").write_text("99\n")
    assert own_pool.query(COUNT).body.split() == [b"n", b"2002"]
    assert "generation 99" in caplog.text


def test_a_home_that_cannot_be_read_is_said_at_once(tmp_path: Path) -> None:
    home = fill(tmp_path / "home")
    (home.path / "CURRENT").write_text("99\n")
    with pytest.raises(CannotGuard, match="generation 99"):
        WorkerPool(home.path, TIGHT)


def test_those_who_come_when_all_places_are_taken_are_told_so(tmp_path: Path) -> None:
    limits = replace(TIGHT, seconds=2, long_running=2, workers=2)
    with WorkerPool(fill(tmp_path / "home").path, limits) as pool, ThreadPoolExecutor(5) as threads:
        running = [threads.submit(pool.query, LONG) for _ in range(5)]
        time.sleep(0.5)
        assert pool.query(COUNT).body.split() == [b"n", b"2002"]
        ends = [type(future.exception()) for future in running]
        assert sorted(end.__name__ for end in ends) == ["Busy"] * 3 + ["LimitExceeded"] * 2


def test_a_second_update_waits_for_the_first_and_then_gives_up(tmp_path: Path) -> None:
    limits = replace(TIGHT, wait_s=0.2, update_seconds=1)
    patterns = "".join(f"?v{i} ?p{i} ?v{i + 1} . " for i in range(1000))
    slow = UpdateRequest(f"DELETE {{ ?v0 ?p0 ?v1 }} WHERE {{ {patterns} }}")
    with WorkerPool(fill(tmp_path / "home").path, limits) as pool, ThreadPoolExecutor(1) as threads:
        first = threads.submit(pool.update, slow)
        time.sleep(0.3)
        with pytest.raises(Busy):
            pool.update(UpdateRequest("INSERT DATA { <a:s> <a:p> <a:o> }"))
        assert isinstance(first.exception(), LimitExceeded)
        assert pool.update(UpdateRequest("INSERT DATA { <a:s> <a:p> <a:o> }")) > 1


@pytest.mark.parametrize("in_memory_quads", [1_000_000, 1])
def test_no_two_workers_draw_the_same_random_numbers(tmp_path: Path, in_memory_quads: int) -> None:
    home = fill(tmp_path / "home")
    with home.write() as draft:
        draft.update("INSERT DATA { _:a <a:p> _:b }", base_iri=None, prefixes={})
    kill = QueryRequest("ASK { ?s ?p " + "(" * 900 + "1" + ")" * 900 + " FILTER(" + "!" * 100_000 + "true) }")
    drawn: list[bytes] = []
    with WorkerPool(home.path, replace(TIGHT, workers=1), in_memory_quads=in_memory_quads) as pool:
        for _ in range(4):
            body = pool.query(QueryRequest("SELECT (UUID() AS ?u) {}", solutions_type="text/csv")).body
            drawn += [body, pool.parse(b"_:a <a:p> 1 .", "text/turtle", base_iri="a:b")]
            with pytest.raises(LimitExceeded):
                pool.query(kill)
    assert len(set(drawn)) == len(drawn)


def test_no_two_updates_draw_the_same_blank_nodes(own_pool: WorkerPool) -> None:
    for number in (1, 2, 3):
        own_pool.update(UpdateRequest(f"INSERT DATA {{ _:a <a:number> {number} }}"))
    query = "SELECT (COUNT(DISTINCT ?s) AS ?n) { ?s <a:number> ?o }"
    assert own_pool.query(QueryRequest(query, solutions_type="text/csv")).body.split() == [b"n", b"3"]


def test_blank_nodes_keep_their_labels_in_memory_and_on_disk(tmp_path: Path) -> None:
    home = fill(tmp_path / "home")
    with home.write() as draft:
        draft.update("INSERT DATA { _:a <a:p> 1 }", base_iri=None, prefixes={})
    labels = set()
    for in_memory_quads in (1_000_000, 1):
        with WorkerPool(home.path, TIGHT, in_memory_quads=in_memory_quads) as pool:
            for union in (True, False):
                query = QueryRequest("SELECT ?s { ?s <a:p> 1 }", solutions_type="text/csv", union=union)
                labels.add(pool.query(query).body)
    assert len(labels) == 1


def test_a_thread_that_ends_takes_no_workers_with_it(tmp_path: Path) -> None:
    pools: list[WorkerPool] = []
    maker = threading.Thread(target=lambda: pools.append(WorkerPool(fill(tmp_path / "home").path, TIGHT)))
    maker.start()
    maker.join()
    with pools[0] as pool:
        assert pool.query(COUNT).body.split() == [b"n", b"2002"]


def test_it_starts_from_any_directory_and_carries_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = fill(tmp_path / "home")
    (tmp_path / "sparql.py").write_text("raise SystemExit('the wrong module')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("SCOUTFLY_TOKEN", "a secret")
    before = _descendants(os.getpid())
    with WorkerPool(Path("home"), TIGHT) as pool:
        assert pool.query(COUNT).body.split() == [b"n", b"2002"]
        nursery, _ = _nursery_and_zygote(before)
        assert b"secret" not in Path(f"/proc/{nursery}/environ").read_bytes()
        assert home.current() == 1
