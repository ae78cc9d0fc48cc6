"""The server that offers the tools over the Model Context Protocol, on standard input and output."""

from __future__ import annotations

import asyncio
import inspect
import logging
import os
import re
import reprlib
from collections.abc import Iterable
from contextlib import suppress
from threading import Thread
from typing import Any

from anyio import BrokenResourceError, ClosedResourceError
from mcp.server import MCPServer
from mcp.server.mcpserver.tools import Tool
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import PARSE_ERROR, ErrorData, JSONRPCError, ToolAnnotations, jsonrpc_message_adapter
from pydantic import ValidationError

from unpuzzle.base.text import suggestion
from unpuzzle.servers.mcp.answers import refused
from unpuzzle.servers.mcp.inputs import Bounds
from unpuzzle.servers.mcp.tools import Tools
from unpuzzle.version import __version__

INSTRUCTIONS = """Plan, judge and explain puzzles and PDDL tasks. Send texts: domains, problems, plans, levels.
Write PDDL in this order: `lint` until there are no errors; `plan`; where that says `no`, `explain`; `check` or `same`
to see whether a domain is the game that was meant. A verdict `no` is certain; `undecided` means that a limit was
reached, and never `no`. Each fault has a place, a code and, where it is known, its correction."""
UNREADABLE = "this line is not a message of the protocol: a request is one JSON object on one line"
ESCAPE = re.compile(r"\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\.")
HALF = re.compile(r"\\u[dD][89a-fA-F][\da-fA-F]{2}")


class Server(MCPServer[Any]):
    """A server that answers each line of its client, even an unreadable line."""

    async def run_stdio_async(self) -> None:
        """Answer requests until the input ends."""
        try:
            async with stdio_server(stdin=InputLines()) as (messages, answers):  # type: ignore[arg-type]
                server = self._lowlevel_server
                await server.run(Readable(messages, answers), answers, server.create_initialization_options())
        except* (OSError, BrokenResourceError, ClosedResourceError):  # the client is gone, and hears nothing more
            pass


class InputLines:
    """The lines of standard input, read in a background thread, so that a signal can end the server."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str] = asyncio.Queue()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with suppress(OSError, RuntimeError), open(os.dup(0), encoding="utf-8", errors="replace") as stream:
            for line in stream:
                self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._lines.put_nowait, "")

    def __aiter__(self) -> InputLines:
        return self

    async def __anext__(self) -> str:
        line = await self._lines.get()
        if not line:
            raise StopAsyncIteration
        return line


class Readable:
    """The stream of a client's messages; unreadable messages are answered with an error.

    JSON may have half of a surrogate pair as an escape, which is no character: it becomes U+FFFD.
    """

    def __init__(self, messages: Any, answers: Any) -> None:
        self._messages, self._answers = messages, answers

    def __getattr__(self, name: str) -> Any:
        return getattr(self._messages, name)

    async def __aenter__(self) -> Readable:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._messages.aclose()

    def __aiter__(self) -> Readable:
        return self

    async def __anext__(self) -> SessionMessage:
        async for message in self._messages:
            if not isinstance(message, Exception):
                return message  # type: ignore[no-any-return]
            try:
                line = message.errors()[0]["input"] if isinstance(message, ValidationError) else ""
                return SessionMessage(jsonrpc_message_adapter.validate_json(_without_halves(str(line)), by_name=False))
            except ValidationError:
                wrong = JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=PARSE_ERROR, message=UNREADABLE))
                await self._answers.send(SessionMessage(wrong))
        raise StopAsyncIteration


def _without_halves(line: str) -> str:
    return ESCAPE.sub(lambda found: "\\ufffd" if HALF.fullmatch(found[0]) else found[0], line)


def make_server(bounds: Bounds) -> MCPServer[Any]:
    """Return a server with all tools; `run("stdio")` answers requests until the server's input ends."""
    logging.getLogger("mcp").setLevel(logging.ERROR)  # its notes of each request would fill a client's log
    reading = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    tools: list[Tool] = [
        StrictTool.from_function(tool, description=inspect.getdoc(tool), annotations=reading)
        for tool in Tools(bounds).all()
    ]
    return Server("unpuzzle", version=__version__, instructions=INSTRUCTIONS, log_level="ERROR", tools=tools)


def tool_list(server: MCPServer[Any]) -> list[dict[str, Any]]:
    """Return the tools as agents see them: name, description, and schemas of arguments and answer."""
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


class StrictTool(Tool):
    """A tool that refuses unknown arguments, because a misspelt `seconds` would otherwise mean no limit."""

    async def run(self, arguments: dict[str, Any], context: Any, convert_result: bool = False) -> Any:
        wrong = [*self._unknown(arguments), *self._invalid(arguments), *_with_nul(arguments)]
        if not wrong:
            return await super().run(arguments, context, convert_result)
        kind = self.fn_metadata.output_model
        answer = refused(kind, f"{self.name}: {'; '.join(wrong)}", "correct the arguments and call again")
        return self.fn_metadata.convert_result(answer) if convert_result else answer

    def _unknown(self, arguments: Iterable[str]) -> list[str]:
        known = list(self.parameters["properties"])
        there = f"there are {', '.join(known)}" if known else "it takes none"
        return [
            f"there is no argument {name!r}{suggestion(name, known) or f'; {there}'}"
            for name in arguments
            if name not in known
        ]

    def _invalid(self, arguments: dict[str, Any]) -> list[str]:
        try:
            self.fn_metadata.validate_arguments(arguments)
        except ValidationError as error:
            return [_sentence(dict(each)) for each in error.errors(include_url=False)]
        return []


def _with_nul(arguments: dict[str, Any]) -> list[str]:
    """Return a sentence for each text argument that has a NUL character."""
    texts = {name: value for name, value in arguments.items() if isinstance(value, str)}
    return [f"the argument {name!r} has a NUL character" for name, value in texts.items() if "\0" in value]


def _sentence(error: dict[str, Any]) -> str:
    """Return an error of pydantic as a sentence with the argument and its value."""
    name = ".".join(map(str, error["loc"]))
    if error["type"] == "missing":
        return f"the argument {name!r} is missing"
    must = error["msg"].split(", ")[0].replace("Input should be", "must be").replace("valid ", "")
    return f"the argument {name!r} {must}, not {reprlib.repr(error['input'])}"
