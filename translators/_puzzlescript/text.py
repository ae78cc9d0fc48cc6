"""From a game's text to lines by section, without comments and, but for messages, in lower case.

A comment stands in parentheses, may hold others and may go on over lines. In rows of rules and levels a comment takes
the rest of its line with it. A line of `=` signs is decoration. Where a comment is taken out, blanks are put in, so
that columns stay what they are.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.translators._puzzlescript.faults import Faults

SECTIONS = ("objects", "legend", "sounds", "collisionlayers", "rules", "winconditions", "levels")
"""In the order in which they stand; what comes before them is the prelude."""

PRELUDE = "prelude"
_HEADING = re.compile(rf"\s*({'|'.join(SECTIONS)})(?!\w)\s*", re.IGNORECASE)
_MESSAGE = re.compile(r"\s*message\b", re.IGNORECASE)
_MESSAGE_OF_RULE = re.compile(r"(?<!\w)message\b", re.IGNORECASE)
_FREE_TEXT = re.compile(r"\s*(title|author|homepage)\b", re.IGNORECASE)


class Line:
    """A line of a section: its number from 1, its code in lower case, and the line as it was written."""

    __slots__ = ("code", "number", "written")

    def __init__(self, number: int, code: str, written: str) -> None:
        self.number = number
        self.code = code
        self.written = written

    def column(self, word: str) -> int:
        """Where a word stands first, from 1."""
        return max(self.code.find(word), 0) + 1


class _Reader:
    """Walks over a text, line by line: `section` is the one that is open, `depth` how many comments are."""

    def __init__(self, text: str, faults: Faults) -> None:
        self.lines = text.removeprefix("\ufeff").split("\n")
        self.faults = faults
        self.sections: dict[str, list[Line]] = {PRELUDE: []}
        self.section = PRELUDE
        self.depth = 0

    def read(self) -> None:
        """Puts each line into its section."""
        opened = 0
        for number, raw in enumerate(self.faults.each(self.lines), 1):
            written = raw.rstrip("\r")
            before = self.depth
            code = self._uncommented(written)
            opened = number if self.depth and not before else opened
            if code.strip() or not (before or "(" in written):
                self._take(number, code, written)
        if self.depth:
            self.faults.warning(opened, "this comment is not closed", "(")

    def _take(self, number: int, code: str, written: str) -> None:
        heading = _HEADING.match(code) if self.section != "levels" else None
        if heading:
            self._open(heading[1].lower(), number)
            return
        bare = code.strip()
        if (bare and bare.strip("=")) or (not bare and self.section in ("levels", "objects")):
            self.sections[self.section].append(Line(number, code.lower(), written))

    def _open(self, name: str, number: int) -> None:
        """Begins a section, in which the lines to come are put."""
        place = SECTIONS.index(self.section) + 1 if self.section != PRELUDE else 0
        expected = SECTIONS[place : place + 1]
        if name in self.sections:
            self.faults.error(number, f"a second section {name.upper()}: each may stand once")
        elif (name,) != expected:
            told = f"expected {expected[0].upper()}" if expected else "LEVELS is the last one"
            self.faults.error(number, f"the section {name.upper()} stands in the wrong place: {told}")
        self.sections.setdefault(name, [])
        self.section = name

    def _uncommented(self, line: str) -> str:
        """A line without its comments."""
        if not self.depth and ("(" not in line and ")" not in line):
            return line
        if not self.depth and self.section == "levels" and _MESSAGE.match(line):
            return line
        if not self.depth and self.section == PRELUDE and _FREE_TEXT.match(line):
            return line
        before = self.depth
        code = self._blanked(line)
        if not before and self.section in ("rules", "levels") and "(" in line:
            cut = len(line) if "(" not in line else line.index("(")
            return code[:cut] if not _MESSAGE_OF_RULE.search(line[:cut]) else code
        return code

    def _blanked(self, line: str) -> str:
        """A line with blanks in place of comments."""
        kept = []
        for place, char in enumerate(line):
            self.depth += char == "("
            kept.append(" " if self.depth else char)
            self.depth -= char == ")" and self.depth > 0
            if not self.depth and self.section == "rules" and _MESSAGE_OF_RULE.match(line, place):
                return "".join(kept) + line[place + 1 :]
        return "".join(kept)


def sections_of(text: str, faults: Faults) -> dict[str, list[Line]]:
    """The lines of each section. Blank lines are kept in LEVELS, where they end a level, and in OBJECTS."""
    reader = _Reader(text, faults)
    reader.read()
    for name in SECTIONS:
        if name not in reader.sections:
            if name not in ("sounds", "levels"):
                faults.error(len(reader.lines), f"there is no section {name.upper()}")
            reader.sections[name] = []
    return reader.sections
