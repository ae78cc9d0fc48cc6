"""Exit codes: one table, which the command line reads and the tests go through.

0  yes: solved, valid, equivalent, clean
1  no, and that is certain: unsolvable, invalid, different, faults found
2  wrong usage or unreadable input
3  no answer within the limits, or the planner gave up
4  a fault of unpuzzle itself, or the planner is missing, unsupported for this task, or broke
130, 143  interrupted; what was found until then is told
"""

from __future__ import annotations

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

YES, NO, BAD_INPUT, NO_ANSWER, BROKEN = range(5)
FAULT = "fault"
"""The status of an error that is none of ours: a fault of unpuzzle itself, which exits as what is broken does."""
INTERRUPTED, TERMINATED = 130, 143
"""128 + SIGINT and 128 + SIGTERM, as shells have it."""


class TerminatedError(KeyboardInterrupt):
    """SIGTERM or SIGHUP: work ends as with Ctrl-C, so that a running planner does not outlive us."""


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
"""Exception class → exit code and the status in JSON; the first that fits."""


def interrupted(error: KeyboardInterrupt) -> int:
    """Return the exit code of an interrupt."""
    return TERMINATED if isinstance(error, TerminatedError) else INTERRUPTED


def of_error(error: BaseException) -> tuple[int, str] | None:
    """Return the exit code and status of an exception; None if it is a fault of unpuzzle."""
    if isinstance(error, Interrupted) and error.__cause__ is not None:
        error = error.__cause__
    if isinstance(error, LimitReached):
        return OF_STATUS[error.status], error.status
    return next((answer for kind, answer in OF_ERROR.items() if isinstance(error, kind)), None)
