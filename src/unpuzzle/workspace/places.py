r"""Positions in texts: Python offsets, and the lines and UTF-16 columns that editors count.

    lines = Lines("(p 𝛼)\n(q)")
    lines.position(4)          Position(line=0, column=5): 𝛼 counts as two
    lines.offset(1, 1)         7

Both lines and columns are counted from 0. Lines end at \n, \r\n or \r, and at nothing else. Faults count code
points from 1; `of_fault` turns them.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from unpuzzle.pddl.formulas import Source


class Position(NamedTuple):
    """A line, and a column in UTF-16 code units, both from 0."""

    line: int
    column: int


class Range(NamedTuple):
    """A range between two positions; the end is exclusive."""

    start: Position
    end: Position


class Lines:
    """The lines of a text, to convert between offsets and positions."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts: list[int] = Source(text).lines
        self.narrow: bool = text.isascii()

    def position(self, offset: int) -> Position:
        """Return the line and column of an offset."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        return Position(line, self._units(self.starts[line], offset))

    def range(self, start: int, end: int) -> Range:
        """Return the range between two offsets."""
        return Range(self.position(start), self.position(end))

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column; a column beyond the line counts as its end, as LSP demands."""
        if line < 0:
            return 0
        if line >= len(self.starts):
            return len(self.text)
        start, end = self.starts[line], self._end(line)
        if self.narrow:
            return min(start + column, end)
        for offset in range(start, end):
            if column <= 0:
                return offset
            column -= 1 + (self.text[offset] > "\uffff")
        return end

    def of_fault(self, line: int, column: int) -> int:
        """Return the offset of a line and a column; both count from 1, the column in code points."""
        if line > len(self.starts):
            return len(self.text)
        return min(self.starts[line - 1] + max(column, 1) - 1, self._end(line - 1))

    def whole(self, line: int) -> tuple[int, int]:
        """Return the range of a line, counted from 0, without the blanks at the line's start and end."""
        start, end = self.starts[line], self._end(line)
        words = self.text[start:end].lstrip()
        return end - len(words), end - len(words) + len(words.rstrip())

    def _end(self, line: int) -> int:
        """Return the offset at which a line's text ends, before the line break."""
        if line + 1 == len(self.starts):
            return len(self.text)
        end = self.starts[line + 1] - 1
        return end - (end > self.starts[line] and self.text[end - 1 : end + 1] == "\r\n")

    def _units(self, start: int, end: int) -> int:
        if self.narrow:
            return end - start
        return end - start + sum(letter > "\uffff" for letter in self.text[start:end])


def changed(text: str, edit: Range, new: str) -> str:
    """Return a text with the range `edit` replaced by `new`."""
    lines = Lines(text)
    start, end = lines.offset(*edit.start), lines.offset(*edit.end)
    return text[:start] + new + text[max(start, end) :]


class Change(NamedTuple):
    """The replacement of a range of a text; start and end are offsets."""

    start: int
    end: int
    text: str


def difference(old: str, new: str) -> Change | None:
    """Return the single change of whole lines that turns one text into the other; None if the texts are equal."""
    if old == new:
        return None
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    first = 0
    while first < min(len(before), len(after)) and before[first] == after[first]:
        first += 1
    last = 0
    while last < min(len(before), len(after)) - first and before[-1 - last] == after[-1 - last]:
        last += 1
    start, end = len("".join(before[:first])), len(old) - len("".join(before[len(before) - last :]))
    return Change(start, end, "".join(after[first : len(after) - last]))


def applied(text: str, changes: list[Change]) -> str:
    """Return a text with changes applied; the changes must not overlap."""
    for change in sorted(changes, reverse=True):
        text = text[: change.start] + change.text + text[change.end :]
    return text
