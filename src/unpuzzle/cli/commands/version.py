"""unpuzzle version."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.cli.answer import YES, Answer
from unpuzzle.cli.edge.delivery import View
from unpuzzle.commands.input import Input, Show
from unpuzzle.version import __version__

EXAMPLE = "unpuzzle version"


def arguments(parser: ArgumentParser) -> None:
    """Add nothing."""


class VersionRequest(Input):
    """What is asked is the version."""

    def call(self, show: Show = None) -> str:
        return __version__


def read(options: Namespace) -> VersionRequest:
    return VersionRequest()


def present(asked: VersionRequest, outcome: str, view: View) -> Answer:
    return Answer(YES, {"version": outcome}, outcome if view.quiet else f"unpuzzle {outcome}")
