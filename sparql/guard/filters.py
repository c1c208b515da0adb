"""Which system calls a worker may make: programs for seccomp, in the kernel's own small language.

A short program of our own, not pyseccomp: that is one release of 2021 over libseccomp, which Alpine and other small
systems lack, and what it adds (argument checks, more architectures) is a page here. Numbers are those of the kernel's
headers for x86_64 and for arm64; elsewhere there is no worker.

- A worker on a graph in memory may do what computing and answering takes; all else fails with EPERM.
- A worker on a graph on disk may in addition open files for reading.
- A writer may do all but leave: start programs or processes, trace, reach other processes.
- Whoever asks for a socket is killed with SIGSYS, so that the parent knows: SERVICE SILENT would hide an error.

https://www.kernel.org/doc/html/latest/userspace-api/seccomp_filter.html
"""

import errno
import os
import platform
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Role = Literal["memory", "disk", "writer"]

_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE = 0, 4  # offsets in struct seccomp_data
_X32_BIT = 0x40000000
_CLONE_THREAD = 0x00010000

# Name → (x86_64, arm64); None where arm64 never had the call.
_NETWORK: Mapping[str, tuple[int, int]] = {
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
}
_COMPUTING: Mapping[str, tuple[int | None, int | None]] = {
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "fstat": (5, 80),
    "lseek": (8, 62),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "pread64": (17, 67),
    "readv": (19, 65),
    "writev": (20, 66),
    "sched_yield": (24, 124),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "nanosleep": (35, 101),
    "getpid": (39, 172),
    "recvfrom": (45, 207),
    "sendmsg": (46, 211),
    "recvmsg": (47, 212),
    "exit": (60, 93),
    "getrusage": (98, 165),
    "sysinfo": (99, 179),
    "sigaltstack": (131, 132),
    "gettid": (186, 178),
    "futex": (202, 98),
    "sched_getaffinity": (204, 123),
    "restart_syscall": (219, 128),
    "clock_gettime": (228, 113),
    "clock_nanosleep": (230, 115),
    "exit_group": (231, 94),
    "ppoll": (271, 73),
    "poll": (7, None),
    "set_robust_list": (273, 99),
    "getrandom": (318, 278),
    "membarrier": (324, 283),
    "rseq": (334, 293),
}
_READING_FILES: Mapping[str, tuple[int | None, int | None]] = {
    "stat": (4, None),
    "access": (21, None),
    "faccessat": (269, 48),
    "newfstatat": (262, 79),
    "statx": (332, 291),
    "getdents64": (217, 61),
    "fadvise64": (221, 223),
    "fcntl": (72, 25),
    "statfs": (137, 43),
    "fstatfs": (138, 44),
    "uname": (63, 160),
}
_LEAVING: Mapping[str, tuple[int | None, int | None]] = {
    "sendmmsg": (307, 269),
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "kill": (62, 129),
    "tkill": (200, 130),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "perf_event_open": (298, 241),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "mount": (165, 40),
    "unshare": (272, 97),
    "setns": (308, 268),
}
_SENDTO, _OPENAT, _OPEN, _CLONE, _CLONE3, _TGKILL = (44, 206), (257, 56), (2, None), (56, 220), (435, 435), (234, 131)

_Step = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class _Machine:
    audit: int
    column: int


_MACHINES = {"x86_64": _Machine(0xC000003E, 0), "aarch64": _Machine(0xC00000B7, 1)}


class UnknownMachine(Exception):
    """No program can be written for this kind of processor."""


def seccomp_call() -> int:
    """The number of the system call seccomp(2) on this machine. Raises UnknownMachine."""
    return (317, 277)[_machine("").column]


def program(role: Role, *, machine: str = "") -> bytes:
    """The instructions, 8 bytes each, for the calling process. Raises UnknownMachine."""
    found = _machine(machine)
    steps = [*_opening(found), *_network(found.column)]
    if role == "writer":
        steps += [*_refused(found.column), *_own_threads_only(found.column), _return(_ALLOW)]
    else:
        steps += _allowed(role, found.column)
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _machine(name: str) -> _Machine:
    name = name or platform.machine()
    if name not in _MACHINES:
        raise UnknownMachine(f"queries of strangers are guarded on x86_64 and aarch64, not on {name}")
    return _MACHINES[name]


def _opening(machine: _Machine) -> list[_Step]:
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, machine.audit),
        _return(_KILL),  # another system call table, in which the numbers below mean something else
        (_LOAD, 0, 0, _NUMBER),
    ]
    if machine.column == 0:
        steps += [(_AT_LEAST, 0, 1, _X32_BIT), _return(_KILL)]
    return steps


def _network(column: int) -> list[_Step]:
    steps = _each(_NETWORK, column, _KILL)
    # Sending to an address (argument 4) opens a door that sending over an open connection does not.
    return [
        *steps,
        (_EQUAL, 0, 6, _SENDTO[column]),
        (_LOAD, 0, 0, _argument(4)),
        (_EQUAL, 0, 3, 0),
        (_LOAD, 0, 0, _argument(4) + 4),
        (_EQUAL, 0, 1, 0),
        _return(_ALLOW),
        _return(_KILL),
    ]


def _refused(column: int) -> list[_Step]:
    return _each(_LEAVING, column, _ERRNO | errno.EPERM)


def _own_threads_only(column: int) -> list[_Step]:
    return [
        (_EQUAL, 0, 1, _CLONE3[column]),
        _return(_ERRNO | errno.ENOSYS),  # its flags cannot be looked into: the C library falls back to clone
        (_EQUAL, 0, 4, _CLONE[column]),
        (_LOAD, 0, 0, _argument(0)),
        (_ANY_BIT, 0, 1, _CLONE_THREAD),
        _return(_ALLOW),
        _return(_ERRNO | errno.EPERM),
    ]


def _allowed(role: Role, column: int) -> list[_Step]:
    names = {**_COMPUTING, **(_READING_FILES if role == "disk" else {})}
    steps = _each(names, column, _ALLOW)
    if role == "disk":
        steps += _open_for_reading(_OPENAT[column], flags=2)
        if (number := _OPEN[column]) is not None:
            steps += _open_for_reading(number, flags=1)
    # An abort signals its own process; no other may be signalled.
    return [
        *steps,
        (_EQUAL, 0, 3, _TGKILL[column]),
        (_LOAD, 0, 0, _argument(0)),
        (_EQUAL, 0, 1, os.getpid()),
        _return(_ALLOW),
        _return(_ERRNO | errno.EPERM),
    ]


def _open_for_reading(number: int, *, flags: int) -> list[_Step]:
    changing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
    return [
        (_EQUAL, 0, 4, number),
        (_LOAD, 0, 0, _argument(flags)),
        (_ANY_BIT, 0, 1, changing),
        _return(_ERRNO | errno.EPERM),
        _return(_ALLOW),
    ]


def _each(calls: Mapping[str, tuple[int | None, int | None]], column: int, action: int) -> list[_Step]:
    numbers: Sequence[int] = sorted(number for pair in calls.values() if (number := pair[column]) is not None)
    return [step for number in numbers for step in ((_EQUAL, 0, 1, number), _return(action))]


def _return(action: int) -> _Step:
    return (_RETURN, 0, 0, action)


def _argument(index: int) -> int:
    """The offset of the low half of an argument; both architectures put it first."""
    return 16 + 8 * index
