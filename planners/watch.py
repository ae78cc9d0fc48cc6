"""Limits while this process works: time and memory, looked at now and then; for everything that searches in Python."""

from __future__ import annotations

from time import perf_counter

from unpuzzle.errors import UnpuzzleError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from unpuzzle.limits import Limits

TICKS_PER_LOOK = 512
LOOKS_PER_MEMORY_LOOK = 16


class LimitReachedError(UnpuzzleError):
    """Ends the work; `status` is `timeout` or `memout`."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status


class Watch:
    """Called often, it raises LimitReachedError where a limit of the run is reached.

    Each call reads the clock, since the step before it may have taken long, such as a turn of a game whose rules are
    run in Python; memory is looked at now and then.
    """

    __slots__ = ("deadline", "looks", "memory", "phase", "ticks")

    def __init__(self, limits: Limits, phase: str) -> None:
        self.deadline = None if limits.time is None else perf_counter() + limits.time
        self.memory = limits.memory
        self.phase = phase
        self.ticks = self.looks = 0

    def __call__(self) -> None:
        self.ticks += 1
        if self.ticks % TICKS_PER_LOOK == 0 or self.over():
            self.look()

    def look(self) -> None:
        """Compare with the time limit now, and with the memory limit at first and then once in a while."""
        if self.over():
            raise LimitReachedError("timeout", f"the time limit was reached while {self.phase}")
        if self.memory is not None and self.looks % LOOKS_PER_MEMORY_LOOK == 0 and resident_memory() > self.memory:
            raise LimitReachedError("memout", f"the memory limit was reached while {self.phase}")
        self.looks += 1

    def over(self) -> bool:
        """Whether the time is up."""
        return self.deadline is not None and perf_counter() > self.deadline

    def time_left(self) -> float | None:
        """Seconds until the deadline, at least a millisecond; None without one."""
        return None if self.deadline is None else max(self.deadline - perf_counter(), 0.001)

    def memory_left(self) -> int | None:
        """Bytes until the limit, at least one, since that is how a search can say that they do not suffice; or None."""
        return None if self.memory is None else max(self.memory - resident_memory(), 1)


class Within:
    """While it lasts, the moves of a game look at limits, if the game has any that may take long (`Interruptible`)."""

    __slots__ = ("_before", "_game", "_tick")

    def __init__(self, game: Any, tick: Callable[[], None] | None) -> None:
        from unpuzzle.puzzle.capabilities import Interruptible, offered

        self._game = None if game is None else offered(game, Interruptible)
        self._tick = tick
        self._before: Callable[[], None] | None = None

    def __enter__(self) -> None:
        if self._game is not None:
            self._before, self._game.interrupts = self._game.interrupts, self._tick

    def __exit__(self, *error: object) -> None:
        if self._game is not None:
            self._game.interrupts = self._before


def within(game: Any, limits: Limits, phase: str) -> Within:
    """The same by limits; `phase` is what the game's moves are made for. Other games do not even start a clock."""
    from unpuzzle.puzzle.capabilities import Interruptible, offered

    long = game is not None and offered(game, Interruptible) is not None
    return Within(game, Watch(limits, phase)) if long else Within(None, None)


def resident_memory() -> int:
    """Bytes that this process holds in memory now."""
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
    """The most bytes that this process has held, or None where the system does not tell."""
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:
        return None
    from sys import platform

    peak = getrusage(RUSAGE_SELF).ru_maxrss
    return peak if platform == "darwin" else peak * 1024
