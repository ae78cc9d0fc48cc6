"""Messages from the server to pages: Server-Sent Events, one stream for each window."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

HEARTBEAT = 10.0
"""Seconds without news after which a comment is sent, which also detects closed windows."""
MOST = 2_000
"""The largest number of waiting events of a window; a window that takes none for so long must ask again."""


class Streams:
    """The windows that receive events; any thread may call `send` and `broadcast`."""

    def __init__(self) -> None:
        self._queues: dict[str, asyncio.Queue[str | None]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    def send(self, window: str, event: str, data: dict[str, Any]) -> None:
        """Send an event to a window; do nothing if the window does not receive events."""
        text = f"event: {event}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n"
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._put, window, text)

    def broadcast(self, event: str, data: dict[str, Any]) -> None:
        for window in list(self._queues):
            self.send(window, event, data)

    def close(self) -> None:
        for queue in self._queues.values():
            queue.put_nowait(None)

    def _put(self, window: str, text: str) -> None:
        queue = self._queues.get(window)
        if queue is not None and queue.qsize() < MOST:
            queue.put_nowait(text)

    async def listen(self, window: str, gone: Callable[[], None]) -> AsyncIterator[str]:
        """Yield a window's events until the window's connection ends or a new connection takes over."""
        self._loop = asyncio.get_running_loop()
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        if (before := self._queues.get(window)) is not None:
            before.put_nowait(None)
        self._queues[window] = queue
        try:
            yield "retry: 500\n\nevent: hello\ndata: {}\n\n"
            while True:
                try:
                    text = await asyncio.wait_for(queue.get(), HEARTBEAT)
                except TimeoutError:
                    text = ": \n\n"
                if text is None:
                    return
                yield text
        finally:
            if self._queues.get(window) is queue:
                del self._queues[window]
                gone()
