"""unpuzzle mcp: tools for agents, over the Model Context Protocol on standard input and output."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle import extras
from unpuzzle.agents.inputs import Bounds
from unpuzzle.cli.answer import YES, Answer
from unpuzzle.cli.numbers import seconds, size, whole
from unpuzzle.cli.parser import flag, option
from unpuzzle.errors import UsageError

EXAMPLE = """unpuzzle mcp
  unpuzzle mcp --root levels --call-time 120
  unpuzzle mcp --tools"""


def arguments(parser: ArgumentParser) -> None:
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


def execute(options: Namespace) -> Answer:
    """Serve until the input ends, or list the tools."""
    extras.require("mcp", "tools for agents need", "mcp")
    from unpuzzle.agents.server import make_server, tool_list

    if options.json and not options.tools:
        raise UsageError("--json is for --tools: a server speaks its protocol on standard output")
    usual = min(Bounds().usual, options.call_time)
    server = make_server(Bounds(options.call_time, usual, options.call_memory, options.calls, options.root))
    if options.tools:
        tools = tool_list(server)
        lines = [f"{tool['name']:<10}{tool['description'].splitlines()[0]}" for tool in tools]
        return Answer(YES, {"tools": tools}, "\n".join(lines))
    server.run("stdio")
    return Answer(YES, {})
