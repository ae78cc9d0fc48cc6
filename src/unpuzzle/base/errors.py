"""The exception classes of unpuzzle.

`UnpuzzleError` is the root. The class shows the cause: `UsageError` (an argument), `ParseError` (a text), `IllegalMove`
(the player), `UnsupportedFeature` (a correct text that uses an unsupported feature), `DependencyMissing` (the
installation), `PlannerFailed` (a planner), `ModelMismatch` (a game's rules and its PDDL, or its constraints, differ),
`WorkersFailed` (the processes or the cluster that share the work), `LimitReached` (no fault: the time or the memory
limit is reached). `unpuzzle.base.outcomes` maps them to exit codes.
"""

from __future__ import annotations

from unpuzzle.base.type_hints import Any


class UnpuzzleError(Exception):
    """The base class of all errors that this package raises on purpose. `str()` returns a sentence for the user."""

    def __reduce__(self) -> tuple[Any, ...]:
        # The default would call the class with `args` alone, and a worker's error could not be unpickled.
        return _copy, (type(self), self.args), self.__dict__


def _copy(kind: type[UnpuzzleError], arguments: tuple[object, ...]) -> UnpuzzleError:
    error = kind.__new__(kind, *arguments)
    error.args = arguments
    return error


class _Positioned(UnpuzzleError):
    """The base class of errors that refer to a position in a text.

    Attributes: `message` (the sentence alone), `file` (name or None), `line` and `column` (counted from 1, or None),
    `text` (that line of the source, or None), `code` (the kind of fault, for programs; mostly empty). `str()` shows
    `file:line:column: message`, the line and a caret.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: int | None = None,
        text: str | None = None,
        code: str = "",
    ) -> None:
        super().__init__(message)
        self.message: str = message
        self.file: str | None = file
        self.line: int | None = line
        self.column: int | None = column
        self.text: str | None = text
        self.code: str = code

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        sentence = f"{place}: {self.message}" if place else self.message
        if not self.text or self.column is None:
            return sentence
        text, column = _window(self.text, self.column)
        # Tabs stay tabs, so that the caret is under its character for every tab width.
        indent = "".join("\t" if char == "\t" else " " for char in text[: column - 1])
        return f"{sentence}\n    {text}\n    {indent}^"


def _window(text: str, column: int, width: int = 100) -> tuple[str, int]:
    """Return at most `width` printable characters around a column (from 1) of a line, and the column in this part."""
    start = max(0, column - 1 - width // 2) if len(text) > width else 0
    shown = "".join(char if char.isprintable() or char == "\t" else "?" for char in text[start : start + width])
    return shown, column - start


class ParseError(_Positioned):
    """The error for an invalid text (PDDL, plan, level or moves)."""


class GameFault(ParseError):
    """The error for faulty code of a game: a member of its class is missing, or a method returns a wrong value."""


class UnsupportedFeature(_Positioned):
    """The error for a well-formed text that uses an unsupported `feature`, e.g. `:durative-actions`."""

    def __init__(self, message: str, *, feature: str, **place: Any) -> None:
        super().__init__(message, **place)
        self.feature = feature


class EffortSpent(UnsupportedFeature):
    """The error for work that needed more steps than the limit allows; with a higher limit it may succeed."""


class IllegalMove(UnpuzzleError):
    """The error for a move that the rules do not allow in this position; `move` is the move as text."""

    def __init__(self, message: str, *, move: str) -> None:
        super().__init__(message)
        self.move = move


class UsageError(UnpuzzleError, ValueError):
    """The error for an invalid argument: an unknown name, a number that is out of range, or a wrong type."""


class DependencyMissing(UnpuzzleError):
    """The error for a missing planner, library or program, the `dependency`; the message says how to install it."""

    def __init__(self, message: str, *, dependency: str) -> None:
        super().__init__(message)
        self.dependency = dependency


class PlannerFailed(UnpuzzleError):
    """The error for a planner that crashed or gave an invalid answer; `log` is the output of the planner."""

    def __init__(self, message: str, *, planner: str, log: str = "") -> None:
        super().__init__(message)
        self.planner = planner
        self.log = log


class ModelMismatch(UnpuzzleError):
    """The error for a game whose rules contradict its PDDL or its constraints."""


class WorkersFailed(UnpuzzleError):
    """The error for worker processes, or a cluster of workers, that are not available or failed."""


class Interrupted(KeyboardInterrupt):
    """An interrupt by Ctrl-C, with a `report` of the results that were found before the interrupt."""

    def __init__(self, report: Any) -> None:
        super().__init__()
        self.report = report


class LimitReached(UnpuzzleError):
    """The error for a run that reached a limit; `status` is `timeout`, `memout`, `cancelled` or `gave_up`.

    `run` is the run whose limit it was, the outermost one, where that is known; another process does not know it.
    """

    def __init__(self, status: str, message: str, *, run: object = None) -> None:
        super().__init__(message)
        self.status = status
        self.run = run

    def __reduce__(self) -> tuple[Any, ...]:
        made, arguments, values = super().__reduce__()
        return made, arguments, values | {"run": None}
