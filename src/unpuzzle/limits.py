"""Limits of a run, and the deadline that carries them through everything that works in this process. A leaf.

`Limits` is what a caller asks for: so many seconds, so many bytes. `Deadline` is what they become when a run begins: a
moment on the clock and a number of bytes that the process may hold by then. One deadline is made for a run and handed
from phase to phase (`during`), so that no phase has more time or memory than the ones before it have left. Every loop
that may take long calls it; it raises `errors.LimitReached`, the one exception that unwinds a run.

    deadline = Deadline(limits, "reading the level")
    for line in lines:
        deadline()
    ...
    search(deadline.during("searching"))

Memory: what the process held before the run is not the run's, so only what is added counts. The command line, whose
process exists for the run alone, counts everything (`held=0`).
"""

from __future__ import annotations

from time import perf_counter

from unpuzzle.errors import LimitReached

TICKS_PER_LOOK = 512
LOOKS_PER_MEMORY_LOOK = 16


class Limits:
    """Limits of one run: `time` in seconds of wall clock, `memory` in bytes; None is no limit.

    `held` is how many bytes of the process are not the run's; None: those that it holds when the run begins.
    """

    __slots__ = ("held", "memory", "time")

    def __init__(self, time: float | None = None, memory: int | None = None, *, held: int | None = None) -> None:
        if time is not None and not time > 0:
            raise ValueError(f"the time limit must be a positive number of seconds, not {time}")
        if memory is not None and memory <= 0:
            raise ValueError(f"the memory limit must be a positive number of bytes, not {memory}")
        self.time = time
        self.memory = memory
        self.held = held

    def __repr__(self) -> str:
        return f"Limits(time={self.time}, memory={self.memory})"


class Deadline:
    """Raises LimitReached where a limit of the run is reached; to be called often.

    Each call reads the clock, since the step before it may have taken long, such as a turn of a game whose rules are
    run in Python; memory is looked at now and then.

    Attributes:
        end: the `perf_counter()` value at which the time is up, or None.
        memory: the limit in bytes, or None.
        held: bytes of the process that are not the run's.
        phase: what the run is doing, as it is told: "the time limit was reached while {phase}".
    """

    __slots__ = ("end", "held", "looks", "memory", "phase", "ticks")

    def __init__(self, limits: Limits | None = None, phase: str = "working", *, start: float | None = None) -> None:
        """Begin a run. `start` is the `perf_counter()` value from which the time counts, by default now."""
        time, memory = (None, None) if limits is None else (limits.time, limits.memory)
        self.end = None if time is None else (perf_counter() if start is None else start) + time
        self.memory = memory
        held = None if limits is None else limits.held
        self.held = held if held is not None else 0 if memory is None else resident_memory()
        self.phase = phase
        self.ticks = self.looks = 0

    def during(self, phase: str) -> Deadline:
        """Return the same deadline for another phase of the run."""
        other = Deadline(None, phase)
        other.end, other.memory, other.held = self.end, self.memory, self.held
        return other

    @property
    def limits(self) -> Limits:
        """What is left, for a function that takes limits; of time that is up, a little."""
        return Limits(self.time_left(), self.memory, held=self.held)

    def __call__(self) -> None:
        self.ticks += 1
        if self.ticks % TICKS_PER_LOOK == 0 or self.over():
            self.look()

    def look(self) -> None:
        """Compare with the time limit now, and with the memory limit at first and then once in a while."""
        if self.over():
            raise LimitReached("timeout", f"the time limit was reached while {self.phase}")
        if self.memory is not None and self.looks % LOOKS_PER_MEMORY_LOOK == 0 and self.taken() > self.memory:
            raise LimitReached("memout", f"the memory limit was reached while {self.phase}")
        self.looks += 1

    def over(self) -> bool:
        """Return whether the time is up."""
        return self.end is not None and perf_counter() > self.end

    def taken(self) -> int:
        """Return the bytes that the run holds now."""
        return resident_memory() - self.held

    def time_left(self) -> float | None:
        """Return the seconds until the end, at least a millisecond; None without a time limit."""
        return None if self.end is None else max(self.end - perf_counter(), 0.001)

    def memory_left(self) -> int | None:
        """Return the bytes until the limit, at least one: so a search can say that they do not suffice; or None."""
        return None if self.memory is None else max(self.memory - self.taken(), 1)


def resident_memory() -> int:
    """Return the bytes that this process holds in memory now."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * _page_size()
    except OSError:
        import psutil

        return int(psutil.Process().memory_info().rss)


def _page_size() -> int:
    from os import sysconf

    return sysconf("SC_PAGE_SIZE")


def peak_memory() -> int | None:
    """Return the most bytes that this process has held, or None where the system does not tell."""
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:
        return None
    from sys import platform

    peak = getrusage(RUSAGE_SELF).ru_maxrss
    return peak if platform == "darwin" else peak * 1024
