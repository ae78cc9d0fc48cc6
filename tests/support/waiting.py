"""Waiting for another process or thread, with so much patience that only what never happens fails.

The one place where tests read a clock, and no test passes for being quick.
"""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psutil

from unpuzzle.base.run import Limits

PATIENCE = 300.0  # seconds; a hundred times what the slowest of these takes


def wait_until(happens: Callable[[], object], what: str) -> None:
    """Return as soon as something is so; AssertionError with `what` if it never comes."""
    deadline = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < deadline, f"in {PATIENCE:.0f} seconds it did not happen that {what}"
        time.sleep(0.01)


def cpu_seconds(process: psutil.Process) -> float:
    """Processor time of a process and its children, as far as they live."""
    total = 0.0
    for member in (process, *process.children(recursive=True)):
        try:
            total += sum(member.cpu_times()[:2])
        except psutil.Error:  # it has just ended
            pass
    return total


def wait_until_busy(process: subprocess.Popen[str], seconds: float) -> None:
    """Until a process and its children have used as much processor time; it must not end before."""
    watched = psutil.Process(process.pid)

    def busy() -> bool:
        assert process.poll() is None, process.communicate()
        return cpu_seconds(watched) > seconds

    wait_until(busy, f"process {process.pid} is busy")


def is_gone(process: psutil.Process | int) -> bool:
    """Whether it has ended; it may be that nobody is there to bury it."""
    try:
        found = psutil.Process(process) if isinstance(process, int) else process
        return bool(found.status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


@contextmanager
def interrupting(happened: Callable[[], object]) -> Iterator[None]:
    """Within it, this process gets Ctrl-C once something has happened; it must reach the main thread within it."""

    def strike() -> None:
        wait_until(lambda: happened() or over.is_set(), "it is time for Ctrl-C")
        if not over.is_set():
            os.kill(os.getpid(), signal.SIGINT)

    over = threading.Event()
    thread = threading.Thread(target=strike)
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        thread.start()
        yield
    finally:
        over.set()
        thread.join()
        signal.signal(signal.SIGINT, handler)


@contextmanager
def cancelling(limits: Limits, happened: Callable[[], object]) -> Iterator[None]:
    """Within it, another thread cancels limits once something has happened."""

    def cancel() -> None:
        wait_until(lambda: happened() or over.is_set(), "it is time to cancel")
        limits.cancel()

    over = threading.Event()
    thread = threading.Thread(target=cancel)
    try:
        thread.start()
        yield
    finally:
        over.set()
        thread.join()
