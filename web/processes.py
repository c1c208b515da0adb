"""
Runs one piece of work in a process of its own: bounded in memory and time, behind pages in rank, ended with the server.

The job goes in as one line of JSON on stdin, which then stays open as a lifeline; lines of JSON come back, news of what
goes on and at last what came of it. A process that is killed leaves nothing to the server but its end. What the work
is, the module says that is run (see :func:`work`).
"""

import contextlib
import json
import logging
import os
import resource
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, NoReturn

from web.errors import WorkFailed

_LOG = logging.getLogger(__name__)
_ROOT = Path(__file__).parents[1]
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ", "VIRTUAL_ENV", "PYTHONPATH", "SYSTEMROOT")
"""The part of the environment that a process is given: no tokens, no keys."""
_MIB = 1 << 20
_STDERR_BYTES = 4000
_NICE = 10
"""So much the work stands back behind pages that somebody waits for."""

Values = Mapping[str, object]
Work = Callable[[Values, Callable[[str], None]], Values]
"""Takes a job and whom to tell how it goes; gives what came of it, as plain JSON values."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a process may use: address space in bytes, seconds of real time, bytes of one file that it writes."""

    memory_bytes: int = 4096 * _MIB
    seconds: float = 600.0
    file_bytes: int = 8192 * _MIB


def run_apart(
    module: str, job: Values, *, bounds: Bounds = Bounds(), told: Callable[[str], None] = lambda _line: None
) -> Values:
    """
    What the work of ``module`` makes of ``job``; ``told`` is given a line now and then, in the calling thread.

    Raises WorkFailed where the process ended without an answer: killed, out of memory, out of time.
    """
    command = [sys.executable, "-W", "ignore", "-m", module]
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=_environment(), cwd="/"
        )
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(bounds.seconds, end)
        timer.daemon = True
        timer.start()
        try:
            answer = _exchange(process, {"bounds": asdict(bounds), "job": dict(job)}, told)
        finally:
            timer.cancel()
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    pipe.close() if pipe else None
        if answer is None:
            raise WorkFailed(_reason(process.returncode, _tail(errors), late=late.is_set(), bounds=bounds))
    return answer


def _exchange(
    process: "subprocess.Popen[bytes]", message: Values, told: Callable[[str], None]
) -> dict[str, object] | None:
    """Send the job, pass the news on, and give the answer; None where the process ended before it had one."""
    if process.stdin is None or process.stdout is None:
        return None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
    for line in process.stdout:
        try:
            said = json.loads(line)
        except ValueError:  # cut off in the middle of a line
            return None
        if "answer" in said:
            answer: dict[str, object] = said["answer"]
            process.wait()
            return answer
        told(str(said.get("progress", "")))
    process.wait()
    return None


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    kept["PYTHONPATH"] = os.pathsep.join(filter(None, [str(_ROOT), kept.get("PYTHONPATH", "")]))
    kept["PYTHONUTF8"] = "1"
    return kept


def _tail(errors: IO[bytes]) -> str:
    size = errors.seek(0, os.SEEK_END)
    errors.seek(max(0, size - _STDERR_BYTES))
    return errors.read().decode("utf-8", "replace").strip()


def _reason(code: int, said: str, *, late: bool, bounds: Bounds) -> str:
    if said:
        _LOG.warning("a process of its own ended with status %s: %s", code, said)
    if late:
        return f"it took longer than the {bounds.seconds:.0f} seconds that it may take"
    if code < 0 or "MemoryError" in said or "memory allocation" in said:
        return f"it was ended: it needed more than the {bounds.memory_bytes // _MIB} MiB of memory it may use, or broke"
    return "it broke off; why stands in the server's log"


def work(do: Work) -> NoReturn:
    """The other side: take the job from stdin, do it and answer. Ends when the server does."""
    stdout = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what a library prints must not be taken for an answer
    message = json.loads(sys.stdin.buffer.readline())
    _bound(Bounds(**message["bounds"]))
    os.nice(_NICE)
    threading.Thread(target=_follow_the_server, daemon=True).start()
    status = 1
    try:
        answer = do(message["job"], lambda line: _send(stdout, {"progress": line}))
        _send(stdout, {"answer": answer})
        status = 0
    except BaseException:  # told on stderr, which the server logs
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status)  # not by way of the interpreter's end, for which the lifeline's thread would have to end


def _send(stream: IO[bytes], values: Values) -> None:
    stream.write(json.dumps(values).encode() + b"\n")


def _bound(bounds: Bounds) -> None:
    for kind, most in (
        (resource.RLIMIT_AS, bounds.memory_bytes),
        (resource.RLIMIT_CPU, int(bounds.seconds) * 4),
        (resource.RLIMIT_FSIZE, bounds.file_bytes),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _follow_the_server() -> None:
    """The server keeps the pipe open; its end, even by a kill, closes it."""
    os.read(0, 1)
    os._exit(1)
