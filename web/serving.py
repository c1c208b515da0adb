"""
Serves the pages with granian, until Ctrl-C or SIGTERM.

granian answers HTTP in Rust and calls the application in one process that it forks: one, since the graph has one
writer and its views are kept in memory. The application is built in that process, where it is used. This process only
waits, and tells of the end; where it is killed, the kernel ends the other one, too.
"""

import ctypes
import errno
import logging
import multiprocessing
import os
import pickle
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.util import Finalize
from typing import NoReturn

from flask import Flask
from granian.constants import HTTPModes, Interfaces
from granian.log import LogLevels
from granian.server.mp import MPServer

from web.connections import SLOW_S, end_slow_readers, raise_file_limit
from web.errors import AddressUnusable, PortTaken, StartFailed
from web.patience import PatientBodies

_LOG = logging.getLogger(__name__)
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
THREADS = 96
"""
How many requests are answered at once. Those that wait (for a walk, for a guarded query, for the next event of a
stream) cost little; those that compute share one interpreter, whatever their number. More than the 24 streams, the 32
bodies that are read, the 16 large answers that are sent and the 8 that wait for that can keep.
"""
_STOP_S = 3
"""How long answers may take that are being sent when the server is stopped, in seconds; streams never end."""
_PR_SET_PDEATHSIG = 1
Build = Callable[[ExitStack], Flask]


def check_port(host: str, port: int) -> None:
    """
    See, before anything heavy is built, whether the server could listen there. Port 0 means any free one.

    Raises PortTaken, AddressUnusable.
    """
    for family, kind, protocol, address in _resolve(host, port):
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(address)
            except OSError as error:
                raise _explained(error, host, port) from error


def hosts_for(host: str) -> tuple[str, ...]:
    """
    The names by which a server that listens at ``host`` may be called: for one of this machine only, its own names.

    >>> hosts_for("127.0.0.1"), hosts_for("0.0.0.0")
    (('localhost', '127.0.0.1', '::1'), ())
    """
    return LOOPBACK_NAMES if host in LOOPBACK_NAMES else ()


def serve(
    build: Build,
    host: str,
    port: int,
    say: Callable[[str], None],
    *,
    threads: int = THREADS,
    slow_s: float = SLOW_S,
) -> None:
    """
    Answer requests until told to stop; ``say`` is given the address and the end, a line each.

    ``build`` is called in the process that answers, with a stack for what is to be closed when that ends; what it
    raises is raised here. To be called in the main thread.
    Readers that are too slow for ``slow_s`` seconds are cut off.
    Raises PortTaken, AddressUnusable, StartFailed.
    """
    check_port(host, port)
    reserved, address = _reserve(host, port)
    number = address[1]
    url = f"http://{f'[{host}]' if ':' in host else host}:{number}"
    fault, told = multiprocessing.Pipe(duplex=False)
    line = f"Scoutfly is at {url} (Ctrl-C ends it)"
    load = partial(_load, build, told, partial(_watch, address, lambda: say(line), slow_s))
    # The application, its settings and its callbacks are handed over as they stand in memory, not pickled.
    multiprocessing.set_start_method("fork", force=True)
    server = _server(str(address[0]), number, threads)
    try:
        with suppress(SystemExit):
            server.serve(target_loader=load, wrap_loader=False)
    finally:
        told.close()
        if reserved is not None:
            reserved.close()
    if not server.interrupt_signal:
        _raise_from(fault)
    say("Scoutfly has stopped")


def _server(host: str, port: int, threads: int) -> MPServer:
    debug = _LOG.isEnabledFor(logging.DEBUG)
    console = {"formatter": "generic", "class": "logging.StreamHandler", "stream": "ext://sys.stderr"}
    return MPServer(
        "scoutfly",
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        http=HTTPModes.http1,
        workers=1,
        blocking_threads=threads,
        backpressure=raise_file_limit(),
        workers_kill_timeout=_STOP_S,
        log_enabled=debug,
        log_level=LogLevels.debug if debug else LogLevels.critical,
        log_dictconfig={"handlers": {"console": console, "access": console}},
    )


def _load(build: Build, told: Connection, watch: Callable[[], None]) -> Flask:
    """Runs in the process that answers: the application, or the end of the process."""
    _die_with(os.getppid())
    os.setpgrp()  # Ctrl-C is for the process that waits, which then stops this one
    # Until granian listens for them; else they would be those of the process that waits.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    closing = ExitStack()
    Finalize(None, closing.close, exitpriority=1)
    try:
        app = build(closing)
    except Exception as error:
        _tell(error, told)
        sys.exit(1)
    app.wsgi_app = PatientBodies(app.wsgi_app)  # type: ignore[method-assign]
    told.close()
    threading.Thread(target=watch, name="connections", daemon=True).start()
    return app


def _die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent dies, however that comes about (Linux; see prctl(2))."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _watch(address: tuple[str, int], announce: Callable[[], None], slow_s: float) -> None:
    """Announces the server as soon as it listens, and watches over its connections from then on."""
    while True:
        with suppress(OSError), socket.create_connection(address, timeout=1):
            break
        time.sleep(0.01)
    announce()
    end_slow_readers(address[1], slow_s=slow_s)


def _tell(error: Exception, told: Connection) -> None:
    _LOG.debug("the pages cannot be built", exc_info=error)
    try:
        pickled = pickle.dumps(error)
        pickle.loads(pickled)  # noqa: S301  # one that was made a line ago; some errors can be written, not read
    except Exception:  # whatever an error's own pickling raises
        pickled = pickle.dumps(StartFailed(f"the server cannot start: {error or type(error).__name__}"))
    told.send_bytes(pickled)
    told.send("".join(traceback.format_exception(error)))


def _raise_from(fault: Connection) -> NoReturn:
    """Raises the error that the other process ended with, its traceback as a note."""
    try:
        error, trace = pickle.loads(fault.recv_bytes()), fault.recv()  # noqa: S301  # from a process of ours
    except EOFError:
        raise StartFailed("the server ended of itself; --debug says more") from None
    error.add_note(trace)
    raise error


def _reserve(host: str, port: int) -> tuple[socket.socket | None, tuple[str, int]]:
    """
    A socket that keeps the address for the server, which listens by one of its own beside it, and the address.

    None where a connection that has just ended still stands on the port: that keeps this socket off, not the server's.
    """
    family, kind, protocol, address = _resolve(host, port)[0]
    reserved = socket.socket(family, kind, protocol)
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        reserved.bind(address)
    except OSError as error:
        reserved.close()
        if port and error.errno == errno.EADDRINUSE:
            return None, (address[0], port)
        raise _explained(error, host, port) from error
    name: tuple[str, int] = reserved.getsockname()[:2]
    return reserved, name


def _resolve(host: str, port: int) -> list[tuple[int, int, int, tuple[str, int]]]:
    """Where a server at ``host`` would listen, IPv4 first."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise AddressUnusable(
            f"this machine has no address called {host!r}: leave --host out, or use 127.0.0.1"
        ) from error
    found.sort(key=lambda entry: entry[0] != socket.AF_INET)
    return [(family, kind, protocol, (str(address[0]), port)) for family, kind, protocol, _, address in found]


def _explained(error: Exception, host: str, port: int) -> AddressUnusable:
    number = getattr(error, "errno", None)
    if number == errno.EADDRINUSE:
        return PortTaken(host, port)
    if number == errno.EACCES:
        return AddressUnusable(f"port {port} may not be used by you: choose one from 1024 on, e.g. --port 8000")
    if number == errno.EADDRNOTAVAIL:
        return AddressUnusable(f"{host} is no address of this machine: leave --host out, or use 127.0.0.1")
    return AddressUnusable(f"the server cannot listen at {host}, port {port}: {error}")
