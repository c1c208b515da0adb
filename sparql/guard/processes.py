"""The pool's side of its processes: zygotes that are given orders, and workers that are asked and killed."""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from sparql.errors import Busy, CannotGuard
from sparql.guard.frames import Reply, Request, is_readable, receive_reply, send_request
from sparql.guard.zygote import MESSAGE_BYTES

_ROOT = Path(__file__).resolve().parents[2]
# Isolated from the environment and the working directory; what is installed goes before the checkout.
_PROGRAM = "import sys; sys.path.append(sys.argv[2]); from sparql.guard.zygote import main; main(int(sys.argv[1]))"
# Huge pages: at 1 M quads a fork takes 1 ms with them and 10 to 60 without. One arena: others reserve 64 MiB each.
# More than 7 freed pieces of a size kept at hand: planning a query takes and frees thousands, a third of its time.
_ALLOCATOR = "glibc.malloc.hugetlb=1:glibc.malloc.arena_max=1:glibc.malloc.tcache_count=500"
_ORDER_S = 30.0
"""A zygote that takes longer than this to fork is taken for dead."""
_PATIENCE = 10
"""So many times the processor time that it may take, a worker may be waited for before its query counts as long."""


class Lost(Exception):
    """A zygote is no more, and its workers with it."""


class Orders:
    """The connection over which one zygote obeys, one order at a time, from any thread."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._turn = threading.Lock()

    def give(self, order: Mapping[str, object]) -> tuple[dict[str, object], socket.socket | None]:
        """The answer, and the connection that came with it. Raises Lost."""
        with self._turn:
            try:
                self._control.settimeout(_ORDER_S)
                self._control.sendall(json.dumps(order).encode())
                return self._receive()
            except OSError as error:  # a TimeoutError is one
                raise Lost(str(error)) from error

    def first_message(self, *, timeout_s: float) -> dict[str, object]:
        """What a zygote says when it is ready. Raises Lost, TimeoutError."""
        with self._turn:
            try:
                self._control.settimeout(timeout_s)
                return self._receive()[0]
            except TimeoutError:
                raise
            except OSError as error:
                raise Lost(str(error)) from error

    def close(self) -> None:
        """Let the zygote end."""
        with self._turn:
            self._control.close()

    def hang_up(self) -> None:
        """Let the zygote end, and whoever waits for its answer; from any thread."""
        try:
            self._control.shutdown(socket.SHUT_RDWR)
        except OSError:
            return

    def _receive(self) -> tuple[dict[str, object], socket.socket | None]:
        message, descriptors, _, _ = socket.recv_fds(self._control, MESSAGE_BYTES, 1)
        if not message:
            raise Lost("a zygote has ended")
        connection = socket.socket(fileno=descriptors[0]) if descriptors else None
        return json.loads(message), connection


class Child:
    """A process that a zygote forked for us: a worker, a writer, or another zygote."""

    def __init__(self, orders: Orders, order: Mapping[str, object]) -> None:
        """Raises Lost, Busy."""
        self._orders = orders
        answer, connection = orders.give(order)
        if "error" in answer:
            raise Busy(f"no worker can be started: {answer['error']}")
        self.pid = int(str(answer["pid"]))
        self._ended = threading.Lock()
        try:
            if connection is None:
                raise OSError("the connection to it did not arrive")  # noqa: TRY301
            self._pidfd = os.pidfd_open(self.pid)
        except OSError as error:  # too many open files, mostly
            if connection is not None:
                connection.close()
            orders.give({"do": "reap", "pid": self.pid})  # it ends by itself, now that nobody can ask it
            raise Busy(f"no worker can be started: {error}") from error
        self.connection = connection

    def ask(self, request: Request, *, deadline: float) -> None:
        """Send a request. Raises Gone, TimeoutError."""
        self.connection.setblocking(False)
        send_request(self.connection, request, deadline=deadline)

    def answers_quickly(self, seconds: float) -> bool:
        """Whether the answer begins before the worker has computed for so many seconds; True where it has died.

        On a machine that is busy with other things an honest query waits; not for ever, though.
        """
        began, before = time.monotonic(), self._computed_s()
        rest = seconds
        while not is_readable(self.connection, within_s=rest):
            rest = seconds - (self._computed_s() - before)
            if rest <= 0 or time.monotonic() - began > _PATIENCE * seconds:
                return False
        return True

    def _computed_s(self) -> float:
        """Processor time; by the clock that the kernel keeps of each process, see clock_getcpuclockid(3)."""
        try:
            return time.clock_gettime(~self.pid << 3 | 2)
        except OSError:
            return 0.0  # it has ended, which the connection tells as well

    def reply(self, *, deadline: float, most_bytes: int) -> Reply:
        """The answer. Raises Gone, TimeoutError."""
        return receive_reply(self.connection, deadline=deadline, most_bytes=most_bytes)

    def demote(self) -> None:
        """Let it run only where nothing else wants the processor."""
        try:
            for thread in os.listdir(f"/proc/{self.pid}/task"):  # noqa: PTH208 - names are what is wanted
                _demote(int(thread))
        except OSError:
            return  # it has ended, or this system forbids it: the deadline holds in any case

    def has_ended(self) -> bool:
        """Whether it has ended by itself."""
        if self._ended.locked():
            return True
        poll = select.poll()
        poll.register(self._pidfd, select.POLLIN)
        return bool(poll.poll(0))

    def end(self) -> int | None:
        """Kill it, if it lives, and clean up after it; its exit status, negative for a signal, or None if unknown."""
        if not self._ended.acquire(blocking=False):
            return None
        try:
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        except ProcessLookupError:
            pass  # it has ended by itself, and its status waits to be read
        finally:
            os.close(self._pidfd)
            self.connection.close()
        try:
            status = self._orders.give({"do": "reap", "pid": self.pid})[0]["status"]
        except Lost:
            return None
        return int(str(status))


def _demote(thread: int) -> None:
    try:
        os.sched_setscheduler(thread, os.SCHED_IDLE, os.sched_param(0))
    except PermissionError:
        os.setpriority(os.PRIO_PROCESS, thread, 19)


class Nursery:
    """The one process that is started rather than forked; started again by whoever finds it dead."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._orders: Orders | None = None
        self._closed = False

    def orders(self) -> Orders:
        """The connection to a nursery that lives. Raises CannotGuard."""
        with self._turn:
            if self._closed:
                raise CannotGuard("the pool of guarded workers is closed")
            if self._process is not None and self._process.poll() is not None:
                self._put_away()
            if self._orders is None:
                self._process, self._orders = _start()
            return self._orders

    def replace(self, broken: Orders) -> None:
        """Make sure that ``broken`` is not given out again."""
        with self._turn:
            if self._orders is broken:
                self._put_away()

    def close(self) -> None:
        """End it and all that it forked."""
        with self._turn:
            self._closed = True
            self._put_away()

    def _put_away(self) -> None:
        if self._orders is not None:
            self._orders.hang_up()
            self._orders.close()
        if self._process is not None:
            try:
                self._process.wait(timeout=_ORDER_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process = self._orders = None


def _start() -> "tuple[subprocess.Popen[bytes], Orders]":
    if not sys.platform.startswith("linux"):
        raise CannotGuard(f"queries of strangers are guarded on Linux only, not on {sys.platform}")
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        try:
            process = subprocess.Popen(  # noqa: S603 - our own interpreter, our own program
                [sys.executable, "-I", "-c", _PROGRAM, str(theirs.fileno()), str(_ROOT)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                # No secrets where strangers' queries run; same session, own group: spared by Ctrl-C.
                env={"LANG": "C.UTF-8", "PATH": os.defpath, "GLIBC_TUNABLES": _ALLOCATOR},
                process_group=0,
            )
        except OSError as error:
            ours.close()
            raise CannotGuard(f"no process for guarded workers can be started: {error}") from error
    orders = Orders(ours)
    try:
        said = orders.first_message(timeout_s=_ORDER_S)
    except (Lost, TimeoutError) as error:
        said = {"error": f"the process for guarded workers does not start: {error}"}
    if "error" in said:
        orders.close()
        process.kill()
        process.wait()
        raise CannotGuard(str(said["error"]))
    return process, orders
