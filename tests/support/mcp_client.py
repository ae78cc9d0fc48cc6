"""A client that talks to `unpuzzle mcp` over its standard input and output, as agents do."""

import sys
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client


class Agent:
    """A client in a thread of its own; calls of tools wait for the answer, but for those that are begun."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self.portal, self.client = portal, client

    def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return self.begin(tool, **arguments).result()

    def begin(self, tool: str, **arguments: Any) -> Future[dict[str, Any]]:
        """Call a tool; cancelling what is returned cancels the call."""
        return self.portal.start_task_soon(partial(self._ask, tool, arguments))

    async def _ask(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        assert result.structured_content is not None
        return dict(result.structured_content)


@contextmanager
def agent(*options: str) -> Iterator[Agent]:
    """Start a server with these options, and a client of it."""
    server = StdioServerParameters(command=sys.executable, args=["-m", "unpuzzle", "mcp", *options])
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(stdio_client(server))) as client:
        yield Agent(portal, client)
