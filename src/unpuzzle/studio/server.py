"""The server of the studio: it listens on the loopback address, and ends together with all its processes.

studio = Studio("puzzles/")
studio.address                 http://127.0.0.1:41873/a-long-random-word/
studio.run()                   until `studio.stop()`, from any thread; raises KeyboardInterrupt as it comes
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from unpuzzle.defaults import STUDIO_SECONDS
from unpuzzle.errors import ParseError, UsageError
from unpuzzle.extras import require
from unpuzzle.limits import Limits
from unpuzzle.studio.events import Streams
from unpuzzle.studio.folder import Folder
from unpuzzle.studio.guard import Guard
from unpuzzle.studio.names import ENDINGS
from unpuzzle.studio.pool import Pool
from unpuzzle.studio.windows import Windows
from unpuzzle.system import usable_memory

LOOPBACK = "127.0.0.1"
MOST_SLOW, SHARE = 3, 2
"""The largest number of solving processes, and the fraction (one half) of the machine's memory for all together."""
WHAT = "the studio needs"


class Studio:
    """A server for a folder, or for one file and its folder. Making it takes the port; `run` answers.

    Raises DependencyMissing, ParseError for a missing place, UsageError for a port in use.
    """

    def __init__(self, place: str = ".", *, port: int = 0, limits: Limits | None = None) -> None:
        require("studio", WHAT)
        root, self.first = _place(place)
        self.folder = Folder(root)
        self.token: str = secrets.token_urlsafe(24)
        self._socket = _listening(port)
        self.port: int = self._socket.getsockname()[1]
        self._server: Any = None
        self._stopped = False
        limits = limits or Limits()
        processes = max(2, min(MOST_SLOW, (os.cpu_count() or 2) - 1))
        self.pool = Pool(slow=processes)
        self.streams = Streams()
        memory = limits.memory or usable_memory() // SHARE // (processes + 1)
        self.windows = Windows(self.pool, self.streams.send, seconds=limits.time or STUDIO_SECONDS, memory=memory)

    @property
    def address(self) -> str:
        """The address of the page, which nobody else knows."""
        return f"http://{LOOPBACK}:{self.port}/{self.token}/"

    def stop(self) -> None:
        """End `run`, soon."""
        self._stopped = True
        if self._server is not None:
            self.streams.close()
            self._server.should_exit = True

    def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Answer until `stop`; `ready` is called when the server listens. All processes have ended when it returns."""
        with self.pool, self._socket:
            asyncio.run(self._serve(ready))

    async def _serve(self, ready: Callable[[], None]) -> None:
        from uvicorn import Config, Server

        class Quiet(Server):
            """A server that leaves signals to its caller."""

            @contextmanager
            def capture_signals(self) -> Iterator[None]:
                yield

        from unpuzzle.studio.requests import Application

        app = Application(self.folder, self.windows, self.streams, self.stop, self.first).app
        hosts = tuple(f"{name}:{self.port}" for name in (LOOPBACK, "localhost"))
        settings: dict[str, Any] = {"log_config": None, "access_log": False, "lifespan": "off", "ws": "none"}
        settings |= {"http": "h11", "server_header": False, "timeout_graceful_shutdown": 1, "loop": "asyncio"}
        self._server = Quiet(Config(Guard(app, self.token, hosts), **settings))
        self._server.should_exit = self._stopped
        watching = asyncio.create_task(watch(self.folder, self.windows, self.streams))
        telling = asyncio.create_task(self._tell_ready(ready))
        try:
            await self._server.serve(sockets=[self._socket])
        finally:
            for task in (watching, telling):
                task.cancel()
                with suppress(asyncio.CancelledError, OSError, RuntimeError):
                    await task

    async def _tell_ready(self, ready: Callable[[], None]) -> None:
        while not self._server.started:
            await asyncio.sleep(0.01)
        ready()


def _place(place: str) -> tuple[str, str]:
    """Return the folder of a place, and the name of the file in it that is meant, or an empty text."""
    if os.path.isdir(place):
        return place, ""
    if not os.path.isfile(place):
        raise ParseError("there is no such file or folder", file=place)
    if not place.endswith(ENDINGS):
        raise ParseError(f"the name of a file for the studio ends with one of {', '.join(ENDINGS)}", file=place)
    if os.path.islink(place):
        place = os.path.realpath(place)
    return os.path.dirname(os.path.abspath(place)), os.path.basename(place)


def _listening(port: int) -> socket.socket:
    """Return a socket that listens on the loopback address. Raises UsageError for an unavailable port."""
    if not 0 <= port <= 65535:
        raise UsageError(f"a port is a number from 0 to 65535, not {port}")
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
    except OSError as error:
        listening.close()
        raise UsageError(f"port {port} cannot be used: {error.strerror}") from None
    return listening


MOST = 200
"""The largest number of files in one event; for more, pages check all files."""


async def watch(folder: Folder, windows: Windows, streams: Streams) -> None:
    """Broadcast the names and versions of files that change, until this is cancelled."""
    from watchfiles import awatch

    while True:
        places = await asyncio.to_thread(folder.places)
        try:
            async for changes in awatch(*places, recursive=False, debounce=100, step=30):
                names = {folder.name(path) for _, path in changes if path.endswith(ENDINGS)}
                known = sorted(name for name in names if name is not None)[:MOST]
                if known:
                    files = {name: await asyncio.to_thread(folder.version, name) for name in known}
                    await asyncio.to_thread(windows.files_changed)
                    streams.broadcast("files", {"changed": files, "files": await asyncio.to_thread(folder.files)})
                if any(os.path.isdir(path) or path in places for _, path in changes):
                    break  # there may be a new folder to watch
        except* RuntimeError:  # of a change of a file whose name is no text
            await asyncio.sleep(0.2)
