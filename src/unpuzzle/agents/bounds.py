"""Bounds: what a call of a tool may take, whatever it asks for, and which files it may read."""

from __future__ import annotations

import os

from unpuzzle.errors import UsageError
from unpuzzle.record import Record

TEXTS = 4 << 20
"""The most bytes of all texts of a call."""
ANSWER = 1 << 20
"""The most bytes of an answer; a longer one fills an agent's memory and tells it little."""


class Bounds(Record):
    """The bounds of each call.

    Attributes:
        seconds: the most seconds of a call, wall clock.
        usual: the seconds of a call that asks for no number.
        memory: the most bytes that a command may hold.
        calls: how many calls run at the same time; others wait.
        root: the folder below which files are read; None where no file is.
    """

    seconds: float = 60.0
    usual: float = 20.0
    memory: int = 2 << 30
    calls: int = 2
    root: str | None = None

    def _require_sense(self) -> None:
        if self.root is not None:
            if not os.path.isdir(self.root):
                raise UsageError(f"the root {self.root} is not a folder")
            object.__setattr__(self, "root", os.path.realpath(self.root))

    def time(self, wish: float | None) -> float:
        """Return the seconds of a call that asks for some."""
        return min(self.usual if wish is None else wish, self.seconds)
