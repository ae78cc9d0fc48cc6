"""Replacements for standard streams that the caller has closed (`>&-`): reading and writing raise OSError.

Python has None in their place, and the system gives their numbers to the next files that are opened; libraries and
child processes would then write into these. So each number is occupied by a file that can do only the opposite: the
input can only be written, the outputs can only be read.
"""

from __future__ import annotations

import os
import sys

from unpuzzle.base.type_hints import Any

OPPOSITE = {"stdin": (0, "r", os.O_WRONLY), "stdout": (1, "w", os.O_RDONLY), "stderr": (2, "w", os.O_RDONLY)}
"""By name: the number of its file, how Python opens it, and how the system does."""


def replace_closed() -> None:
    for name, (number, mode, opposite) in OPPOSITE.items():
        if getattr(sys, name) is not None:
            continue
        try:
            os.fstat(number)
        except OSError:  # the number is free
            opened = os.open(os.devnull, opposite)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
        stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 - open as long as we run
        setattr(sys, name, stream)


class Aside:
    """A replacement of stdout while a command works: output of puzzles goes to stderr, as stdout is for results."""

    def __enter__(self) -> None:
        self._stdout, sys.stdout = sys.stdout, self

    def __exit__(self, *_: object) -> None:
        sys.stdout = self._stdout

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stdout, name)


def silence(name: str) -> None:
    """Discard everything that is still written to a standard stream."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, getattr(sys, name).fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass  # it is no file (a test's buffer): there is nothing to silence
