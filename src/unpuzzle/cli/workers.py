"""The options --workers and --scheduler, for commands with parallel work."""

from __future__ import annotations

from unpuzzle.cli.numbers import PROCESSES, whole
from unpuzzle.cli.parser import option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser


def add_scheduler(parser: ArgumentParser, about: str, default: int | None = 1) -> None:
    """Add both options, of which only one may be given; `about` describes the parallel work."""
    who = parser.add_mutually_exclusive_group()
    option(who, "--workers N", about, whole(1, PROCESSES), default=default)
    option(who, "--scheduler ADDRESS", "work on this Dask cluster, such as tcp://127.0.0.1:8786")
