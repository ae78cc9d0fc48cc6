"""Faults as data: where, how severe, what kind, in words, and the edit that mends it.

fault.line, fault.column            the first character, counted from 1
fault.end_line, fault.end_column    the character after the last one
fault.code                          the kind of fault, such as `unknown-type`; `codes` explains each
fault.fix                           an `Edit`, or None where only the author knows what was meant
"""

from __future__ import annotations

from unpuzzle.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

ERROR, WARNING = "error", "warning"


class Edit(Record):
    """The replacement of a range of a text: lines and columns from 1, the end exclusive. An empty range inserts."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Fault(Record):
    """One fault: its range, `severity` `error` or `warning`, a sentence, its code, and perhaps a correction.

    A place that is not known is None: then the fault is of the whole file, or the line is known and no more.
    """

    file: str | None
    line: int | None
    column: int | None
    severity: str
    message: str
    end_line: int | None = None
    end_column: int | None = None
    code: str = ""
    fix: Edit | None = None

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.severity}: {self.message}"


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return a text after edits; of two that overlap, the one that begins later is left out."""
    ends = [
        at + 1 for at, letter in enumerate(text) if letter == "\n" or (letter == "\r" and text[at + 1 : at + 2] != "\n")
    ]
    lines = [0, *ends]
    parts, done = [], 0
    for edit in sorted(dict.fromkeys(edits), key=lambda edit: (edit.line, edit.column)):
        start, end = (
            min(lines[min(line, len(lines)) - 1] + column - 1, len(text))
            for line, column in ((edit.line, edit.column), (edit.end_line, edit.end_column))
        )
        if start >= done:
            parts += [text[done:start], edit.text]
            done = end
    return "".join([*parts, text[done:]])
