"""Faults of a game's text: all faults are collected with their places; a game with few faults can be played.

Every pass of the compiler notes its faults here, and checks the limits for each line: so compiling ends in time.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, NoReturn
from warnings import warn_explicit

from unpuzzle.base.errors import ParseError
from unpuzzle.base.run import checkpoint
from unpuzzle.base.text import corrected, nearest

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


class FaultyGame(UserWarning):
    """A warning that a game is played without the faulty parts of its text."""


class GivenUpError(Exception):
    """The error that ends compiling after a fatal fault that leaves nothing to compile."""


class TextFault(NamedTuple):
    """One fault: its place (line and columns from 1, the last exclusive), `severity` `error` or `warning`, a sentence.

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


class Faults:
    """The faults found so far in a text; `file` is the name of the text's file.

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
        """Record an error that makes the whole game unusable."""
        self.error(code, line, message, what)
        self.nothing_left = self.nothing_left or self._made(code, line, "error", message, what)

    def give_up(self, code: str, line: int, message: str) -> NoReturn:
        """Record an error that leaves nothing to compile. Raises GivenUpError."""
        self.fatal(code, line, message)
        raise GivenUpError

    def error(self, code: str, line: int, message: str, what: str | int | None = None) -> None:
        """Record an error; `what` is a word on the line, or a column."""
        self._note(code, line, "error", message, what)

    def foreign(self, code: str, line: int, word: str) -> bool:
        """Record a fatal error if a word of a dialect would change the game; return whether there is such an error."""
        dialect = _dialects().get(word)
        if dialect is None or word in ("log", "status"):  # which only show something
            return False
        message = f"{word} belongs to the dialect {dialect}, and changes the game: it is not supported"
        self.fatal(code, line, message, word)
        return True

    def counted(self, line: int, what: str, times: bool | int = 1) -> None:
        """Count errors that PuzzleScript, but not this compiler, reports; too many errors make a game unplayable."""
        self._counted |= {(line, f"{what} {time}") for time in range(times)}

    def keyword(self, line: int, name: str) -> None:
        """Warn that the name of an object is also a word of PuzzleScript with its own meaning."""
        message = f"{name} is also a word of PuzzleScript: where that word is allowed, it is not a name"
        self.warning("script-object", line, message, name)

    def warning(self, code: str, line: int, message: str, what: str | int | None = None) -> None:
        """Record a warning: a fault in spite of which the game can be played."""
        self._note(code, line, "warning", message, what)

    def _note(self, code: str, line: int, severity: str, message: str, what: str | int | None) -> None:
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
        self.listed.append(self._made(code, line, severity, message, what))

    def _made(self, code: str, line: int, severity: str, message: str, what: str | int | None) -> TextFault:
        """Return a fault at a word or a column; without word and column, a fault of the whole line."""
        if isinstance(what, int):
            return TextFault(line, what, severity, message, code, what + 1)
        text = self.text_of(line)
        place = text.lower().find(what.lower()) if what else -1
        if what is None or place < 0:
            start = len(text) - len(text.lstrip()) + 1
            return TextFault(line, start, severity, message, code, max(start, len(text.rstrip()) + 1))
        meant, sure = self._meant.get(what, (None, True)) if "did you mean" in message else (None, True)
        return TextFault(line, place + 1, severity, message, code, place + 1 + len(what), meant, sure)

    def unknown(self, word: str, *names: Collection[str]) -> str:
        """Return a hint about an unknown word, for a message; after very many hints no more names are suggested."""
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
        """Return a line of the text, counted from 1; empty beyond its end."""
        return self._lines[line - 1].rstrip("\r") if 0 < line <= len(self._lines) else ""

    def errors(self) -> Sequence[TextFault]:
        return [fault for fault in self.listed if fault.severity == "error"]

    def refuse(self) -> None:
        """Raise ParseError for the first error, with the number of all errors, if there are too many to play the game.

        One error is too many if it leaves nothing of the game.
        """
        errors = self.count["error"]
        counted = errors + len(self._counted)
        if counted > MOST_ERRORS and self.listed:
            all_ = "them all" if errors <= MOST_KEPT else f"{MOST_KEPT:,} of them"
            too_many = f", where PuzzleScript counts {counted} errors" if errors <= MOST_ERRORS else ""
            ours = f"{errors} errors" if errors else f"{len(self.listed)} faults"
            more = f" (the first of {ours}{too_many}; `unpuzzle lint` lists {all_})"
            raise self.as_error((self.errors() or self.listed)[0], more)
        if self.nothing_left is not None:
            raise self.as_error(self.nothing_left)

    def warn(self) -> None:
        """Warn, with the first error and the number of errors, that a game is played in spite of its errors."""
        errors = self.errors()
        if errors:
            others = "; `unpuzzle lint` lists the errors" if len(errors) > 1 else ""  # but consequences
            line, place = errors[0].line, f"column {errors[0].column}"
            if len(self.text_of(line)) > LONGEST:  # Python would show all of it
                line, place = 0, f"line {line}, {place}"
            message = f"{errors[0].message} ({place}; the game is played in spite of it{others})"
            warn_explicit(message, FaultyGame, self.file or "<game>", line)

    def as_error(self, fault: TextFault, more: str = "", before: str = "") -> ParseError:
        """Return a fault as an exception with its line; `before` is a prefix of the message."""
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
    """Return, for each word that only one dialect of PuzzleScript has, the name of this dialect."""
    with open(os.path.join(os.path.dirname(__file__), "dialects.txt"), encoding="ascii") as file:
        lines = [line.rpartition(":") for line in file]
    return {word: dialect for dialect, _, words in lines for word in words.split()}
