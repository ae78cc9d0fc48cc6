"""The filter of system calls, run here step by step as the kernel does, for both machines."""

import re
from pathlib import Path

import pytest

from unpuzzle.processes.walls import (
    ABOVE,
    ABSENT,
    ALLOW,
    ALLOWED,
    ANY_BIT,
    CLOSER,
    EQUAL,
    KILL,
    LOAD,
    MACHINES,
    NEWEST,
    NO_SUCH_CALL,
    NOT_PERMITTED,
    program,
)

OWN, OTHER = 4711, 4712


def answer(machine: str, call: int, *arguments: int, architecture: int | None = None) -> int:
    """What the filter says to a call."""
    words = [call, MACHINES[machine][1] if architecture is None else architecture, 0, 0]
    for value in (*arguments, *[0] * (6 - len(arguments))):
        words += [value & 0xFFFFFFFF, value >> 32 & 0xFFFFFFFF]
    steps, accumulator, at = program(machine, OWN), 0, 0
    while True:
        operation, if_true, if_false, number = steps[at]
        if operation == LOAD:
            accumulator = words[number // 4]
        elif operation in (EQUAL, ABOVE, ANY_BIT):
            true = {EQUAL: accumulator == number, ABOVE: accumulator > number, ANY_BIT: accumulator & number}
            at += if_true if true[operation] else if_false
        else:
            return number
        at += 1


@pytest.mark.parametrize("machine", MACHINES)
def test_nothing_but_what_is_on_the_list_is_allowed(machine: str) -> None:
    column = MACHINES[machine][0]
    listed = {numbers[column] for numbers in ALLOWED.values()}
    closer = {numbers[column] for numbers in CLOSER.values()}
    absent = {numbers[column] for numbers in ABSENT.values()}
    for call in range(NEWEST + 1):
        if call in closer:
            continue
        assert answer(machine, call) == (
            ALLOW if call in listed else NO_SUCH_CALL if call in absent else NOT_PERMITTED
        ), call
    assert {answer(machine, call) for call in (NEWEST + 1, 1000, 0x3FFFFFFF)} == {NO_SUCH_CALL}
    assert {answer(machine, call) for call in (0x40000000, 0x40000000 + 1, 0xFFFFFFFF)} == {NOT_PERMITTED}
    assert answer(machine, 1, architecture=0x40000003) == KILL, "calls of another machine, which this one can make, too"


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("name", "arguments", "allowed"),
    [
        ("open", (0, 0o2000000), True),
        ("open", (0, 1), False),
        ("open", (0, 0o100), False),
        ("openat", (0, 0, 0o2200000), True),
        ("openat", (0, 0, 1), False),
        ("openat", (0, 0, 2), False),
        ("openat", (0, 0, 0o100), False),
        ("openat", (0, 0, 0o1000), False),
        ("openat", (0, 0, 0o2000), False),
        ("openat", (0, 0, 0o20200000), False),
        ("fcntl", (1, 1), True),
        ("fcntl", (1, 1030), True),
        ("fcntl", (1, 4), False),
        ("fcntl", (1, 8), False),
        ("fcntl", (1, 10), False),
        ("fcntl", (1, 1 << 32 | 8), False),
        ("ioctl", (1, 0x5401), True),
        ("ioctl", (1, 0x5452), False),
        ("kill", (OWN, 9), True),
        ("kill", (OTHER, 9), False),
        ("kill", (0, 9), False),
        ("kill", (-1, 9), False),
        ("tgkill", (OWN, OWN, 9), True),
        ("tgkill", (OTHER, OWN, 9), False),
        ("sched_getaffinity", (0, 8), True),
        ("sched_getaffinity", (OTHER, 8), False),
        ("prlimit64", (0, 7, 0, 1), True),
        ("prlimit64", (OTHER, 7, 0, 1), False),
        ("prlimit64", (0, 7, 4096, 1), False),
        ("prlimit64", (0, 7, 1 << 32, 1), False),
    ],
)
def test_some_calls_are_allowed_with_some_arguments(
    machine: str, name: str, arguments: tuple[int, ...], allowed: bool
) -> None:
    call = CLOSER[name][MACHINES[machine][0]]
    if call is not None:
        assert answer(machine, call, *arguments) == (ALLOW if allowed else NOT_PERMITTED)


@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_those_of_the_kernel(machine: str) -> None:
    headers = {"x86_64": "x86_64-linux-gnu/asm/unistd_64.h", "aarch64": "asm-generic/unistd.h"}
    header = Path("/usr/include", headers[machine])
    if not header.exists():
        pytest.skip("the kernel's headers are not installed")
    known = dict(re.findall(r"#define (__NR\w+) (\w+)", header.read_text()))
    for name, numbers in (ALLOWED | CLOSER | ABSENT).items():
        number = known.get(f"__NR_{name}", "")  # or the name under which machines of 64 bits have it
        number = known.get(number, number)
        assert numbers[MACHINES[machine][0]] == (int(number) if number.isdigit() else None), name
