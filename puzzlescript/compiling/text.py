"""A game's text, divided into lines and sections, and the collector of the faults in it.

Comments are left out, and letters made lower-case but in messages. Games are UTF-8, or UTF-16 with a byte order mark,
as some editors write them. Other bytes become unknown letters: old files with another encoding have them in titles and
messages, where they do no harm.

Every pass of the compiler notes its faults here, and checks the limits for each line: so compiling ends in time. A game
with few faults can be played.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, NoReturn
from warnings import warn_explicit

from unpuzzle.base.errors import ParseError
from unpuzzle.base.files import read_bytes
from unpuzzle.base.run import checkpoint, within_limits
from unpuzzle.base.text import corrected, count, nearest

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
MOST_ERRORS = 5
"""The number of errors above which a game is refused; with fewer, its correct parts are played."""
MOST_HINTS, MOST_COMPARED, LONGEST_WORD = 200, 100_000, 100
"""The largest numbers of unknown words that get a suggestion, of names compared with them, and of letters in such a
word; the search is slow.
"""
MOST_KEPT = 10_000
"""The number of errors that are kept, and of warnings; later ones are only counted."""
LONGEST = 400
"""The longest message, in characters: names may be of any length."""
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


class FaultyGame(UserWarning):
    """A warning that a game is played without the parts of its text that have errors."""


class GivenUpError(Exception):
    """The error that ends compiling after a fatal fault, because nothing is left to compile."""


class TextFault(NamedTuple):
    """A fault in a text: line and columns (from 1, end exclusive), severity (`error` or `warning`) and message.

    `code` is explained in the table of codes; `meant` is the correct word, if known, a guess unless it is `sure`.
    """

    line: int
    column: int
    severity: str
    message: str
    code: str
    end_column: int
    meant: str | None = None
    sure: bool = True


class FaultCollector:
    """A collector of the faults in the text of a game; `file` is the name of the file.

    Attributes: `listed`, the faults (the first ones of very many); `count`, the number of all by severity.
    """

    def __init__(self, text: str, file: str | None = None) -> None:
        self.file = file
        self.listed: list[TextFault] = []
        self.count: dict[str, int] = {"error": 0, "warning": 0}
        self._lines = text.split("\n")
        self._noted_keys: set[int] = set()
        self._hints = self._compared = 0
        self._counted: set[tuple[int, str]] = set()
        self.nothing_left: TextFault | None = None
        self._meant: dict[str, tuple[str, bool]] = {}

    def fatal(self, code: str, line: int, message: str, what: str | int | None = None) -> None:
        """Record an error that makes the game unplayable."""
        self.error(code, line, message, what)
        self.nothing_left = self.nothing_left or self._fault_at(code, line, "error", message, what)

    def give_up(self, code: str, line: int, message: str) -> NoReturn:
        """Record an error that leaves nothing to compile, and raise GivenUpError."""
        self.fatal(code, line, message)
        raise GivenUpError

    def error(self, code: str, line: int, message: str, what: str | int | None = None) -> None:
        """Record an error; `what` is the faulty word of the line, or its column."""
        self._note(code, line, "error", message, what)

    def foreign(self, code: str, line: int, word: str) -> bool:
        """Return whether a word belongs to an unsupported dialect of PuzzleScript; if so, record a fatal error."""
        dialect = _dialects().get(word)
        if dialect is None or word in ("log", "status"):  # which only show something
            return False
        message = f"{word} belongs to the dialect {dialect}, and changes the game: it is not supported"
        self.fatal(code, line, message, word)
        return True

    def counted(self, line: int, what: str, times: bool | int = 1) -> None:
        """Count errors that are not reported here, but by PuzzleScript, where too many make a game unplayable."""
        self._counted |= {(line, f"{what} {time}") for time in range(times)}

    def keyword(self, line: int, name: str) -> None:
        """Warn that the name of an object is also a keyword of PuzzleScript."""
        message = f"{name} is also a word of PuzzleScript: where that word is allowed, it is not a name"
        self.warning("script-object", line, message, name)

    def warning(self, code: str, line: int, message: str, what: str | int | None = None) -> None:
        """Record a warning about a fault that does not prevent play."""
        self._note(code, line, "warning", message, what)

    def _note(self, code: str, line: int, severity: str, message: str, what: str | int | None) -> None:
        """Record a fault, unless it is already recorded; only a limited number of faults is kept."""
        checkpoint()
        key = hash((line, message))
        if key in self._noted_keys:
            return
        self._noted_keys.add(key)
        self.count[severity] += 1
        if self.count[severity] > MOST_KEPT:
            return
        if len(message) > LONGEST:
            message = f"{message[: LONGEST - 40]} ... {message[-30:]}"
        self.listed.append(self._fault_at(code, line, severity, message, what))

    def _fault_at(self, code: str, line: int, severity: str, message: str, what: str | int | None) -> TextFault:
        """Return a fault at `what`, a word or column of the line; if `what` is None, a fault of the whole line."""
        if isinstance(what, int):
            return TextFault(line, what, severity, message, code, what + 1)
        text = self.text_of(line)
        place = text.lower().find(what.lower()) if what else -1
        if what is None or place < 0:
            start = len(text) - len(text.lstrip()) + 1
            return TextFault(line, start, severity, message, code, max(start, len(text.rstrip()) + 1))
        # `_meant`: for a misspelt word the word that is meant, and whether no other can be.
        meant, sure = self._meant.get(what, (None, True)) if "did you mean" in message else (None, True)
        return TextFault(line, place + 1, severity, message, code, place + 1 + len(what), meant, sure)

    def unknown(self, word: str, *names: Collection[str]) -> str:
        """Return the end of a message about an unknown word, such as `, did you mean 'crate'?`; empty if no hint."""
        self._hints += 1
        self._compared += sum(map(len, names))
        if dialect := _dialects().get(word):
            return f": it belongs to the dialect {dialect}"
        if self._hints > MOST_HINTS or self._compared > MOST_COMPARED or len(word) > LONGEST_WORD:
            return ""
        right = corrected(word, {*chain(*names)})
        near = right or nearest(word, chain(*names))
        if near is None:
            return ""
        self._meant[word] = near, right is not None
        return f", did you mean '{near}'?"

    @property
    def last_line(self) -> int:
        return len(self._lines)

    def text_of(self, line: int) -> str:
        """Return the text of a line, given its number from 1; an empty text after the last line."""
        return self._lines[line - 1].rstrip("\r") if 0 < line <= len(self._lines) else ""

    def errors(self) -> Sequence[TextFault]:
        return [fault for fault in self.listed if fault.severity == "error"]

    def refuse(self) -> None:
        """Raise ParseError, about the first error, if the errors make the game unplayable.

        One error is too many if it leaves nothing of the game.
        """
        errors = self.count["error"]
        counted = errors + len(self._counted)
        if counted > MOST_ERRORS and self.listed:
            all_ = "them all" if errors <= MOST_KEPT else f"{MOST_KEPT:,} of them"
            too_many = f", where PuzzleScript counts {counted} errors" if errors <= MOST_ERRORS else ""
            ours = count(errors, "error") if errors else f"{len(self.listed)} faults"
            more = f" (the first of {ours}{too_many}; `unpuzzle lint` lists {all_})"
            raise self.as_error((self.errors() or self.listed)[0], more)
        if self.nothing_left is not None:
            raise self.as_error(self.nothing_left)

    def warn(self) -> None:
        """Issue a FaultyGame warning about the first error, if there are errors."""
        errors = self.errors()
        if errors:
            others = "; `unpuzzle lint` lists the errors" if len(errors) > 1 else ""  # but consequences
            line, place = errors[0].line, f"column {errors[0].column}"
            if len(self.text_of(line)) > LONGEST:  # Python would show all of it
                line, place = 0, f"line {line}, {place}"
            message = f"{errors[0].message} ({place}; the game is played in spite of it{others})"
            warn_explicit(message, FaultyGame, self.file or "<game>", line)

    def as_error(self, fault: TextFault, more: str = "", before: str = "") -> ParseError:
        """Convert a fault to a ParseError, whose message is the fault's message between `before` and `more`."""
        return ParseError(
            f"{before}: {fault.message}{more}" if before else fault.message + more,
            file=self.file,
            line=fault.line,
            column=fault.column,
            code=fault.code,
            text=self.text_of(fault.line),
        )


@lru_cache(maxsize=1)
def _dialects() -> dict[str, str]:
    """Map each word that exists only in a dialect of PuzzleScript to the name of the dialect."""
    with open(os.path.join(os.path.dirname(__file__), "dialects.txt"), encoding="ascii") as file:
        lines = [line.rpartition(":") for line in file]
    return {word: dialect for dialect, _, words in lines for word in words.split()}


def heading_of(line: str) -> str | None:
    """Return the name of the section that a line begins, also inside a comment; None for other lines."""
    match = _HEADING.match(line.lower())
    return match[1] if match else None


class SourceLine(NamedTuple):
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
    """A reader that divides a game's text into sections; `depth` is the number of comments that are open.

    A comment is in parentheses, may contain others and may continue over lines. In rules, win conditions and rows of
    levels a comment takes the rest of its line with it. Comments are replaced by blanks, so that columns do not change.
    Of a rule and a win condition, PuzzleScript reads the first piece of the line without a `(`, even if this is a piece
    of a comment: of `(x) [ A ] -> [ B ]` it reads `x) [ A ] -> [ B ]`, and of `(x) (y) [ A ] -> [ B ]` only `x)`.

    A line that begins with `=` signs is decoration, in LEVELS only if it has nothing else. Nothing but comments may
    follow on it, and after the name of a section.
    """

    def __init__(self, text: str, faults: FaultCollector) -> None:
        self.lines = text.removeprefix("\ufeff").split("\n")
        self.faults = faults
        self.sections: dict[str, list[SourceLine]] = {PRELUDE: []}
        self.section = PRELUDE
        self.depth = 0
        self.message_is_name = False

    def read(self) -> None:
        """Divide the text into sections, each a list of lines."""
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
        """Read one line: begin a new section, or add the line to the current section."""
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
            self.sections[self.section].append(SourceLine(number, code, original, read, stray))

    def _decoration(self, code: str) -> re.Match[str] | None:
        """Match a section's name or a row of `=` at the beginning of a line; return the match, or None."""
        if self.section == "levels":
            return None if code.strip("= ") else re.match(".*", code)
        return _DECORATION.match(code)

    def _decorate(self, decoration: re.Match[str], number: int, rest: str) -> None:
        """Begin the section that a line names, and report any text after its name."""
        name = decoration[0].strip()
        if rest:
            message = f"only a comment may follow {name.strip('=').upper() or '='} on its line: {rest} is left out"
            self.faults.error("script-section", number, message, rest)
        if name in SECTIONS:
            self._open(name, number)

    def _open(self, name: str, number: int) -> None:
        """Begin the section with a name."""
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
        """Return a line with its comments replaced by blanks."""
        if not self.depth and "(" not in line and ")" not in line:
            return line
        code: list[str] = []
        place = decorated = 0
        begun = is_cut = stray = left = False
        fresh = True
        while place < len(line):
            char, end = line[place], place + 1
            if self.depth or char == "(":
                is_cut = is_cut or (begun and self.section in _CUT)  # a comment hides the rest of the line
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
                # In the prelude, a word such as a title may contain a `)`.
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
        """Return the index after the token at index `place`, which is outside comments."""
        if line[place].isspace() or line[place] == ")":
            return place + 1
        if decorated or (self.section == "levels" and not begun and line.startswith("message", place)):
            return len(line)
        token = _RULE.match(line, place) if self.section == "rules" else None
        if token is None:
            return place + 1
        return len(line) if token[0] == "message" and not self.message_is_name else token.end()


def sections_of(text: str, faults: FaultCollector) -> dict[str, list[SourceLine]]:
    """Return the lines of each section; blank lines are kept only in LEVELS and OBJECTS, which need them."""
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


def read_text(path: str) -> str:
    """Read a text file, and unify its line ends. Raises ParseError for an unreadable file, and LimitReached."""
    try:
        data = read_bytes(path, text=False)
    except FileNotFoundError:
        raise ParseError("there is no such file", file=path) from None
    return text_of(data, path)


def text_of(data: bytes, file: str | None = None) -> str:
    """Decode the bytes of a file. Raises ParseError if the file is no text, but a picture, for example."""
    text = data.decode("utf-16" if data.startswith(_UTF_16) else "utf-8-sig", "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    place = text.find("\0")
    if place >= 0:
        line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
        raise ParseError(
            "this is not text: it contains the character with the number 0", file=file, line=line, column=column
        )
    return text
