"""The answer of a command, with an exit code. Nothing is printed here.

The exit codes are one table for the command line and the tests:

0  yes: solved, valid, equivalent, clean
1  no, and that is certain: unsolvable, invalid, different, faults found
2  wrong usage or unreadable input
3  no answer within the limits, or the planner gave up
4  a fault of unpuzzle itself, or the planner is missing, unsupported for this task, or broke
130, 143  interrupted; the results so far are reported
"""

from __future__ import annotations

from collections.abc import Iterable

from unpuzzle.errors import (
    DependencyMissing,
    IllegalMove,
    Interrupted,
    LimitReached,
    ModelMismatch,
    ParseError,
    PlannerFailed,
    UnsupportedFeature,
    UsageError,
    WorkersFailed,
)
from unpuzzle.record import Record, schema_name
from unpuzzle.result import (
    CANCELLED,
    ERROR,
    GAVE_UP,
    GUESSED,
    MEMOUT,
    SOLVED,
    SOLVED_OPTIMALLY,
    TIMEOUT,
    UNSOLVABLE,
    UNSUPPORTED,
)
from unpuzzle.type_hints import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from unpuzzle.puzzle.position import Position

YES, NO, BAD_INPUT, NO_ANSWER, BROKEN = range(5)
FAULT = "fault"
"""The status of an unexpected error, a fault of unpuzzle itself; its exit code is BROKEN."""
INTERRUPTED, TERMINATED = 130, 143
"""128 + SIGINT and 128 + SIGTERM, as shells have it."""


class TerminatedError(KeyboardInterrupt):
    """SIGTERM or SIGHUP: work ends as with Ctrl-C, so that no planner is left running."""


OF_STATUS = {
    **dict.fromkeys((SOLVED_OPTIMALLY, SOLVED), YES),
    UNSOLVABLE: NO,
    **dict.fromkeys((GAVE_UP, TIMEOUT, MEMOUT, CANCELLED, GUESSED), NO_ANSWER),
    **dict.fromkeys((UNSUPPORTED, ERROR), BROKEN),
}

OF_ERROR: dict[type[BaseException], tuple[int, str]] = {
    **dict.fromkeys((UsageError, ParseError, OSError), (BAD_INPUT, "bad_input")),
    IllegalMove: (NO, "illegal_move"),
    UnsupportedFeature: (BROKEN, UNSUPPORTED),
    DependencyMissing: (BROKEN, "missing"),
    **dict.fromkeys((PlannerFailed, ModelMismatch, WorkersFailed), (BROKEN, ERROR)),
    MemoryError: (NO_ANSWER, MEMOUT),
    TerminatedError: (TERMINATED, "interrupted"),
    KeyboardInterrupt: (INTERRUPTED, "interrupted"),
}
"""Exception class → exit code and status in JSON; the first matching class counts."""


def of_error(error: BaseException) -> tuple[int, str] | None:
    """Return the exit code and status of an exception; None if it is a fault of unpuzzle."""
    if isinstance(error, Interrupted) and error.__cause__ is not None:
        error = error.__cause__
    if isinstance(error, LimitReached):
        return OF_STATUS[error.status], error.status
    return next((answer for kind, answer in OF_ERROR.items() if isinstance(error, kind)), None)


class View(Record):
    """What is wanted of an answer: the bare one, or JSON instead of text."""

    quiet: bool = False
    json: bool = False

    @property
    def bare(self) -> bool:
        """Whether nobody reads what is written on the way."""
        return self.quiet or self.json


class Answer:
    """An exit code, the data for --json, the text for stdout, and a complaint for stderr (not with --json).

    `fields` are an object for JSON, a value with `to_dict()`, or a list of such rows. `warnings` are sentences that are
    shown first on stderr, and in a list of the JSON object; `end` is the position to draw instead of moves, if there is
    one, and `document` the text for the file of `-o` instead of JSON.
    """

    __slots__ = ("code", "complaint", "document", "end", "fields", "text", "warnings")

    def __init__(self, code: int, fields: Any, text: str = "", complaint: str = "") -> None:
        self.code: int = code
        self.fields: Any = fields.to_dict() if hasattr(fields, "to_dict") else fields
        if isinstance(fields, list):
            self.fields = [row.to_dict() if hasattr(row, "to_dict") else row for row in fields]
        self.text: str = text if not text or text.endswith("\n") else text + "\n"
        self.complaint: str = complaint
        self.warnings: list[str] = []
        self.end: Position | None = None
        self.document: str | None = None

    def warn(self, sentences: Iterable[str]) -> None:
        """Add warnings, each of them once."""
        self.warnings += [each for each in dict.fromkeys(sentences) if each not in self.warnings]
        if self.warnings and isinstance(self.fields, dict):
            self.fields["warnings"] = self.warnings

    def remark(self, position: Position, view: View) -> None:
        """Add the remarks on a level below the text, and to the object for JSON."""
        if remarks := position.remarks():
            self.fields["remarks"] = [*remarks]
            self.text += "" if view.quiet else "".join(f"; {remark}\n" for remark in remarks)

    def complain(self, sentence: str) -> None:
        self.complaint = f"{self.complaint}\n{sentence}".strip("\n")

    def name_schema(self, command: str) -> None:
        """Put the schema first into each JSON object; objects without one get the command's."""
        schema = {"schema": schema_name(command)}
        if isinstance(self.fields, list):
            self.fields = [schema | row for row in self.fields]
        elif isinstance(self.fields, dict):
            self.fields = schema | self.fields
