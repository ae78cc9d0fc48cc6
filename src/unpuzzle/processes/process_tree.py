"""The processes of a running program: measure them, and end them all.

A descendant can leave its parent (a double fork), its process group and its session, so there are three ways to find
it, and all processes found are remembered:

    children   of every process known so far; sampled regularly; processes whose parent has ended are missed
    mark       a random word in the environment that all of them inherit; finds processes that left parent and session
    group      the session that the first process leads; its signal reaches processes that cleared their environment

The first process is a guardian if the system allows one, and ends all of them itself. This module is for what it misses
on systems other than Linux, or if it is killed. psutil compares start times, so that a reused id is never hit.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from typing import Any

import psutil

from unpuzzle.base.platform_facts import RUN, process_environment

_KILL_SECONDS = 1.2
_KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


class ProcessTree:
    """The processes of one program run; the environment of each process contains the word `mark`."""

    def __init__(self, mark: str) -> None:
        self._mark = mark.encode()
        self._known: set[Any] = set()
        self._leader: Any = None
        self._guardian: Any = None

    def adopt(self, pid: int, *, guardian: bool = False) -> None:
        """Add the first process, which leads a session; the memory of the process `guardian` does not count."""
        with suppress(psutil.Error):  # it has ended, and nobody has to wait for it, as SIGCHLD is ignored
            self._leader = psutil.Process(pid)
            self._guardian = self._leader if guardian else None
            self._known.add(self._leader)

    def usage(self, *, exact: bool = False) -> tuple[int, int, float]:
        """Return the resident bytes and processor seconds of all processes, and the largest address space of one.

        If `exact`, pages that they share count once; this is slow if there are many pages.
        """
        self._gather()
        resident = largest = 0
        cpu = 0.0
        for process in tuple(self._known):
            try:
                cpu += sum(process.cpu_times()[:4])  # including children that have ended
                # The guardian and the process between are in one session.
                if self._guardian is None or os.getsid(process.pid) != self._guardian.pid:
                    info = process.memory_full_info() if exact else process.memory_info()
                    resident += getattr(info, "pss", info.rss)
                    largest = max(largest, info.vms)
            except psutil.NoSuchProcess:  # at once, before its id can belong to another process
                self._known.discard(process)
            except (psutil.Error, OSError):
                pass
        return resident, largest, cpu

    def end(self, patience: float) -> None:
        """Ask all processes to end, and kill them after `patience` seconds or when an interrupt arrives."""
        alive: list[Any] | None = None
        try:
            if alive := self._alive():
                self._signal(alive, signal.SIGTERM)
                self._wait(patience)
        finally:
            deadline = time.monotonic() + _KILL_SECONDS
            # Processes born during this round are found in the next one.
            while alive != [] and (alive := self._alive()) and time.monotonic() < deadline:
                # The guardian last: until then who loses its parent becomes its child, and is found.
                self._signal([each for each in alive if each != self._guardian] or alive, _KILL)
                self._wait(0.05)
            if self._guardian in (alive or ()):
                self._signal([self._guardian], _KILL)

    def continue_guardian(self) -> None:
        """Continue the guardian process if a program has stopped it."""
        with suppress(psutil.Error, OSError):
            if self._guardian is not None and self._guardian.status() == psutil.STATUS_STOPPED:
                self._guardian.resume()

    def _wait(self, seconds: float) -> None:
        deadline, pause = time.monotonic() + seconds, 0.001
        while time.monotonic() < deadline and any(map(_is_alive, self._known)):
            time.sleep(pause)
            pause = min(2 * pause, 0.02)

    def _signal(self, alive: list[Any], number: int) -> None:
        if self._guardian in (None, *alive) and self._leader is not None and self._leader.is_running():
            with suppress(OSError, AttributeError):  # Windows has no groups
                os.killpg(self._leader.pid, number)
        for process in alive:
            with suppress(psutil.Error, OSError):
                process.send_signal(number)

    def _alive(self) -> list[Any]:
        self._gather()
        for pid in psutil.pids():
            with suppress(psutil.Error, OSError):
                if self._mark in process_environment(pid, RUN):
                    self._known.add(psutil.Process(pid))
        return [process for process in self._known if _is_alive(process)]

    def _gather(self) -> None:
        """Find new descendants of the known processes, and forget processes that have ended."""
        self._known = {process for process in self._known if process.is_running()}  # whose ids are still their own
        known = [process.pid for process in self._known]
        for pid in known:
            for child in set(_children(pid)).difference(known):
                known.append(child)
                with suppress(psutil.Error):
                    self._known.add(psutil.Process(child))


def _children(pid: int) -> list[int]:
    """Return the children of a process; children that start or end at this moment may be missing.

    Linux lists them by thread, and spares us the whole table of processes.
    """
    children: list[int] = []
    with suppress(OSError, psutil.Error):
        if not os.path.exists(f"/proc/self/task/{os.getpid()}/children"):
            return [child.pid for child in psutil.Process(pid).children(recursive=True)]
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                children += map(int, file.read().split())
    return children


def _is_alive(process: Any) -> bool:
    with suppress(psutil.Error):
        # An orphan may remain a zombie until somebody waits for it; it does not run any more.
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    return False
