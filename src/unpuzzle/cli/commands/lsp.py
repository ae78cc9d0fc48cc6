"""The command `unpuzzle lsp`: run a language server on standard input and output, or set up editors for it."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace

from unpuzzle.base import availability
from unpuzzle.base.errors import UsageError
from unpuzzle.base.outcomes import YES
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.parser import flag, option
from unpuzzle.servers.lsp import EDITORS, settings_of
from unpuzzle.workspace.inputs import Input, Question, Show

EXAMPLE = """unpuzzle lsp --settings neovim >> ~/.config/nvim/init.lua
  unpuzzle lsp"""


def arguments(parser: ArgumentParser) -> None:
    option(parser, "--settings EDITOR", f"show the settings of an editor: {', '.join(EDITORS)}", choices=[*EDITORS])
    flag(parser, "--stdio", "has no effect: some editors always add it")


class EditorSession(Input):
    """A request to serve an editor until the editor ends the session."""

    limits_of_each = True

    def call(self, show: Show = None) -> None:
        from unpuzzle.servers.lsp.server import serve

        with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as writer:  # closing it ends the protocol
            serve(sys.stdin.buffer, writer)


def read(options: Namespace) -> Input:
    """Return the request: to serve an editor, or to show the settings for an editor."""
    if options.settings is not None:
        return Question(lambda: {"editor": options.settings, "settings": settings_of(options.settings)})
    if options.json:
        raise UsageError("--json works only with --settings: the server talks to the editor on standard output")
    availability.require("lsp", "unpuzzle lsp needs", "pygls")
    return EditorSession()


def present(asked: Input, outcome: dict[str, str] | None, view: View) -> Answer:
    return Answer(YES, {}) if outcome is None else Answer(YES, outcome, outcome["settings"])
