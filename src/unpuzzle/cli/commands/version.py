"""unpuzzle version."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.cli.answer import YES, Answer
from unpuzzle.version import __version__

EXAMPLE = "unpuzzle version"


def arguments(parser: ArgumentParser) -> None:
    """Add nothing."""


def execute(options: Namespace) -> Answer:
    """Return the version."""
    return Answer(YES, {"version": __version__}, __version__ if options.quiet else f"unpuzzle {__version__}")
