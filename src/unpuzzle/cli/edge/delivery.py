"""Answers on their way out: to stdout and stderr, fit for a terminal, even if nobody reads them any more."""

from __future__ import annotations

import sys
from errno import EBADF

from unpuzzle.cli import exits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from unpuzzle.cli.answer import Answer

MOST_WARNINGS = 10
"""The most warnings that are shown above an answer."""


def deliver(answer: Answer, as_json: bool, quiet: bool = False) -> int:
    """Write an answer and return its exit code, which stays the same if a reader (`| head`) has gone away."""
    if not quiet and not (as_json and isinstance(answer.fields, dict)):
        _warn(answer.warnings)
    try:
        _write_answer(answer, as_json)
    except BrokenPipeError:
        _give_up("the output was closed before all of it was written")
        return answer.code
    except OSError as error:
        why = "standard output is closed" if error.errno == EBADF else error.strerror
        _give_up(f"the output could not be written: {why}")
        return exits.BAD_INPUT
    if answer.complaint and not as_json:
        complain(answer.complaint)
    return answer.code


def _warn(warnings: Sequence[str]) -> None:
    """Write warnings to stderr; if there are many, the first of them."""
    more = len(warnings) - MOST_WARNINGS
    for warning in warnings[:MOST_WARNINGS]:
        complain(warning)
    if more > 0:
        complain(f"... and {more:,} more: see unpuzzle lint")


def _write_answer(answer: Answer, as_json: bool) -> None:
    if as_json:
        from json import dumps

        sys.stdout.write(dumps(answer.fields) + "\n")
    else:
        sys.stdout.write(shown(answer.text, sys.stdout.encoding))
    sys.stdout.flush()


def _give_up(why: str) -> None:
    from unpuzzle.cli.edge.streams import silence

    silence("stdout")
    complain(f"unpuzzle: {why}")


def complain(sentence: str) -> None:
    """Write a sentence to stderr, as a line."""
    say(sentence + "\n")


def say(text: str) -> None:
    """Write a text to stderr; if nobody reads it, only the exit code tells what happened."""
    try:
        sys.stderr.write(shown(text, sys.stderr.encoding))
        sys.stderr.flush()
    except OSError:
        from unpuzzle.cli.edge.streams import silence

        silence("stderr")


def shown(text: str, encoding: str | None) -> str:
    """Return a text for a stream: its control characters visible, `?` for characters that the stream cannot show."""
    from unpuzzle.cli.edge.terminal import visible

    encoding = encoding or "utf-8"
    return visible(text.encode(encoding, "replace").decode(encoding))
