"""The last resort for a command's limits: a timer of the system, for code that does not look at them itself.

Our own loops look at the run's deadline, end at the limit and keep what they have. A user's puzzle, or a library, does
not. So a timer interrupts the process from time to time, and raises LimitReached where a limit is passed by more than a
margin. During one long call of compiled code nothing can be raised before it returns; code that may take long like this
runs in a process of its own instead. Only the console script sets the timer, since its process exists for one command.
"""

from __future__ import annotations

import signal
from argparse import Namespace
from time import perf_counter, process_time
from types import FrameType

from unpuzzle.cli.edge.signals import loads_library
from unpuzzle.errors import LimitReached
from unpuzzle.limits import resident_memory

EVERY = 0.05
"""Seconds between two looks."""
LATE, LARGE = 0.15, 1.04
"""Seconds beyond the time limit, and the factor of the memory limit, after which the alarm strikes."""
AGAIN = 1.0
"""Seconds until it strikes again: time for whoever has caught the error to keep what there is."""


class Alarm:
    """A block in which a command that passes the limits in its options is interrupted by LimitReached."""

    def __init__(self, options: Namespace) -> None:
        each = getattr(options, "limits_of_each", False)  # of many runs in one command: that of all is longer
        seconds = None if each else getattr(options, "time_limit", None)
        memory = getattr(options, "memory_limit", None)
        cpu = None if each else getattr(options, "cpu_limit", None)
        self._cpu_end = None if cpu is None else options.cpu_clock + cpu + LATE
        self._end = None if seconds is None else options.clock + seconds + LATE
        self._memory = None if memory is None else int(memory * LARGE)
        self._before: object = None

    def __enter__(self) -> None:
        if (self._end, self._cpu_end, self._memory) != (None, None, None) and hasattr(signal, "setitimer"):
            self._before = signal.signal(signal.SIGALRM, self._ring)
            signal.setitimer(signal.ITIMER_REAL, EVERY, EVERY)

    def __exit__(self, *raised: object) -> None:
        if self._before is not None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        """Compare with the limits; the system calls this, wherever the process is.

        While a library loads, which an exception would break, nothing is raised until the next time.
        """
        if loads_library(frame):
            return
        now = perf_counter()
        if self._end is not None and now > self._end:
            self._end = now + AGAIN
            raise LimitReached("timeout", "the time limit was reached")
        if self._cpu_end is not None and process_time() > self._cpu_end:
            self._cpu_end += AGAIN
            raise LimitReached("timeout", "the limit of processor time was reached")
        if self._memory is not None and resident_memory() > self._memory:
            self._memory = None
            self._end = now + AGAIN
            raise LimitReached("memout", "the memory limit was reached")
