"""
What the server's connections may cost: how many there may be, and how long their readers may take.

The server waits for a reader as long as the connection stands, and does not say which connection an answer goes to. So
this looks at the sockets of its process themselves: the kernel ends those that take nothing (TCP_USER_TIMEOUT, see
tcp(7)), and a thread ends those that take less than a bad line would. Both is for Linux; elsewhere nothing is ended.
"""

import errno
import os
import resource
import socket
import struct
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path

MOST_CONNECTIONS = 2048
"""Who comes when there are more waits in the kernel's queue."""
SLOW_S = 30.0
"""How long a reader may take nothing, or too little, in seconds."""
LEAST_BYTES_PER_S = 20_000
_MOST_FILES = 65_536
_FILES = Path("/proc/self/fd")
_BYTES_ACKED = 120
"""Where tcpi_bytes_acked, a 64-bit number, stands in the kernel's tcp_info (include/uapi/linux/tcp.h)."""


def raise_file_limit() -> int:
    """How many connections there may be: half of the files that may be open, whose limit is raised as far as may be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):  # it stays as it is
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    files = _MOST_FILES if soft == resource.RLIM_INFINITY else soft
    return max(1, min(MOST_CONNECTIONS, files // 2))


def end_slow_readers(port: int, *, slow_s: float = SLOW_S) -> None:
    """
    Have connections to ``port`` end whose readers are too slow, as long as this process lives.

    To be called in a thread, when the server listens there.
    """
    if sys.platform != "linux":
        return
    for listener in _sockets(port):
        with listener:
            if listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                # Connections take it over from the socket that they are accepted at.
                listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(slow_s * 1000))
    readers = Readers(slow_s)
    while True:
        time.sleep(slow_s / 6)
        readers.look(port)


class Readers:
    """Those that have not taken all that is there for them: since when, and how much they had taken then."""

    def __init__(self, slow_s: float) -> None:
        self._slow_s = slow_s
        self._behind: dict[object, tuple[float, int]] = {}

    def look(self, port: int) -> None:
        """End the connections of those that have been too slow for too long."""
        now, behind = time.monotonic(), {}
        for connection in _sockets(port):
            with connection, suppress(OSError):  # ended meanwhile, or one that listens
                peer = connection.getpeername()
                if not _waiting_bytes(connection):
                    continue
                taken = _taken_bytes(connection)
                since, before = behind[peer] = self._behind.get(peer, (now, taken))
                if now - since >= self._slow_s:
                    if taken - before < LEAST_BYTES_PER_S * (now - since):
                        _end(connection)
                    behind[peer] = now, taken
        self._behind = behind


def _sockets(port: int) -> Iterator[socket.socket]:
    """This process's sockets at a port: the one that listens and its connections. Each is a copy, to be closed."""
    for path in _FILES.iterdir():
        try:
            if not str(path.readlink()).startswith("socket:"):
                continue
            copy = socket.socket(fileno=os.dup(int(path.name)))
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.EBADF, errno.ENOTSOCK):
                continue  # closed meanwhile
            raise
        try:
            is_there = copy.family in (socket.AF_INET, socket.AF_INET6) and copy.getsockname()[1] == port
        except OSError:
            is_there = False
        if is_there:
            yield copy
        else:
            copy.close()


def _end(connection: socket.socket) -> None:
    """The server, which waits to write, sees that it cannot and closes; what was left to send is forgotten then."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.shutdown(socket.SHUT_RDWR)


def _waiting_bytes(connection: socket.socket) -> int:
    """How much has been sent that the other side has not taken (SIOCOUTQ, see tcp(7))."""
    number: int = struct.unpack("i", ioctl(connection.fileno(), termios.TIOCOUTQ, b"\0" * 4))[0]
    return number


def _taken_bytes(connection: socket.socket) -> int:
    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _BYTES_ACKED + 8)
    number: int = struct.unpack_from("Q", info, _BYTES_ACKED)[0]
    return number
