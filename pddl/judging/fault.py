"""Faults as data: place, severity, kind, message, and the edit that corrects the fault.

fault.line, fault.column            the first character, counted from 1
fault.end_line, fault.end_column    the character after the last one
fault.code                          the kind of fault, such as `unknown-type`; `codes` explains each
fault.fix                           an `Edit` that cannot change what the author meant, or None; `lint --fix` makes it
fault.suggestion                    an `Edit` that is a guess, for the author to judge; None beside a `fix`
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache

from unpuzzle.base.values import Record
from unpuzzle.pddl.formulas import Source
from unpuzzle.table import notebook_html

ERROR, WARNING = "error", "warning"


class Edit(Record):
    """The replacement of a range of text: lines and columns from 1, the end exclusive; an empty range inserts text."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Fault(Record):
    """A fault: its range, `severity` (`error` or `warning`), a sentence, its code, and perhaps a correction.

    A `fix` can be applied without asking, as nothing else can have been meant; a `suggestion` is a guess.

    An unknown part of the place is None: the fault then belongs to the whole file or to a whole line.
    """

    _repr_html_ = notebook_html

    file: str | None
    line: int | None
    column: int | None
    severity: str
    message: str
    end_line: int | None = None
    end_column: int | None = None
    code: str = ""
    fix: Edit | None = None
    places: int = 1
    suggestion: Edit | None = None

    def corrected(self, edit: Edit | None, sure: bool) -> Fault:
        """Return the fault with an edit as its correction if the edit is sure, or else as a suggestion."""
        return self.replace(fix=edit, suggestion=None) if sure else self.replace(fix=None, suggestion=edit)

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return f"{place}: {self.severity}: {self.message}"

    def __repr__(self) -> str:
        return f"Fault({self}{f' [{self.code}]' if self.code else ''})"


class Faults(list[Fault]):
    """A list of faults, which notebooks show as a table."""

    _repr_html_ = notebook_html

    __slots__ = ()


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return a text with edits applied; of two overlapping edits, the edit that begins later is left out."""
    source, parts, done = Source(text), list[str](), 0
    for edit in sorted(dict.fromkeys(edits), key=lambda edit: (edit.line, edit.column)):
        start, end = source.offset(edit.line, edit.column), source.offset(edit.end_line, edit.end_column)
        if start >= done:
            parts += [text[done:start], edit.text]
            done = end
    return "".join([*parts, text[done:]])


def together(text: str, edits: list[Edit]) -> Edit:
    """Return one edit with the same result as several edits, which must not overlap."""
    first = min(edits, key=lambda edit: (edit.line, edit.column))
    last = max(edits, key=lambda edit: (edit.end_line, edit.end_column))
    source, after = Source(text), edited(text, edits)
    start, end = source.offset(first.line, first.column), source.offset(last.end_line, last.end_column)
    changed = after[start : len(after) - (len(text) - end)]
    return Edit(first.line, first.column, last.end_line, last.end_column, changed)


# The codes of faults, each with its meaning and an example, read from a text file (one for each language).
#
# unknown-type error                a code, and the severity of its faults; `syntax` is an error that stops the reader
# A type is used that ...           some sentences
# wrong: (:objects a - blok)        an example
# right: (:objects a - block)

KINDS = ("syntax", "error", "warning")


class Code(Record):
    """The explanation of a fault code: its kind, some sentences, and an example of wrong and right text."""

    code: str
    kind: str
    about: str
    wrong: str
    right: str

    def __str__(self) -> str:
        wrong, right = (text.replace("\n", "\n    ") for text in (self.wrong, self.right))
        return f"{self.code} ({self.kind})\n\n{self.about}\n\nwrong:\n    {wrong}\nright:\n    {right}"


def read_codes(path: str) -> dict[str, Code]:
    with open(path, encoding="utf-8") as file:
        entries = [entry.split("\n") for entry in file.read().strip().split("\n\n")]
    return {code.code: code for code in map(_code, entries)}


def _code(lines: list[str]) -> Code:
    name, kind = lines[0].split()
    parts: dict[str, list[str]] = {"about": [], "wrong": [], "right": []}
    current = "about"
    for line in lines[1:]:
        label, colon, rest = line.partition(":")
        begins = bool(colon) and label in ("wrong", "right")
        current = label if begins else current
        parts[current].append(rest[1:] if begins else line.removeprefix("       "))
    about = " ".join(parts["about"])
    return Code(name, kind, about, "\n".join(parts["wrong"]), "\n".join(parts["right"]))


@lru_cache(maxsize=1)
def codes() -> dict[str, Code]:
    """Return the fault codes of PDDL and of plans, by name."""
    return read_codes(os.path.join(os.path.dirname(__file__), "codes.txt"))
