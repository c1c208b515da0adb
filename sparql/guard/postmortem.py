"""What the way in which a worker ended says of the query that it had."""

import signal

from sparql.errors import Busy, GuardError, LimitExceeded, Refused
from sparql.guard.worker import out_of_memory

_RETRY_AFTER_S = 5


class Killed(Exception):
    """Someone else killed the worker: a person, or the kernel for want of memory."""


def cause(status: int | None, *, memory_bytes: int) -> GuardError | Killed:
    """
    The error of a query whose worker ended with ``status``, negative for a signal.

    Rust aborts where memory runs out, a stack that overflows is a segmentation fault, and the filter kills whoever
    asks for a socket.
    """
    if status is None or status == -signal.SIGKILL:
        return Killed("a worker was killed")
    if status == -signal.SIGSYS:
        return Refused("it asks another server, with SERVICE or otherwise: this is not allowed")
    if status == -signal.SIGABRT:
        return out_of_memory(memory_bytes)
    if status in (-signal.SIGSEGV, -signal.SIGBUS):
        return LimitExceeded("it is nested too deeply, or joins too much: take it apart", limit="nesting")
    return GuardError(f"the worker that had it failed (status {status}): this is a fault of the server")


def as_error(found: GuardError | Killed) -> GuardError:
    """What the asker is told, where there is no second attempt."""
    if isinstance(found, GuardError):
        return found
    # It may have been killed a moment after it had switched to the new generation.
    return Busy(
        "the process that wrote was killed from outside, and whether the change was made is not known: look before you "
        "send it again",
        retry_after_s=_RETRY_AFTER_S,
    )
