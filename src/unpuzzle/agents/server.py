"""The server: the tools over the Model Context Protocol, on standard input and output."""

from __future__ import annotations

import inspect
import logging
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.tools import Tool
from mcp.types import ToolAnnotations

from unpuzzle.agents.arguments import StrictTool
from unpuzzle.agents.bounds import Bounds
from unpuzzle.agents.tools import Tools
from unpuzzle.version import __version__

INSTRUCTIONS = """Plan, judge and explain puzzles and PDDL tasks. Send texts: domains, problems, plans, levels.
Write PDDL in this order: `lint` until there are no errors; `plan`; where that says `no`, `explain`; `check` or `same`
to see whether a domain is the game that was meant. A verdict `no` is certain; `undecided` means that a limit was
reached, and never `no`. Each fault has a place, a code and, where it is known, its correction."""


def make_server(bounds: Bounds) -> MCPServer[Any]:
    """Return a server with all tools; `run("stdio")` serves until its input ends."""
    logging.getLogger("mcp").setLevel(logging.ERROR)  # its notes of each request would fill a client's log
    reading = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    tools: list[Tool] = [
        StrictTool.from_function(tool, description=inspect.getdoc(tool), annotations=reading)
        for tool in Tools(bounds).all()
    ]
    return MCPServer("unpuzzle", version=__version__, instructions=INSTRUCTIONS, log_level="ERROR", tools=tools)


def tool_list(server: MCPServer[Any]) -> list[dict[str, Any]]:
    """Return the tools as agents see them: name, description, schemas of arguments and answer."""
    import asyncio

    tools = asyncio.run(server.list_tools())
    return [
        {
            "name": tool.name,
            "description": tool.description or "",
            "arguments": tool.input_schema,
            "answer": tool.output_schema or {},
        }
        for tool in tools
    ]
