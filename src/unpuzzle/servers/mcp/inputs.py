"""The texts of a tool call, put into a separate folder, so that a command can read no other files.

    inputs = Inputs(bounds)
    inputs.add("domain.pddl", text)          the name of the file, as the command gets it

If an argument names a file below the root, its text is read here, links resolved, and the command gets the copy.
Puzzles in Python are refused: their code could read and write whatever its user can.

`Bounds` limits the resources of a call, whatever it asks for, and the files that it may read.
"""

from __future__ import annotations

import os
import re

from unpuzzle.base.errors import UsageError
from unpuzzle.base.values import Record
from unpuzzle.pddl.matching import pddl_text

TEXTS = 4 << 20
"""The largest number of bytes that the texts of one call may have together."""
ANSWER = 1 << 20
"""The most bytes of an answer; a longer one fills an agent's memory and helps it little."""


class Bounds(Record):
    """The limits of each call.

    Attributes:
        seconds: the most seconds of a call, wall clock.
        usual: the seconds of a call that asks for no number.
        memory: the most bytes that a command may use.
        calls: how many calls run at the same time; others wait.
        root: the folder below which files are read; None if no files are read.
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
        """Return the seconds that a call may take: the requested or the usual time, up to the server's maximum."""
        return min(self.usual if wish is None else wish, self.seconds)


ENDINGS = ".pddl .plan .soln .txt .sok .xsb .slc .lay .json .py".split()
"""The endings of file names; other texts without a slash are not file names."""
LONGEST_NAME = 300
TASK = re.compile(r"\A\ufeff?\s*(;[^\n]*\n\s*)*\(\s*define\b|\(\s*define\s*\(\s*(domain|problem)\b", re.IGNORECASE)
"""How a PDDL domain or problem begins; a model's answer may have words or fences of Markdown around it."""


def is_path(text: str) -> bool:
    """Return whether an argument is the name of a file, rather than a text itself."""
    one_line = "\n" not in text.strip() and len(text) <= LONGEST_NAME and "(" not in text
    return one_line and ("/" in text or "\\" in text or os.path.splitext(text.strip())[1].lower() in ENDINGS)


class Inputs:
    """The texts of one call, by the file names that the command gets; `shown` has their names for messages."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds: Bounds = bounds
        self.files: dict[str, str] = {}
        self.shown: dict[str, str] = {}

    def add(self, name: str, argument: str) -> str:
        """Add a text, or the text of a file below the root; return the file name that the command gets."""
        text = self.text(argument)
        if sum(map(len, self.files.values())) + len(text) > TEXTS:
            raise UsageError(f"the texts of a call have more than {TEXTS >> 20} MB together: send shorter texts")
        self.files[name] = text
        if is_path(argument):
            self.shown[name] = argument.strip()
        return name

    def text(self, argument: str) -> str:
        """Return the argument itself, or the content of the file that the argument names."""
        return self._read(argument.strip()) if is_path(argument) else argument

    def _read(self, name: str) -> str:
        """Return the text of a file below the root. Raises UsageError for any other file."""
        root = self.bounds.root
        if root is None:
            raise UsageError(f"this server reads no files (it was started without --root): send the text of {name}")
        if name.lower().endswith(".py"):
            raise UsageError(f"{name}: this server runs no puzzles in Python, whose code could read any file")
        path = os.path.realpath(os.path.join(root, name))
        if os.path.commonpath([root, path]) != root:
            raise UsageError(f"{name} is not below the folder that this server reads")
        if not os.path.isfile(path):
            raise UsageError(f"there is no file {name}")
        if os.path.getsize(path) > TEXTS:
            raise UsageError(f"{name} has more than {TEXTS >> 20} MB")
        with open(path, "rb") as file:
            return pddl_text(name, file.read(TEXTS)).text


def is_task_text(text: str) -> bool:
    """Return whether a text is a PDDL domain or problem."""
    return TASK.search(text) is not None
