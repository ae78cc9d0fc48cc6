"""One rule for all that compares: yes only where everything was compared, or where a part was asked for by its name.

the same, and all was compared      0
different                           1    however little was compared
no difference in a part             3    or 0 with --partial, unless a limit of time or memory ended it
"""

from __future__ import annotations

from argparse import ArgumentParser

from unpuzzle.cli import exits
from unpuzzle.cli.answer import Answer
from unpuzzle.cli.parser import flag

CURE = "--max-states compares more, --partial is content with a part"


def add_partial(parser: ArgumentParser) -> None:
    """Add --partial."""
    about = "a part is enough: exit 0, not 3, where --max-states ends the comparison and no difference was found"
    flag(parser, "--partial", about)


def code_of(verdict: bool | None, partial: bool = False) -> int:
    """Return the exit code of a verdict, where None is undecided."""
    if verdict is None:
        return exits.YES if partial else exits.NO_ANSWER
    return exits.YES if verdict else exits.NO


def limit_of(status: str) -> str:
    """Return what a limit is called, such as `time limit`, by the status of what it ended."""
    return "memory limit" if status == "memout" else "time limit"


def tell_undecided(answer: Answer, message: str) -> None:
    """Add to an answer why it is none, in JSON and on stderr."""
    answer.fields["message"] = message
    answer.complain(f"unpuzzle: {message}")
