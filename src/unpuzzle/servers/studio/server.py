"""The server of the studio, which listens on the loopback address and ends together with all its processes.

studio = Studio("puzzles/")
studio.address                 http://127.0.0.1:41873/a-long-random-word/
studio.run()                   until `studio.stop()`, from any thread; passes on KeyboardInterrupt

It answers only requests that know the address: it listens on the loopback address, but pages of other hosts can make a
browser ask it, also under a name of theirs that they point at this machine. So each request must name this host and
begin with the token; one that changes something must come from a page of ours. Every answer forbids the page to ask any
other host.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hmac import compare_digest
from typing import TYPE_CHECKING, Any

from unpuzzle.base.availability import require
from unpuzzle.base.defaults import STUDIO_SECONDS
from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.platform_facts import usable_memory
from unpuzzle.base.run import Limits
from unpuzzle.processes.pool import Pool
from unpuzzle.servers.studio.folder import Folder
from unpuzzle.servers.studio.windows import Streams, Windows
from unpuzzle.table import TABLE
from unpuzzle.workspace.kinds import ENDINGS

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


LOOPBACK = "127.0.0.1"
LOADED = (
    *("unpuzzle.servers.studio.levels", "unpuzzle.servers.studio.texts"),
    *(name.partition(":")[0] for kind in ("readers of games", "game formats") for name in TABLE[kind].values()),
    *("unpuzzle.state_space.difficulty", "unpuzzle.explanation.reasons"),
)
"""Modules needed by most jobs, loaded before the first one."""
MOST_SLOW, SHARE = 3, 2
"""The largest number of solving processes, and the fraction (one half) of the machine's memory for all together."""
LARGEST = 8 << 20
"""The largest request, in bytes."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Studio:
    """A server for a folder, or for one file and its folder. The constructor binds the port; `run` answers requests.

    Raises DependencyMissing, ParseError for a missing place, UsageError for a port in use.
    """

    def __init__(self, place: str = ".", *, port: int = 0, limits: Limits | None = None) -> None:
        require("studio", "the studio needs")
        root, self.first = _place(place)
        self.folder = Folder(root)
        self.token: str = secrets.token_urlsafe(24)
        self._socket = _listening(port)
        self.port: int = self._socket.getsockname()[1]
        self._server: Any = None
        self._stopped = False
        limits = limits or Limits()
        processes = max(2, min(MOST_SLOW, (os.cpu_count() or 2) - 1))
        self.pool = Pool(slow=processes, preload=LOADED)
        self.streams = Streams()
        memory = limits.memory or usable_memory() // SHARE // (processes + 1)
        self.windows = Windows(self.pool, self.streams.send, seconds=limits.time or STUDIO_SECONDS, memory=memory)

    @property
    def address(self) -> str:
        """The address of the page, with a secret token that nobody else knows."""
        return f"http://{LOOPBACK}:{self.port}/{self.token}/"

    def stop(self) -> None:
        """Make `run` end soon."""
        self._stopped = True
        if self._server is not None:
            self.streams.close()
            self._server.should_exit = True

    def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Answer requests until `stop` is called, then end all processes; call `ready` once the server listens."""
        with self.pool, self._socket:
            asyncio.run(self._serve(ready))

    async def _serve(self, ready: Callable[[], None]) -> None:
        from uvicorn import Config, Server

        class Quiet(Server):
            """A web server that leaves the handling of signals to its caller."""

            @contextmanager
            def capture_signals(self) -> Iterator[None]:
                yield

        from unpuzzle.servers.studio.requests import Application

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
    """Return the folder to serve; if the user named a file, also the file's name, else an empty text."""
    if os.path.isdir(place):
        return place, ""
    if not os.path.isfile(place):
        raise ParseError("there is no such file or folder", file=place)
    if not place.endswith(ENDINGS):
        raise ParseError(f"the name of a file for the studio must end with one of {', '.join(ENDINGS)}", file=place)
    if os.path.islink(place):
        place = os.path.realpath(place)
    return os.path.dirname(os.path.abspath(place)), os.path.basename(place)


def _listening(port: int) -> socket.socket:
    """Return a socket that listens on the loopback address. Raises UsageError for an unavailable port."""
    if not 0 <= port <= 65535:
        raise UsageError(f"a port must be a number from 0 to 65535, not {port}")
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
    """Broadcast the names and versions of files that change, until this function is cancelled."""
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


HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class Guard:
    """An ASGI application that checks requests for another application and removes the token from request paths."""

    def __init__(self, app: ASGIApp, token: str, hosts: tuple[str, ...]) -> None:
        self.app = app
        self.token = token
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        status = self.refusal(scope["method"], scope["path"], headers)
        if status is not None:
            plain: list[tuple[bytes, bytes]] = [(b"content-type", b"text/plain"), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": status, "headers": plain})
            await send({"type": "http.response.body", "body": b""})
            return
        path = scope["path"][len(self.token) + 1 :]
        inner = {**scope, "path": path, "raw_path": path.encode(), "root_path": ""}

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", ()), *added]}
            await send(message)

        await self.app(inner, receive, sending)

    def refusal(self, method: str, path: str, headers: dict[str, str]) -> int | None:
        """Return the status code that refuses a request; None if the request is allowed."""
        if headers.get("host", "") not in self.hosts:
            return 421
        token, slash, _ = path.removeprefix("/").partition("/")
        if not slash or not compare_digest(token.encode(), self.token.encode()):
            return 404
        if method not in ("GET", "POST"):
            return 405
        origin = headers.get("origin")
        if origin is not None and origin not in [f"http://{host}" for host in self.hosts]:
            return 403
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return 403
        if method == "POST":
            if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
                return 415
            length = headers.get("content-length", "")
            if not length.isascii() or not length.isdecimal() or int(length) > LARGEST:
                return 413
        return None
