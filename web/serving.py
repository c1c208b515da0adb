"""Serves the page with waitress, until Ctrl-C or SIGTERM."""

import errno
import signal
import socket
from collections.abc import Callable
from types import FrameType

from flask import Flask
from waitress.server import create_server

from web.errors import AddressUnusable, PortTaken

_THREADS = 8
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")


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


def serve(app: Flask, host: str, port: int, say: Callable[[str], None]) -> None:
    """
    Answer requests until told to stop; ``say`` is given the address and the end, a line each.

    To be called in the main thread. Raises PortTaken, AddressUnusable.
    """
    try:
        server = create_server(app, host=host, port=port, threads=_THREADS, ident="scoutfly")
    except (OSError, ValueError) as error:
        raise _explained(error, host, port) from error
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        for address in _addresses(server):
            say(f"Scoutfly is at {address} (Ctrl-C ends it)")
        server.run()  # comes back at KeyboardInterrupt and SystemExit, its threads ended
    finally:
        server.close()
        signal.signal(signal.SIGTERM, before)
    say("Scoutfly has stopped")


def _stop(number: int, frame: FrameType | None) -> None:
    del frame
    raise SystemExit(128 + number)


def _addresses(server: object) -> list[str]:
    """What to open in a browser; a server of several sockets has several."""
    one = (getattr(server, "effective_host", None), getattr(server, "effective_port", None))
    listens: list[tuple[object, object]] = list(getattr(server, "effective_listen", None) or [one])
    return [f"http://{f'[{host}]' if ':' in str(host) else host}:{port}" for host, port in listens]


def _resolve(host: str, port: int) -> list[tuple[int, int, int, tuple[object, ...]]]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise AddressUnusable(
            f"this machine has no address called {host!r}: leave --host out, or use 127.0.0.1"
        ) from error
    return [(family, kind, protocol, address) for family, kind, protocol, _, address in found]


def _explained(error: Exception, host: str, port: int) -> AddressUnusable:
    number = getattr(error, "errno", None)
    if number == errno.EADDRINUSE:
        return PortTaken(host, port)
    if number == errno.EACCES:
        return AddressUnusable(f"port {port} may not be used by you: choose one from 1024 on, e.g. --port 8000")
    if number == errno.EADDRNOTAVAIL:
        return AddressUnusable(f"{host} is no address of this machine: leave --host out, or use 127.0.0.1")
    return AddressUnusable(f"the server cannot listen at {host}, port {port}: {error}")
