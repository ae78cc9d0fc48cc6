"""A client that talks to `unpuzzle mcp` over its standard input and output, as agents do."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client

Ask = Callable[..., Awaitable[dict[str, Any]]]


def conversation(talk: Callable[[Ask], Awaitable[Any]], *options: str) -> Any:
    """Start a server with these options, let `talk(ask)` call tools, and return what it returns."""

    async def run() -> Any:
        server = StdioServerParameters(command=sys.executable, args=["-m", "unpuzzle", "mcp", *options])
        async with Client(stdio_client(server)) as client:

            async def ask(tool: str, **arguments: Any) -> dict[str, Any]:
                result = await client.call_tool(tool, arguments)
                assert not result.is_error, result.content
                assert result.structured_content is not None
                return dict(result.structured_content)

            ask.client = client  # type: ignore[attr-defined]
            return await talk(ask)

    return asyncio.run(run())
