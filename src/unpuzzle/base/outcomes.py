"""Names for the outcomes of work: statuses of results, exit codes of commands, and verdicts.

The statuses are kept strictly apart:

    solved_optimally  a plan, proved best for its objective      unsolvable   proved: there is no plan
    solved            a plan                                     gave_up      an incomplete search ended
    timeout           the time limit ended it                    memout       the memory limit ended it
    cancelled         `limits.cancel()` ended it                 guessed      an answer without evidence
    unsupported       the message names the feature              error        the planner broke; see the log

The exit codes are one table for the command line and the tests:

0  yes: solved, valid, equivalent, clean
1  no, and that is certain: unsolvable, invalid, different, faults found
2  wrong usage or unreadable input
3  no answer within the limits, or the planner gave up
4  a bug in unpuzzle, or the planner is missing, unsupported for this task, or broke
130, 143  interrupted; the results so far are reported
"""

from __future__ import annotations

from unpuzzle.base.errors import (
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

SOLVED_OPTIMALLY = "solved_optimally"
SOLVED = "solved"
UNSOLVABLE = "unsolvable"
GAVE_UP = "gave_up"
TIMEOUT = "timeout"
MEMOUT = "memout"
CANCELLED = "cancelled"
GUESSED = "guessed"
UNSUPPORTED = "unsupported"
ERROR = "error"

STATUSES = (SOLVED_OPTIMALLY, SOLVED, UNSOLVABLE, GAVE_UP, TIMEOUT, MEMOUT, CANCELLED, GUESSED, UNSUPPORTED, ERROR)
"""All statuses that a result may have."""
LIMITS = (TIMEOUT, MEMOUT, CANCELLED)
"""The statuses of runs that were ended from outside; a `LimitReached` may have each of them."""

YES, NO, BAD_INPUT, NO_ANSWER, BROKEN = range(5)
FAULT = "fault"
"""The status of an unexpected error, a bug in unpuzzle; its exit code is BROKEN."""
INTERRUPTED, TERMINATED = 130, 143
"""The exit codes after signals, as in shells: 128 + SIGINT and 128 + SIGTERM."""

VERDICTS = ("yes", "no", "refused", "undecided", "broken")
"""The verdicts in the order of their exit codes; `unsupported` counts as refused."""


class TerminatedError(KeyboardInterrupt):
    """An exception raised at SIGTERM or SIGHUP; like Ctrl-C, it ends the work and all planner processes."""


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
    """Return the exit code and the status for an exception; None if the exception is a bug in unpuzzle."""
    if isinstance(error, Interrupted) and error.__cause__ is not None:
        error = error.__cause__
    if isinstance(error, LimitReached):
        return OF_STATUS[error.status], error.status
    return next((answer for kind, answer in OF_ERROR.items() if isinstance(error, kind)), None)


def verdict_of_error(error: BaseException) -> str:
    """Return the verdict, such as `undecided`, on work that ended with an exception."""
    return verdict_of(*(of_error(error) or (BROKEN, FAULT)))


def verdict_of_status(status: str | None) -> str:
    """Return the verdict for a status of a result or an error."""
    codes = {**OF_STATUS, **{name: code for code, name in OF_ERROR.values()}, FAULT: BROKEN}
    return verdict_of(codes.get(str(status), BROKEN), status)


def verdict_of(code: int | None, status: str | None = None) -> str:
    """Return the verdict for an exit code and, if known, a status."""
    if status == UNSUPPORTED:
        return "refused"
    if code in (INTERRUPTED, TERMINATED):
        return "undecided"
    return VERDICTS[code] if code is not None and 0 <= code < len(VERDICTS) else "broken"
