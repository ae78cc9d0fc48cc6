"""From the bytes of a file to lines by section, without comments and, but for messages, in lower case.

Games are UTF-8, or UTF-16 with a byte order mark, as some editors write them. Other bytes become unknown letters: old
files with another encoding have them in titles and messages, where they do no harm.

A comment stands in parentheses, may hold others and may go on over lines. In rows of rules and levels a comment takes
the rest of its line with it. A line of `=` signs is decoration. Comments are replaced by blanks, so that columns do not
change.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from unpuzzle.errors import ParseError
from unpuzzle.limits import Deadline, read_bytes
from unpuzzle.puzzlescript.compiling.faults import Faults

SECTIONS = ("objects", "legend", "sounds", "collisionlayers", "rules", "winconditions", "levels")
"""The sections in their order; the text before them is the prelude."""

PRELUDE = "prelude"
_HEADING = re.compile(rf"\s*({'|'.join(SECTIONS)})(?!\w)\s*")
_MESSAGE_OF_RULE = re.compile(r"(?<!\w)message\b")
_STRAY = " \t\n\r\f\v\xa0)"
_FREE_TEXT = re.compile(r"(title|author|homepage)\b")
_CUT = ("rules", "winconditions", "levels")
"""Sections in which a comment takes the rest of its line with it."""


def heading_of(line: str) -> str | None:
    """Return the section that begins in a line, even inside a comment; None for other lines."""
    match = _HEADING.match(line.lower())
    return match[1] if match else None


class Line(NamedTuple):
    """A line of a section: its number from 1, its code in lower case, and the original line.

    `stray`: it begins with a `)` that closes no comment. PuzzleScript then ignores much of the line.
    """

    number: int
    code: str
    original: str
    stray: bool = False


class _Reader:
    """Walks over a text, line by line: `section` is the open section, `depth` the number of open comments."""

    def __init__(self, text: str, faults: Faults) -> None:
        self.lines = text.removeprefix("\ufeff").split("\n")
        self.faults = faults
        self.sections: dict[str, list[Line]] = {PRELUDE: []}
        self.section = PRELUDE
        self.depth = 0

    def read(self) -> None:
        """Put each line into its section."""
        opened = 0
        for number, raw in enumerate(self.faults.each(self.lines), 1):
            original = raw.rstrip("\r").replace("\ufeff", " ")  # which JavaScript takes for a blank
            before = self.depth
            code = self._uncommented(original.lower())
            opened = number if self.depth and not before else opened
            # blanks after a comment make a blank line, a comment alone does not
            if code.strip() or not (self.depth or original.endswith(")")):
                self._take(number, code, original)
        if self.depth:
            self.faults.warning("script-comment", opened, "this comment is not closed", "(")

    def _take(self, number: int, code: str, original: str) -> None:
        bare = code.strip()
        stray = bare.startswith(")")
        if stray:
            self.faults.warning("script-comment", number, "this `)` closes no comment", ")")
            start = len(code) - len(code.lstrip(_STRAY))
            code = " " * start + code[start:]
            bare = code.strip()
        heading = _HEADING.match(code) if self.section != "levels" and not stray else None
        if heading:
            self._open(heading[1], number)
        elif (bare and bare.strip("=")) or (not bare and not stray and self.section in ("levels", "objects")):
            self.sections[self.section].append(Line(number, code, original, stray))

    def _open(self, name: str, number: int) -> None:
        """Begin a section for the next lines."""
        place = SECTIONS.index(self.section) + 1 if self.section != PRELUDE else 0
        expected = SECTIONS[place : place + 1]
        if name in self.sections:
            self.faults.error("script-section", number, f"a second section {name.upper()}: each may stand once")
        elif (name,) != expected:
            expectation = f"expected {expected[0].upper()}" if expected else "LEVELS is the last one"
            self.faults.error(
                "script-section", number, f"the section {name.upper()} stands in the wrong place: {expectation}"
            )
        self.sections.setdefault(name, [])
        self.section = name

    def _uncommented(self, line: str) -> str:
        """Return a line with blanks for comments, and for the text after them in sections where they end a line."""
        if not self.depth and "(" not in line:
            return line
        code: list[str] = []
        is_cut = has_code = False
        for place, char in enumerate(line):
            if not self.depth and self._frees(line, place, has_code):
                return "".join(code) + ("" if is_cut else line[place:])
            is_cut = is_cut or (char == "(" and has_code and not self.depth and self.section in _CUT)
            self.depth += char == "("
            code.append(" " if self.depth or is_cut else char)
            has_code = has_code or not code[-1].isspace()
            self.depth -= char == ")" and self.depth > 0
        return "".join(code)

    def _frees(self, line: str, place: int, has_code: bool) -> bool:
        """Return whether the rest of a line is free text, in which parentheses are no comments."""
        if self.section == "rules":
            return line[place] == "m" and _MESSAGE_OF_RULE.match(line, place) is not None
        if has_code:
            return False
        if self.section == "levels":
            return line.startswith("message", place)
        return self.section == PRELUDE and _FREE_TEXT.match(line, place) is not None


def sections_of(text: str, faults: Faults) -> dict[str, list[Line]]:
    """Return the lines of each section. Blank lines are kept in LEVELS, where they end a level, and in OBJECTS."""
    reader = _Reader(text, faults)
    reader.read()
    for name in SECTIONS:
        if name not in reader.sections:
            if name not in ("sounds", "levels"):
                faults.error("script-section", len(reader.lines), f"there is no section {name.upper()}")
            reader.sections[name] = []
    return reader.sections


_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def read_text(path: str, tick: Callable[[], None] | None = None) -> str:
    """Return the text of a file, with uniform line ends. Raises ParseError for other files.

    If `tick` is the deadline of a run, too large a file raises LimitReached.
    """
    try:
        data = read_bytes(path, tick if isinstance(tick, Deadline) else None, text=False)
    except FileNotFoundError:
        raise ParseError("there is no such file", file=path) from None
    return text_of(data, path)


def text_of(data: bytes, file: str | None = None) -> str:
    """Return bytes as a text. Raises ParseError for other data, such as a picture."""
    text = data.decode("utf-16" if data.startswith(_UTF_16) else "utf-8-sig", "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    place = text.find("\0")
    if place >= 0:
        line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
        raise ParseError(
            "this is not a text: it has a character with the number 0", file=file, line=line, column=column
        )
    return text
