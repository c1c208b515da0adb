"""Processes that fork others, so that the web process, which has threads, never forks.

    the pool  ── starts ──  the nursery, one for its life: a fresh interpreter with no graph
                              ├── a zygote a generation: holds the graph in memory, or knows where it is on disk
                              │     └── workers: share that memory; a fork takes milliseconds
                              └── writers, one an update

Each has one thread and obeys one connection, message by message; when that closes, it ends its children and itself.
If it is killed, the kernel kills its children.
"""

import json
import os
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NoReturn

from kg.errors import GraphError
from sparql.guard.confinement import CannotConfine, confine, die_with_parent
from sparql.guard.loading import Loaded, load
from sparql.guard.worker import CRASHED, Worker, silence, warm_up
from sparql.guard.writing import write_once

MESSAGE_BYTES = 1 << 16
_PATIENCE_S = 2.0
_STACK_BYTES = 32 << 20
Order = Mapping[str, object]


class Forker:
    """Obeys ``control`` (a SOCK_SEQPACKET): orders and answers are JSON objects, new connections go beside them."""

    def __init__(
        self,
        control: socket.socket,
        duties: Mapping[str, Callable[[Order, socket.socket], None]],
        *,
        patience_s: float,
    ) -> None:
        self._control = control
        self._patience_s = patience_s
        self._duties = duties
        self._children: set[int] = set()

    def say(self, answer: Order) -> None:
        """Send one message."""
        self._control.sendall(json.dumps(answer).encode())

    def serve(self) -> None:
        """Obey until the other side is gone, then end all children."""
        while message := self._control.recv(MESSAGE_BYTES):
            order = json.loads(message)
            if order["do"] == "reap":
                self._reap(order["pid"])
            else:
                self._fork(order)
        self._end_children()

    def _fork(self, order: Order) -> None:
        kind = socket.SOCK_SEQPACKET if order["do"] == "zygote" else socket.SOCK_STREAM
        ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
        parent = os.getpid()
        try:
            child = os.fork()
        except OSError as error:
            ours.close()
            theirs.close()
            return self.say({"error": str(error)})
        if child == 0:
            _run_child(self._duties[str(order["do"])], order, theirs, parent=parent)
        self._children.add(child)
        theirs.close()
        socket.send_fds(self._control, [json.dumps({"pid": child}).encode()], [ours.fileno()])
        return ours.close()

    def _reap(self, pid: int) -> None:
        status = os.waitpid(pid, 0)[1]
        self._children.discard(pid)
        self.say({"status": os.waitstatus_to_exitcode(status)})

    def _end_children(self) -> None:
        deadline = time.monotonic() + self._patience_s
        while self._children and time.monotonic() < deadline:
            self._children = {pid for pid in self._children if os.waitpid(pid, os.WNOHANG)[0] == 0}
            time.sleep(0.005)
        for pid in self._children:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _run_child(
    duty: Callable[[Order, socket.socket], None], order: Order, connection: socket.socket, *, parent: int
) -> NoReturn:
    status = CRASHED
    try:
        die_with_parent(parent)
        _keep_only((0, 1, 2, connection.fileno()))
        duty(order, connection)
        status = 0
    except BaseException:  # whatever it is: this process must not return into its parent's loop
        traceback.print_exc()
    finally:
        os._exit(status)


def _keep_only(descriptors: Iterable[int]) -> None:
    low = 0
    for descriptor in sorted(set(descriptors)):
        if low < descriptor:  # an empty range would be taken for all there are
            os.closerange(low, descriptor)
        low = descriptor + 1
    os.closerange(low, 1 << 16)


def _be_zygote(order: Order, control: socket.socket) -> None:
    bounds: dict[str, int] = order["bounds"]  # type: ignore[assignment]
    try:
        loaded = load(Path(str(order["home"])), union=bool(order["union"]), in_memory_quads=bounds["in_memory_quads"])
    except (GraphError, OSError, MemoryError) as error:
        control.sendall(json.dumps({"error": " ".join(str(error).split())}).encode())
        return
    duties = {"worker": lambda _order, connection: _be_worker(loaded, bounds, connection)}
    forker = Forker(control, duties, patience_s=0)
    forker.say({"number": loaded.number, "quads": loaded.quads, "in_memory": loaded.in_memory})
    forker.serve()


def _be_worker(loaded: Loaded, bounds: dict[str, int], connection: socket.socket) -> None:
    silence()

    def live() -> None:
        worker = Worker(loaded.open(), bounds)
        worker.serve(connection, role="memory" if loaded.in_memory else "disk")

    _in_own_thread(live)


def _be_writer(order: Order, connection: socket.socket) -> None:
    bounds: dict[str, int] = order["bounds"]  # type: ignore[assignment]
    silence()
    home, memory_bytes = Path(str(order["home"])), bounds["update_memory_bytes"]
    _in_own_thread(lambda: write_once(home, connection, memory_bytes=memory_bytes, nesting=bounds["nesting"]))


def _in_own_thread(live: Callable[[], None]) -> None:
    """Run ``live``, and end this process where it fails.

    Rust seeds its random numbers once a thread: on the thread that was forked, each process would draw the same UUIDs
    and blank nodes as its siblings. The larger stack has room for deeper queries, too.
    """
    done = threading.Event()

    def run() -> None:
        live()
        done.set()

    threading.stack_size(_STACK_BYTES)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if not done.is_set():
        os._exit(CRASHED)


def _check_confinement() -> str | None:
    """Why this machine cannot shut a process in; None if it can. Tried out by a child."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            confine("memory")
        except CannotConfine as error:
            os.write(writer, str(error).encode())
        os._exit(0)
    os.close(writer)
    with open(reader, "rb") as stream:  # noqa: PTH123 - a descriptor, not a path
        said = stream.read().decode()
    _, status = os.waitpid(child, 0)
    return said or (None if status == 0 else f"this system cannot guard queries of strangers (status {status})")


def main(descriptor: int) -> None:
    """Be the nursery, on the connection that was inherited."""
    control = socket.socket(fileno=descriptor)
    nursery = Forker(control, {"zygote": _be_zygote, "writer": _be_writer}, patience_s=_PATIENCE_S)
    if (reason := _check_confinement()) is not None:
        nursery.say({"error": reason})
        return
    warm_up()
    nursery.say({"pid": os.getpid()})
    nursery.serve()


if __name__ == "__main__":
    main(int(sys.argv[1]))
