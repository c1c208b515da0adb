"""Fuzzes the whole HTTP interface of a real server, from the description that the server gives of itself.

    python -m benchmarks.fuzz [--requests N] [--report FOLDER]

Starts ``scoutfly serve`` over a home of its own with the bundled graph, the guard and a token, answers a question so
that there is a run, and has schemathesis send what the description allows and what it does not, several at a time, each
with another seed, until so many requests were made. No answer may be a failure (500) or break the description, no
request may hang, and afterwards the server must answer as before and have logged no failure. Ends with status 1
otherwise. 502 and 503 with a reason are no failures: they tell of a limit.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

TOKEN = "fuzz"
TIMEOUT_S = 30
"""How long one answer may take; a query may take 10 s."""
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)
AT_ONCE = 3
"""How many runs of schemathesis, each with a seed of its own, ask the server at the same time."""
_MOST_SEEDS = 30
_NORMAL = "/sparql?query=" + urllib.parse.quote("ASK { ?s ?p ?o }")


@dataclass(slots=True)
class Result:
    """What came of it; ``findings`` are what must not be."""

    requests: int = 0
    seconds: float = 0.0
    operations: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--requests", type=int, default=5_000, help="how many at least (default: 5000)")
    parser.add_argument("--report", type=Path, help="where to keep what schemathesis reports")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        result = fuzz(options.requests, Path(folder), report=options.report)
    print(f"{result.requests} requests to {result.operations} operations in {result.seconds:.0f} s")
    print("answers: " + ", ".join(f"{status}: {count}" for status, count in sorted(result.statuses.items())))
    print(f"{len(result.findings)} findings" + "".join(f"\n- {finding}" for finding in result.findings))
    return 1 if result.findings else 0


def fuzz(requests: int, folder: Path, *, report: Path | None = None, at_once: int = AT_ONCE) -> Result:
    """Make at least so many requests; ``folder`` holds the server's home and, without ``report``, the reports."""
    report = report or folder / "report"
    report.mkdir(parents=True, exist_ok=True)
    result, started, seed = Result(), time.monotonic(), 0
    with _server(folder) as (url, log), ThreadPoolExecutor(at_once) as pool:
        run, operations = _ask(url), _operations(url)
        while result.requests < requests and seed < _MOST_SEEDS:
            each = max(1, (requests - result.requests) // (at_once * operations))
            seeds = range(seed + 1, seed + 1 + at_once)
            places = [report / str(one) for one in seeds]
            for place in pool.map(partial(_round, url, each=each, run=run), places, seeds):
                _read(place, result)
            seed = seeds[-1]
        result.findings += _aftermath(url, log, run)
        shutil.copy(log, report)
    if result.requests < requests:
        result.findings.append(f"only {result.requests} requests were made with {seed} seeds")
    result.seconds = time.monotonic() - started
    return result


def _round(url: str, report: Path, seed: int, *, each: int, run: str) -> Path:
    """
    One run of schemathesis; where it reports.

    What is the same for each seed, the bounds of every parameter, is tried with the first only. Every other seed asks
    without the token.
    """
    report.mkdir(exist_ok=True)
    config = report / "schemathesis.toml"
    statuses = '[checks.not_a_server_error]\nexpected-statuses = ["2xx", "3xx", "4xx", "501", "502", "503"]\n'
    config.write_text((f'headers = {{ Authorization = "Bearer {TOKEN}" }}\n' if seed % 2 else "") + statuses)
    program = str(Path(sys.executable).with_name("schemathesis"))
    command = [program, "--config-file", str(config), "run", f"{url}/openapi.json", "--no-color", "--no-shrink"]
    command += ["--phases", "examples,coverage,fuzzing,stateful" if seed == 1 else "fuzzing,stateful"]
    command += ["--checks", ",".join(CHECKS), "--continue-on-failure", "--seed", str(seed), "--warnings", "off"]
    command += ["--max-examples", str(each), "--request-timeout", str(TIMEOUT_S), "--generation-database", "none"]
    command += ["--report", "json,ndjson", "--report-json-path", str(report / "report.json")]
    command += ["--report-ndjson-path", str(report / "events.ndjson")]
    environment = os.environ | {"SCHEMATHESIS_HOOKS": "benchmarks.fuzz_values", "FUZZ_RUNS": run}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    (report / "output.txt").write_text(done.stdout + done.stderr)
    return report


def _read(report: Path, result: Result) -> None:
    """Add up what a round reports."""
    try:
        told = json.loads((report / "report.json").read_text())
        statuses = re.findall(r'"status_code":(\d+)', (report / "events.ndjson").read_text())
    except (OSError, ValueError):
        result.findings.append(f"schemathesis did not report: {(report / 'output.txt').read_text()[-500:]}")
        return
    result.operations = (told["operations"] or {}).get("selected", 0)
    result.statuses.update(statuses)
    result.requests += len(statuses)
    found = [f"{one['title']}: {', '.join(one['operations'])}" for one in told["failures"]]
    found += [f"{one['title']} ({one['count']})" for one in told["errors"]]
    result.findings += [finding for finding in found if finding not in result.findings]


def _aftermath(url: str, log: Path, run: str) -> Iterator[str]:
    """What is not as it was before."""
    for path in ("/healthz", "/", _NORMAL, "/openapi.json", f"/runs/{run}"):
        try:
            started = time.monotonic()
            with urllib.request.urlopen(url + path, timeout=10) as response:
                response.read()
            if time.monotonic() - started > 5:
                yield f"afterwards {path} took more than 5 s"
        except OSError as error:
            yield f"afterwards {path} is not answered: {error}"
    text = log.read_text()
    yield from (f"the log tells of {line}" for line in re.findall(r"failure [0-9a-f]{8}: [^\n]*", text))
    if "panicked" in text or "Segmentation" in text:
        yield f"the log tells of a crash: {text[-500:]}"


@contextmanager
def _server(folder: Path) -> Iterator[tuple[str, Path]]:
    """The address of a server, and its log."""
    log = folder / "server.log"
    command = [sys.executable, "-m", "scoutfly", "--home", str(folder / "home"), "serve", "--port", "0"]
    with log.open("wb") as output:
        environment = os.environ | {"SCOUTFLY_TOKEN": TOKEN, "PYTHONUNBUFFERED": "1"}
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT)
        try:
            yield _address(log, process), log
            if process.poll() is not None:
                raise RuntimeError(f"the server ended: {log.read_text()[-1000:]}")
        finally:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _address(log: Path, process: "subprocess.Popen[bytes]") -> str:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        found = re.search(r"Scoutfly is at (http://\S+)", log.read_text())
        if found:
            return found[1]
        time.sleep(0.1)
    raise RuntimeError(f"the server does not start: {log.read_text()[-1000:]}")


def _operations(url: str) -> int:
    """How many operations the description has."""
    with urllib.request.urlopen(f"{url}/openapi.json", timeout=60) as response:
        paths = json.load(response)["paths"]
    return sum(len(set(item) & {"get", "put", "post", "delete"}) for item in paths.values())


def _ask(url: str) -> str:
    """Has a question answered; the id of its run."""
    form = urllib.parse.urlencode({"question": "Which attack follows the bite?", "topic": "Rathian"}).encode()
    with urllib.request.urlopen(f"{url}/ask", form, timeout=60) as response:
        return str(response.url).rpartition("/")[2].partition("?")[0]


if __name__ == "__main__":
    sys.exit(main())
