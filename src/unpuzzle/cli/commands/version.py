"""unpuzzle version."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.cli.answer import YES, Answer
from unpuzzle.cli.edge.delivery import View
from unpuzzle.commands.input import Input
from unpuzzle.version import __version__

EXAMPLE = "unpuzzle version"


def arguments(parser: ArgumentParser) -> None:
    """Add nothing."""


def read(options: Namespace) -> Input:
    return Input()


def present(asked: Input, outcome: None, view: View) -> Answer:
    return Answer(YES, {"version": __version__}, __version__ if view.quiet else f"unpuzzle {__version__}")
