"""Conversion of a file's bytes to lines by section, without comments and, except for messages, in lower case.

Games are UTF-8, or UTF-16 with a byte order mark, as some editors write them. Other bytes become unknown letters: old
files with another encoding have them in titles and messages, where they do no harm.

A comment is in parentheses, may contain others and may continue over lines. In rules, win conditions and rows of levels
a comment takes the rest of its line with it. Comments are replaced by blanks, so that columns do not change. Of a rule
and a win condition, PuzzleScript reads the first piece of the line without a `(`, even if this is a piece of a comment:
of `(x) [ A ] -> [ B ]` it reads `x) [ A ] -> [ B ]`, and of `(x) (y) [ A ] -> [ B ]` only `x)`.

A line that begins with `=` signs is decoration, in LEVELS only if it has nothing else. Nothing but comments may follow
on it, and after the name of a section.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from unpuzzle.base.errors import ParseError
from unpuzzle.base.files import read_bytes
from unpuzzle.base.run import within_limits
from unpuzzle.puzzlescript.compiling.faults import MOST_ERRORS, Faults

SECTIONS = ("objects", "legend", "sounds", "collisionlayers", "rules", "winconditions", "levels")
"""The sections in their order; the text before them is the prelude."""

KEYWORDS = frozenset(
    (
        *SECTIONS,
        *"... | [ ] ^ v < > up down left right horizontal vertical orthogonal late rigid no random randomdir".split(),
        *"any all some moving stationary parallel perpendicular action message move create destroy cantmove".split(),
        *"cancel restart win again undo titlescreen startgame endgame startlevel endlevel showmessage".split(),
        *("closemessage", *(f"sfx{number}" for number in range(11))),
    )
)
"""Words with their own meaning, which rules may prefer to an object of the same name."""

PRELUDE = "prelude"
_HEADING = re.compile(rf"\s*({'|'.join(SECTIONS)})(?!\w)\s*")
_DECORATION = re.compile(rf"{_HEADING.pattern}|\s*=+")
_RULE = re.compile(r"->|[\[\]|+]|[^\[\]|\s]+")
"""A word or a mark of a rule; `(` begins a comment only before one."""
_SIZE = re.compile(r"\s*sprite_size\s+([1-9]\d{0,2})\b")
_STRAY = " \t\n\r\f\v\xa0)"
_CUT = (PRELUDE, "rules", "winconditions", "levels")
"""The sections in which a comment hides the rest of its line."""


def heading_of(line: str) -> str | None:
    """Return the section that begins in a line, even inside a comment; None for other lines."""
    match = _HEADING.match(line.lower())
    return match[1] if match else None


class Line(NamedTuple):
    """A line of a section: its number from 1, its code in lower case, and the original line.

    `stray`: it begins with a `)` that closes no comment. PuzzleScript then ignores much of the line. `read` is what it
    reads of a rule or a win condition.
    """

    number: int
    code: str
    original: str
    read: str
    stray: bool = False


class _Reader:
    """A reader of a text, line by line: `section` is the open section, `depth` the number of open comments."""

    def __init__(self, text: str, faults: Faults) -> None:
        self.lines = text.removeprefix("\ufeff").split("\n")
        self.faults = faults
        self.sections: dict[str, list[Line]] = {PRELUDE: []}
        self.section = PRELUDE
        self.depth = 0
        self.message_is_name = False

    def read(self) -> None:
        """Put each line into its section."""
        opened = 0
        for number, raw in enumerate(within_limits(self.lines), 1):
            original = raw.rstrip("\r").replace("\ufeff", " ")  # which JavaScript takes for a blank
            before = self.depth
            code = self._uncommented(number, original.lower())
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
            start = len(code) - len(code.lstrip(_STRAY))
            code = " " * start + code[start:]
            bare = code.strip()
        elif (
            bare in ("tags", "mappings")
            and (  # sections, and no objects of these names
                self.section == PRELUDE
                or (self.section == "objects" and "=" in next(filter(str.strip, self.lines[number:]), ""))
            )
        ):
            self.faults.foreign("script-section", number, bare)
            return
        elif bare and (decoration := self._decoration(code)):
            self._decorate(decoration, number, code[decoration.end() :].strip(_STRAY))
            return
        if bare or (not stray and self.section in ("levels", "objects")):
            read = code
            if self.section in ("rules", "winconditions") and ("(" in original or ")" in original):
                read = original.lower().lstrip("(").partition("(")[0]
                if bare and read.strip() != bare:
                    message = f"a comment before it: PuzzleScript reads only `{read.strip()}`"
                    self.faults.warning("script-comment", number, message, "(")
            self.sections[self.section].append(Line(number, code, original, read, stray))

    def _decoration(self, code: str) -> re.Match[str] | None:
        """Return a match of the section name, or of the `=` signs, at the beginning of a line."""
        if self.section == "levels":
            return None if code.strip("= ") else re.match(".*", code)
        return _DECORATION.match(code)

    def _decorate(self, decoration: re.Match[str], number: int, rest: str) -> None:
        """Open the section that a line names; the text after the name, `rest`, must be empty."""
        name = decoration[0].strip()
        if rest:
            message = f"only a comment may follow {name.strip('=').upper() or '='} on its line: {rest} is left out"
            self.faults.error("script-section", number, message, rest)
        if name in SECTIONS:
            self._open(name, number)

    def _open(self, name: str, number: int) -> None:
        """Begin a section for the next lines."""
        place = SECTIONS.index(name)
        before = SECTIONS[place - 1] if place else PRELUDE
        if name in self.sections:
            self.faults.error(
                "script-section", number, f"a second section {name.upper()}: each section is allowed only once"
            )
        if before not in self.sections or (not place and len(self.sections) > 1):
            expectation = f"it follows {before.upper()}" if place else "it is the first one"
            message = f"the section {name.upper()} is in the wrong place: {expectation}"
            self.faults.error("script-section", number, message)
        self.sections.setdefault(name, [])
        named = [line.code.partition("=")[0] for line in self.sections.get("legend", ())]
        named += [line.code for line in self.sections.get("objects", ())]
        self.message_is_name = any("message" in words.split() for words in named)
        self.section = name

    def _uncommented(self, number: int, line: str) -> str:
        """Return a line with blanks instead of comments, and of the text after a comment that ends the line."""
        if not self.depth and "(" not in line and ")" not in line:
            return line
        code: list[str] = []
        place = decorated = 0
        begun = is_cut = stray = left = False
        fresh = True
        while place < len(line):
            char, end = line[place], place + 1
            if self.depth or char == "(":
                is_cut = is_cut or (begun and self.section in _CUT)
                self.depth += (char == "(") - (char == ")")
                code.append(" ")
                fresh = True
            else:
                if not begun and not char.isspace():
                    decoration = self._decoration(line[place:])
                    decorated = place + decoration.end() if decoration else 0
                end = decorated if place < decorated else self._end_of_token(line, place, begun, decorated > 0)
                begun = begun or not char.isspace()
                left = left or (is_cut and not char.isspace())
                stray = stray or (char == ")" and (fresh or decorated > 0 or self.section != PRELUDE))
                fresh = fresh and char.isspace()
                code.append(" " * (end - place) if is_cut else line[place:end])
            place = end
        if stray:
            self.faults.warning("script-comment", number, "this `)` closes no comment", ")")
        if left:
            self.faults.warning("script-comment", number, "the rest of this line after a comment is ignored", "(")
        return "".join(code)

    def _end_of_token(self, line: str, place: int, begun: bool, decorated: bool) -> int:
        """Return the end of a token outside of comments; the token itself can contain parentheses."""
        if line[place].isspace() or line[place] == ")":
            return place + 1
        if decorated or (self.section == "levels" and not begun and line.startswith("message", place)):
            return len(line)
        token = _RULE.match(line, place) if self.section == "rules" else None
        if token is None:
            return place + 1
        return len(line) if token[0] == "message" and not self.message_is_name else token.end()


def sections_of(text: str, faults: Faults) -> dict[str, list[Line]]:
    """Return the lines of each section. Blank lines are kept in LEVELS, where they end a level, and in OBJECTS."""
    reader = _Reader(text, faults)
    reader.read()
    for name in SECTIONS:
        if name not in reader.sections:
            if name not in ("sounds", "levels"):
                tell = faults.warning if name in ("rules", "winconditions") else faults.error
                tell("script-section", len(reader.lines), f"there is no section {name.upper()}")
            elif name == "sounds" and reader.sections.get("rules"):  # without it no rule knows a name
                faults.counted(len(reader.lines), name, MOST_ERRORS)
            reader.sections[name] = []
    size = next((match for line in reader.sections[PRELUDE] if (match := _SIZE.match(line.code))), None)
    if size is not None and size[1] != "5":  # larger pictures are left out: objects are squares of their first colour
        objects, row = reader.sections["objects"], re.compile(rf"\s*[.\d]{{{size[1]}}}\s*")
        reader.sections["objects"] = [line for line in objects if not row.fullmatch(line.code)]
    return reader.sections


_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def read_text(path: str) -> str:
    """Return the text of a file, with uniform line ends. Raises ParseError for an unreadable file, and LimitReached."""
    try:
        data = read_bytes(path, text=False)
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
            "this is not text: it contains the character with the number 0", file=file, line=line, column=column
        )
    return text
