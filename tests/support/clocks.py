"""Clocks that the tests wind. A limit of time is then reached when the test says so, on every machine alike."""

import time
from collections.abc import Callable
from typing import Any

HOURS = 100_000.0


class SecondsPerLook:
    """Stands in for `perf_counter` where limits are looked at: whoever reads it finds that a second has gone by.

    A limit of n seconds is so reached at the n-th look, and how often somebody looks is what is tested.
    """

    def __init__(self) -> None:
        self.reads = 0

    def __call__(self) -> float:
        self.reads += 1
        return float(self.reads)


class LeapingClock:
    """Stands in for the module `time`: true, but hours ahead from the moment at which something has happened.

    The time limit of a program is so reached when the program has done what the test is about, never before.
    """

    def __init__(self, happened: Callable[[], bool]) -> None:
        self.happened = happened

    def monotonic(self) -> float:
        return time.monotonic() + (HOURS if self.happened() else 0.0)

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)
