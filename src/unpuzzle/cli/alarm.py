"""The last resort for a command's limits: a system timer that interrupts code that does not check the limits.

Our own loops check the run's limits, end there and keep their results. A user's puzzle, or a library, does
not. So a timer interrupts the process from time to time, and raises LimitReached if a limit is exceeded by more than a
margin. During one long call of compiled code nothing can be raised before it returns; such code runs in a process of
its own instead. Only the console script sets the timer, since its process exists for one command.

Time counts by the current run: the run of the command or, if the limits are for each of several runs, such as the
levels of `survey`, the one in progress.

On systems without such a timer (Windows), a thread interrupts the main thread as often. Python then checks the limits
between two of its own instructions: a long sleep is not cut short.
"""

from __future__ import annotations

import _thread
import signal
from time import perf_counter, sleep
from types import FrameType

from unpuzzle.base.errors import LimitReached
from unpuzzle.base.platform_facts import resident_memory
from unpuzzle.base.run import current
from unpuzzle.cli.signals import loads_library

EVERY = 0.05
"""The seconds between two checks of the limits."""
LATE, LARGE = 0.15, 1.04
"""Seconds beyond the time limit, and the factor of the memory limit, after which the alarm strikes."""
BELL = signal.SIGABRT
"""The signal that a thread simulates: every system has it, and nobody sends it without ending the process."""
AGAIN = 1.0
"""Seconds until the alarm strikes again: time for the caller to save the results."""


class Alarm:
    """A context manager that raises LimitReached in a command when it exceeds the limits of its current run.

    `memory` is the limit in bytes, or None.
    """

    def __init__(self, memory: int | None) -> None:
        self._quiet_until = 0.0
        self._memory = None if memory is None else int(memory * LARGE)
        self._set = False

    def __enter__(self) -> None:
        self._set = True
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self._check_limits)
            signal.setitimer(signal.ITIMER_REAL, EVERY, EVERY)
        else:
            signal.signal(BELL, self._check_limits)
            _thread.start_new_thread(self._interrupt_at_intervals, ())

    def __exit__(self, *raised: object) -> None:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
        self._set = False

    def _interrupt_at_intervals(self) -> None:
        """Make the main thread call `_check_limits` at intervals; this function runs in a separate thread."""
        while self._set:
            _thread.interrupt_main(BELL)
            sleep(EVERY)

    def _check_limits(self, number: int, frame: FrameType | None) -> None:
        """Check the limits; the system may call this method at any point of the program.

        Nothing is raised while a library loads, which an exception would break, or after the block has ended.
        """
        if loads_library(frame) or not self._set:
            return
        now = perf_counter()
        if now < self._quiet_until:
            return
        if self._memory is not None and resident_memory() > self._memory:
            self._memory = None
            self._quiet_until = now + AGAIN
            raise LimitReached("memout", "the memory limit was reached")
        if current().late(LATE):
            self._quiet_until = now + AGAIN
            current().look()
