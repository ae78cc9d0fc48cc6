"""Planning under a limit of address space beside one of memory: the answers are those of a run without limits.

Clusters and graders set such a limit (`ulimit -v`), Downward Lab as well. Nine pairs of the two limits are tried, each
of which is at least LEAST and at least ROOM times the memory that the task needs.
"""

import json
import os
import resource
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

LEAST = 512 << 20
ROOM = 4
ADDRESSES, MEMORY = (1, 4, 12), (1, 2, 6)
"""The two limits, in times the least that is allowed: either may be the larger one."""
PAIRS = tuple(product(ADDRESSES, MEMORY))
PATIENCE = 10
"""Times the processor time of the run without limits."""
COMPARED = ("status", "cost", "plan", "expanded", "evaluated", "generated")


class Ending(NamedTuple):
    """The answer of a run, its memory in bytes and its processor time in seconds."""

    answer: dict[str, Any]
    peak: int
    seconds: float


def planned(files: tuple[Path, Path], words: tuple[str, ...] = (), addresses: int | None = None) -> Ending:
    """Run `unpuzzle plan` in a process of its own, which may have so many bytes of addresses."""

    def limit() -> None:
        if addresses is not None:
            resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses))

    command = [sys.executable, "-m", "unpuzzle", "plan", *map(str, files), "--json", *words]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, preexec_fn=limit)
    assert run.stdout is not None
    text = run.stdout.read()
    used = os.wait4(run.pid, 0)[2]
    try:
        answer = {name: value for name, value in json.loads(text).items() if name in COMPARED}
    except ValueError:
        answer = {"status": "no answer", "text": text[-500:]}
    return Ending(answer, used.ru_maxrss << 10, used.ru_utime + used.ru_stime)


def differences(
    files: tuple[Path, Path], alone: Ending, words: tuple[str, ...] = (), pairs: tuple[tuple[int, int], ...] = PAIRS
) -> list[str]:
    """Return a line for every pair of limits under which a task has another answer than alone, or takes far longer."""
    least = max(LEAST, ROOM * alone.peak)
    patience = ("--cpu-limit", str(PATIENCE * (1 + alone.seconds)))
    found = []
    for addresses, memory in pairs:
        limits = ("--memory-limit", str(memory * least), *patience)
        answer = planned(files, (*words, *limits), addresses * least).answer
        if answer != alone.answer:
            other = {name: value for name, value in answer.items() if value != alone.answer.get(name)}
            found.append(f"{addresses * least >> 20} MB of addresses, {memory * least >> 20} MB of memory: {other}")
    return found
