"""Output of commands for several puzzles or levels: the verdict of a comparison, and tables as text or as CSV.

The verdict is yes only if everything was compared, or --partial was given.

the same, and all was compared      0
different                           1    however little was compared
no difference in a part             3    or 0 with --partial, unless a limit of time or memory ended it
neither the same nor different      3    such as two tasks that only behave the same

After an interruption, a table has the finished rows.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from unpuzzle.base.outcomes import GAVE_UP, INTERRUPTED, MEMOUT, NO, NO_ANSWER, YES, of_error
from unpuzzle.base.run import current
from unpuzzle.cli.answer import Answer
from unpuzzle.cli.files import save_beside
from unpuzzle.cli.parser import flag, option, whole
from unpuzzle.state_space.space import COMPLETE

STDOUT = "-"
"""The value of --csv without a file."""


def add_max_states(parser: ArgumentParser, most: int, subject: str) -> None:
    about = f"the most states to compare of each {subject}; default: {most:,}"
    option(parser, "--max-states N", about, whole(), default=most)


def add_partial(parser: ArgumentParser) -> None:
    about = "accept a part: exit 0, not 3, if --max-states ends the comparison and no difference was found"
    flag(parser, "--partial", about)


def limit_of(status: str) -> str:
    """Return the name of the current run's limit that caused a status, such as `time limit`."""
    if status == MEMOUT:
        return "memory limit"
    return "time limit" if current().cpu_end is None or current().end is not None else "limit of processor time"


def answer_for(report: Any, verdict: bool | None, text: str, partial: bool, *, ending: str, part: str) -> Answer:
    """Return the answer of a comparison; its message is `ending` after a limit, `part` if the verdict is undecided.

    `partial`: a part without a difference is enough.
    """
    complete = report.status in (COMPLETE, GAVE_UP)
    enough = verdict or (partial and report.status == GAVE_UP)
    answer = Answer(NO if verdict is False else YES if enough else NO_ANSWER, report, text)
    if not complete or (verdict is None and not enough):
        cure = "--max-states compares more, --partial accepts a part"
        message = ending if not complete else f"{part}; {cure}" if report.status == GAVE_UP else part
        answer.fields["message"] = message
        answer.complain(f"unpuzzle: {message}")
    return answer


def add_csv(parser: ArgumentParser) -> None:
    about = "also write the table into this file; without FILE: print it as CSV instead of the text"
    option(parser, "--csv FILE", about, nargs="?", const=STDOUT)
    option(parser, "-o --output FILE", "also write the table into this file, as CSV", dest="csv")


def table_answer(code: int, rows: Sequence[Any], text: str, csv: str, file: str | None) -> Answer:
    """Return the answer with a table, and write the table to the `file` of --csv."""
    answer = Answer(code, list(rows), csv if file == STDOUT else text)
    if file not in (None, STDOUT):
        save_beside(answer, file, lambda: csv)
    return answer


def ended_early(error: BaseException | None, left_out: str) -> tuple[int | None, str]:
    """Return the exit code for an error that ended the work early, and a message about the missing rows.

    Without an error there is no code and no complaint.
    """
    if error is None:
        return None, ""
    code, _ = of_error(error) or (INTERRUPTED, "")
    return code, f"unpuzzle: {str(error) or 'interrupted'}: {left_out}"
