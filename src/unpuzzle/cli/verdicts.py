"""One rule for the answers of all comparisons: yes only if everything was compared, or --partial was given.

the same, and all was compared      0
different                           1    however little was compared
no difference in a part             3    or 0 with --partial, unless a limit of time or memory ended it
neither the same nor different      3    such as two tasks that only behave the same
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from unpuzzle.base.errors import GAVE_UP, MEMOUT, NO, NO_ANSWER, YES
from unpuzzle.base.run import current
from unpuzzle.cli.answer import Answer
from unpuzzle.cli.numbers import whole
from unpuzzle.cli.parser import flag, option
from unpuzzle.spaces.space import COMPLETE


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
    """Return the answer of a comparison; its message is `ending` after a limit, or `part` if it is neither yes nor no.

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
