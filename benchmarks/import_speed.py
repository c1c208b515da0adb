"""Times the import of N-Triples beside ``oxigraph load`` and beside rdflib, each in a process of its own.

Writes its own triples: a tenth are types, a tenth labels, a tenth texts, the rest edges. An import goes into a named
graph, which Oxigraph keeps in six indexes and not in three, so ``oxigraph load --graph``, printed too, is what does
the same work. Exits 1 where an import takes more than 1.3 times as long as the plain command, or is less than 4 times
faster than rdflib. Run ``python benchmarks/import_speed.py [TRIPLES]`` with two processors free: a large file is
loaded in parts, one a processor. A million triples need 2 GB of memory and two minutes.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST = 1.3
LEAST = 4.0

OURS = """
import sys
from pathlib import Path
from kg.home import Home
from kg.importing import import_path
report = import_path(Home(Path(sys.argv[2])), Path(sys.argv[1]))
sys.exit(report.triples != int(sys.argv[3]))
"""
RDFLIB = """
import sys, rdflib
sys.exit(len(rdflib.Graph().parse(sys.argv[1], format="nt")) != int(sys.argv[3]))
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """One run: wall time and processor time in seconds, peak resident memory in MiB."""

    name: str
    wall_s: float
    cpu_s: float
    peak_mib: float


def write_triples(path: Path, count: int) -> int:
    """Write about ``count`` different triples, the same ones every time; returns how many."""
    rng, edges_each = random.Random(7), 7
    entities = max(count // (edges_each + 3), 10)
    written = 0
    with path.open("w", encoding="utf-8") as out:
        for number in range(entities):
            subject = f"<http://example.org/id/entity-{number}>"
            out.write(
                f"{subject} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://example.org/C{number % 50}> .\n"
            )
            out.write(f'{subject} <http://www.w3.org/2000/01/rdf-schema#label> "entity number {number}"@en .\n')
            out.write(
                f'{subject} <http://example.org/text> "what there is to say of number {number}: {rng.random()}" .\n'
            )
            edges = {(rng.randrange(200), rng.randrange(entities)) for _ in range(edges_each)}
            for relation, tail in sorted(edges):
                out.write(f"{subject} <http://example.org/r{relation}> <http://example.org/id/entity-{tail}> .\n")
            written += 3 + len(edges)
    return written


def run(name: str, command: list[str]) -> Measured:
    """Run a command to its end. Raises RuntimeError where it fails."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall_s = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{name} ended with status {process.returncode}")
    return Measured(name, wall_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def measure(folder: Path, count: int) -> dict[str, Measured]:
    """Each of them on the same file, and all but rdflib twice: the faster run counts."""
    source = folder / "triples.nt"
    triples = write_triples(source, count)
    load = [str(Path(sys.executable).with_name("oxigraph")), "load", "-f", str(source)]
    found: dict[str, Measured] = {}
    for turn in range(2):
        for name, command in (
            ("oxigraph load", [*load, "-l", str(folder / f"ox{turn}")]),
            ("  --graph", [*load, "-l", str(folder / f"named{turn}"), "--graph", "http://example.org/g"]),
            ("scoutfly import", [sys.executable, "-c", OURS, str(source), str(folder / f"home{turn}"), str(triples)]),
        ):
            one = run(name, command)
            found[name] = min(found.get(name, one), one, key=lambda measured: measured.wall_s)
    found["rdflib parse"] = run("rdflib parse", [sys.executable, "-c", RDFLIB, str(source), "", str(triples)])
    print(f"{triples} triples, {source.stat().st_size >> 20} MiB of N-Triples")
    return found


def main() -> int:
    """Measure, print, and say by the exit status whether the aims are met."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder), count)
    for one in found.values():
        print(f"{one.name:16} {one.wall_s:7.2f} s  processor {one.cpu_s:7.2f} s  peak {one.peak_mib:6.0f} MiB")
    ours = found["scoutfly import"]
    ratios = {name: ours.wall_s / found[name].wall_s for name in ("  --graph", "oxigraph load")}
    faster = found["rdflib parse"].wall_s / ours.wall_s
    print(f"against oxigraph load: {ratios['oxigraph load']:.2f} times as long (aim: at most {MOST})")
    print(f"against oxigraph load into a named graph, as an import does: {ratios['  --graph']:.2f} times as long")
    print(f"against rdflib: {faster:.1f} times faster (aim: at least {LEAST})")
    return int(ratios["oxigraph load"] > MOST or faster < LEAST)


if __name__ == "__main__":
    sys.exit(main())
