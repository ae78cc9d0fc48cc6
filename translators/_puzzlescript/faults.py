"""Faults of a game's text: all of them are collected, each with its place; a few of them do not stop a game."""

from __future__ import annotations

from unpuzzle.errors import ParseError
from unpuzzle.translators._puzzlescript.words import foreign, unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_ERRORS = 5
"""With more errors than this a game is given up; with fewer it runs with what is left of it."""
MOST_HINTS = 200
"""Unknown words for which a near miss is looked for, which takes a while."""
LONGEST = 400
"""Characters of a message: names may be of any length."""


class FaultyGame(UserWarning):
    """A game is played without what is wrong in its text."""


class Fault:
    """One fault: where (line and column from 1), `severity` `error` or `warning`, and a sentence."""

    __slots__ = ("column", "line", "message", "severity")

    def __init__(self, line: int, column: int | None, severity: str, message: str) -> None:
        self.line = line
        self.column = column
        self.severity = severity
        self.message = message


class Faults:
    """The faults found so far in a text, of which `file` is the name."""

    def __init__(self, text: str, file: str | None = None) -> None:
        self.file = file
        self.found: list[Fault] = []
        self._lines = text.split("\n")
        self._told: set[tuple[int, str]] = set()
        self._hints = 0
        self.nothing_left: Fault | None = None

    def fatal(self, line: int, message: str) -> None:
        """Notes an error after which there is no game."""
        self.error(line, message)
        self.nothing_left = self.nothing_left or self.found[-1]

    def error(self, line: int, message: str, what: str | int | None = None) -> None:
        """Notes an error; `what` is the word on the line that it is about, or a column."""
        self._note(line, "error", message, what)

    def warning(self, line: int, message: str, what: str | int | None = None) -> None:
        """Notes what a game gets along with."""
        self._note(line, "warning", message, what)

    def _note(self, line: int, severity: str, message: str, what: str | int | None) -> None:
        if (line, message) in self._told:
            return
        self._told.add((line, message))
        if len(message) > LONGEST:
            message = f"{message[: LONGEST - 40]} ... {message[-30:]}"
        self.found.append(Fault(line, self._column(line, what), severity, message))

    def _column(self, line: int, what: str | int | None) -> int | None:
        if isinstance(what, int):
            return what
        text = self.text_of(line)
        place = text.lower().find(what.lower()) if what else -1
        return place + 1 if place >= 0 else len(text) - len(text.lstrip()) + 1

    def unknown(self, word: str, known: Iterable[str]) -> str:
        """What to add to a message about an unknown word; of very many, the later ones are told without suggestions."""
        self._hints += 1
        return unknown(word, known) if self._hints <= MOST_HINTS else foreign(word)

    @property
    def last_line(self) -> int:
        """The number of the last line."""
        return len(self._lines)

    def text_of(self, line: int) -> str:
        """A line of the text, counted from 1; empty beyond its end."""
        return self._lines[line - 1].rstrip("\r") if 0 < line <= len(self._lines) else ""

    def errors(self) -> Sequence[Fault]:
        """The errors alone."""
        return [fault for fault in self.found if fault.severity == "error"]

    def refuse(self) -> None:
        """Raises ParseError where there are too many errors to run the game: for the first, with the number of all.

        One error is too many where nothing is left of the game.
        """
        errors = self.errors()
        if len(errors) > MOST_ERRORS:
            raise self.as_error(errors[0], f" (the first of {len(errors)} errors; `unpuzzle lint` lists them all)")
        if self.nothing_left is not None:
            raise self.as_error(self.nothing_left)

    def warn(self) -> None:
        """Warns of a game that is run in spite of errors: of the first, with the number of all."""
        errors = self.errors()
        if errors:
            from warnings import warn_explicit

            others = f"; `unpuzzle lint` lists all {len(errors)} errors" if len(errors) > 1 else ""
            told = f"{errors[0].message} (column {errors[0].column}; the game is played without it{others})"
            warn_explicit(told, FaultyGame, self.file or "<game>", errors[0].line)

    def as_error(self, fault: Fault, more: str = "", told: str = "") -> ParseError:
        """A fault as an exception, with its line; `told` stands before its message."""
        return ParseError(
            f"{told}: {fault.message}{more}" if told else fault.message + more,
            file=self.file,
            line=fault.line,
            column=fault.column,
            text=self.text_of(fault.line),
        )
