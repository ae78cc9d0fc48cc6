"""The command `unpuzzle version`: show the version."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.base.outcomes import YES
from unpuzzle.cli.answer import Answer, View
from unpuzzle.version import __version__
from unpuzzle.workspace.inputs import Question

EXAMPLE = "unpuzzle version"


def arguments(parser: ArgumentParser) -> None:
    """Add no arguments, because the command has none."""


def read(options: Namespace) -> Question:
    return Question(lambda: __version__)


def present(asked: Question, outcome: str, view: View) -> Answer:
    return Answer(YES, {"version": outcome}, outcome if view.quiet else f"unpuzzle {outcome}")
