"""The programs for the kernel, run by a small machine of our own: for both kinds of processor, on any of them."""

import errno
import struct

import pytest

from sparql.guard.filters import Role, UnknownMachine, program

ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050000 | errno.EPERM
AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
NUMBERS = {
    "x86_64": {
        "read": 0,
        "socket": 41,
        "connect": 42,
        "sendto": 44,
        "execve": 59,
        "openat": 257,
        "clone": 56,
        "mmap": 9,
    },
    "aarch64": {
        "read": 63,
        "socket": 198,
        "connect": 203,
        "sendto": 206,
        "execve": 221,
        "openat": 56,
        "clone": 220,
        "mmap": 222,
    },
}
MACHINES = list(AUDIT)


def _decide(role: Role, machine: str, number: int, *arguments: int, audit: int | None = None) -> int:
    steps = list(struct.iter_unpack("=HBBI", program(role, machine=machine)))
    given = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack("<IIQ6Q", number, AUDIT[machine] if audit is None else audit, 0, *given)
    position, value = 0, 0
    while True:
        code, if_true, if_false, constant = steps[position]
        position += 1
        if code == 0x06:
            return int(constant)
        if code == 0x20:
            value = struct.unpack_from("<I", data, constant)[0]
            continue
        holds = {0x15: value == constant, 0x35: value >= constant, 0x45: bool(value & constant)}[code]
        position += if_true if holds else if_false


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("role", ["memory", "disk", "writer"])
def test_each_role(role: Role, machine: str) -> None:
    number = NUMBERS[machine]
    assert _decide(role, machine, number["read"]) == ALLOW
    assert _decide(role, machine, number["mmap"]) == ALLOW
    assert _decide(role, machine, number["socket"]) == KILL
    assert _decide(role, machine, number["connect"]) == KILL
    assert _decide(role, machine, number["execve"]) == REFUSE
    assert _decide(role, machine, number["sendto"], 3, 1, 1, 0, 0, 0) == ALLOW
    assert _decide(role, machine, number["sendto"], 3, 1, 1, 0, 0x7FFF00001000, 16) == KILL
    assert _decide(role, machine, number["sendto"], 3, 1, 1, 0, 0x7FFF00000000, 16) == KILL
    assert _decide(role, machine, number["read"], audit=0x40000003) == KILL


@pytest.mark.parametrize("machine", MACHINES)
def test_files(machine: str) -> None:
    openat = NUMBERS[machine]["openat"]
    for flags, disk in ((0, ALLOW), (0o2000000, ALLOW), (1, REFUSE), (2, REFUSE), (0o100, REFUSE), (0o1000, REFUSE)):
        assert _decide("disk", machine, openat, 0, 0, flags) == disk
        assert _decide("memory", machine, openat, 0, 0, flags) == REFUSE
        assert _decide("writer", machine, openat, 0, 0, flags) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_a_writer_may_start_threads_and_no_processes(machine: str) -> None:
    clone = NUMBERS[machine]["clone"]
    assert _decide("writer", machine, clone, 0x00010000) == ALLOW
    assert _decide("writer", machine, clone, 17) == REFUSE
    assert _decide("writer", machine, 435) == 0x00050000 | errno.ENOSYS
    assert _decide("memory", machine, clone, 0x00010000) == REFUSE


def test_the_other_table_of_calls_of_x86_is_closed() -> None:
    assert _decide("memory", "x86_64", 0x40000000) == KILL


@pytest.mark.parametrize("machine", MACHINES)
def test_a_number_that_is_new_is_refused(machine: str) -> None:
    assert _decide("memory", machine, 9999) == REFUSE


def test_other_processors_are_named() -> None:
    with pytest.raises(UnknownMachine, match="riscv64"):
        program("memory", machine="riscv64")
