"""Commands that serve other programs on standard input and output: `lsp` serves editors, and `mcp` agents."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace

from unpuzzle.base import availability
from unpuzzle.base.errors import UsageError
from unpuzzle.base.outcomes import YES
from unpuzzle.base.type_hints import Any
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.parser import flag, option, seconds, size, whole
from unpuzzle.servers.lsp import EDITORS, settings_of
from unpuzzle.servers.mcp.inputs import Bounds
from unpuzzle.workspace.inputs import Input, Question, Show

EXAMPLE_LSP = """unpuzzle lsp --settings neovim >> ~/.config/nvim/init.lua
  unpuzzle lsp"""
EXAMPLE_MCP = """unpuzzle mcp
  unpuzzle mcp --root levels --call-time 120
  unpuzzle mcp --tools"""


def arguments_lsp(parser: ArgumentParser) -> None:
    option(parser, "--settings EDITOR", f"show the settings of an editor: {', '.join(EDITORS)}", choices=[*EDITORS])
    flag(parser, "--stdio", "has no effect: some editors always add it")


class EditorSession(Input):
    """A request to serve an editor until the editor ends the session."""

    limits_of_each = True

    def call(self, show: Show = None) -> None:
        from unpuzzle.servers.lsp.server import serve

        with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as writer:  # closing it ends the protocol
            serve(sys.stdin.buffer, writer)


def read_lsp(options: Namespace) -> Input:
    """Return the request: to serve an editor, or to show the settings for an editor."""
    if options.settings is not None:
        return Question(lambda: {"editor": options.settings, "settings": settings_of(options.settings)})
    if options.json:
        raise UsageError("--json works only with --settings: the server talks to the editor on standard output")
    availability.require("lsp", "unpuzzle lsp needs", "pygls")
    return EditorSession()


def present_lsp(request: Input, outcome: dict[str, str] | None, view: View) -> Answer:
    return Answer(YES, {}) if outcome is None else Answer(YES, outcome, outcome["settings"])


def arguments_mcp(parser: ArgumentParser) -> None:
    option(parser, "--root DIR", "read files below this folder, where a call names them; default: no files are read")
    option(
        parser,
        "--call-time SECONDS",
        "time limit of each call, whatever it asks for; default: 60",
        seconds,
        default=60.0,
    )
    option(parser, "--call-memory SIZE", "memory limit of each call; default: 2G", size, default=2 << 30)
    option(parser, "--calls N", "number of calls at a time; default: 2", whole(1), default=2)
    flag(parser, "--tools", "list the tools as agents see them, and end")


class AgentSession(Input):
    """A request to serve an agent until its input ends, with limits on each call; or to list the `tools`."""

    bounds: Bounds
    tools: bool = False

    limits_of_each = True

    def call(self, show: Show = None) -> list[dict[str, Any]] | None:
        from unpuzzle.servers.mcp.server import make_server, tool_list

        server = make_server(self.bounds)
        if self.tools:
            return tool_list(server)
        server.run("stdio")
        return None


def read_mcp(options: Namespace) -> AgentSession:
    """Return the request: to serve an agent, or to list the tools."""
    availability.require("mcp", "tools for agents need", "mcp")
    if options.json and not options.tools:
        raise UsageError("--json works only with --tools: the server talks to its client on standard output")
    usual = min(Bounds().usual, options.call_time)
    bounds = Bounds(options.call_time, usual, options.call_memory, options.calls, options.root)
    return AgentSession(bounds, options.tools)


def present_mcp(request: AgentSession, outcome: list[dict[str, Any]] | None, view: View) -> Answer:
    if outcome is None:
        return Answer(YES, {})
    lines = [f"{tool['name']:<10}{tool['description'].splitlines()[0]}" for tool in outcome]
    return Answer(YES, {"tools": outcome}, "\n".join(lines))
