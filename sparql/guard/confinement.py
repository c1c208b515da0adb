"""Shuts the calling process in: no network, no new programs, no more memory than allowed. There is no way back.

Fails closed: where the kernel does not take the filter, the process must not go on.
"""

import ctypes
import os
import resource
import signal
from pathlib import Path

from sparql.guard.filters import Role, UnknownMachine, program, seccomp_call

_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS, _PR_SET_DUMPABLE = 1, 38, 4
_SET_MODE_FILTER, _ALL_THREADS = 1, 1
_FILES = {"memory": 16, "disk": 1024, "writer": 4096}


class CannotConfine(Exception):
    """The kernel does not do what a guarded process needs."""


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when ``parent``, which forked it, ends."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


def limit(role: Role, *, memory_bytes: int) -> None:
    """Allow so many bytes on top of what this process has mapped by now; no core dumps, few open files.

    A writer opens its store afterwards, whose threads reserve far more addresses than they use: what counts there is
    what can be written to.
    """
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()
    kind, field = (resource.RLIMIT_DATA, 5) if role == "writer" else (resource.RLIMIT_AS, 0)
    most = int(pages[field]) * resource.getpagesize() + memory_bytes
    resource.setrlimit(kind, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = _FILES[role] if hard == resource.RLIM_INFINITY else min(_FILES[role], hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))


def confine(role: Role) -> None:
    """Install the filter of ``role`` for all threads of this process. Raises CannotConfine."""
    try:
        steps = program(role)
    except UnknownMachine as error:
        raise CannotConfine(str(error)) from error
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _prctl(_PR_SET_DUMPABLE, 0)
    filters = _Program(len(steps) // 8, steps)
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    numbers = [ctypes.c_long(number) for number in (seccomp_call(), _SET_MODE_FILTER, _ALL_THREADS)]
    refused = libc.syscall(*numbers, ctypes.byref(filters))
    if refused != 0:
        reason = os.strerror(ctypes.get_errno()) if refused < 0 else f"thread {refused} cannot follow"
        raise CannotConfine(f"this system cannot guard queries of strangers: seccomp says {reason}")


def _prctl(option: int, first: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    numbers = [ctypes.c_ulong(number) for number in (first, 0, 0, 0)]
    if libc.prctl(ctypes.c_int(option), *numbers) != 0:
        reason = os.strerror(ctypes.get_errno())
        raise CannotConfine(f"this system cannot guard queries of strangers: prctl({option}) says {reason}")
