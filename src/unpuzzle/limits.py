"""The limits that go into a run. A leaf."""

from __future__ import annotations


class Limits:
    """Limits of one run: `time` in seconds of wall clock, `memory` in bytes; None is no limit."""

    __slots__ = ("memory", "time")

    def __init__(self, time: float | None = None, memory: int | None = None) -> None:
        if time is not None and not time > 0:
            raise ValueError(f"the time limit must be a positive number of seconds, not {time}")
        if memory is not None and memory <= 0:
            raise ValueError(f"the memory limit must be a positive number of bytes, not {memory}")
        self.time = time
        self.memory = memory

    def __repr__(self) -> str:
        return f"Limits(time={self.time}, memory={self.memory})"
