"""Answers with a table, as text or as CSV; after an interruption, the table has the finished rows."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from unpuzzle.base.errors import INTERRUPTED, of_error
from unpuzzle.cli.answer import Answer
from unpuzzle.cli.files import save_beside
from unpuzzle.cli.parser import option

STDOUT = "-"
"""The value of --csv without a file."""


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
