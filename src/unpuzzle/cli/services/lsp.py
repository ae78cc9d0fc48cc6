"""unpuzzle lsp: a language server on standard input and output, and editor settings that start it."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace

from unpuzzle import extras
from unpuzzle.cli.answer import YES, Answer
from unpuzzle.cli.parser import flag, option
from unpuzzle.editing.editors import EDITORS, settings_of
from unpuzzle.errors import UsageError

EXAMPLE = """unpuzzle lsp --settings neovim >> ~/.config/nvim/init.lua
  unpuzzle lsp"""


def arguments(parser: ArgumentParser) -> None:
    option(parser, "--settings EDITOR", f"show the settings of an editor: {', '.join(EDITORS)}", choices=[*EDITORS])
    flag(parser, "--stdio", "has no effect: some editors always add it")


def execute(options: Namespace) -> Answer:
    """Serve an editor until it ends the session, or show settings."""
    if options.settings is not None:
        settings = settings_of(options.settings)
        return Answer(YES, {"editor": options.settings, "settings": settings}, settings)
    if options.json:
        raise UsageError("the server speaks with an editor on standard output: --json goes with --settings")
    extras.require("lsp", "unpuzzle lsp needs", "pygls")
    from unpuzzle.editing.features import serve

    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as writer:  # closing it ends the protocol
        serve(sys.stdin.buffer, writer)
    return Answer(YES, {})
