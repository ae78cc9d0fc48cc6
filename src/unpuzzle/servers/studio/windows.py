"""The open windows of the page: the checks and searches that run for them, and the events that they are sent.

    windows.edit("w1", {"path": ..., "text": ..., "revision": 7})

A window's text is checked whenever it changes, and each of its levels is judged: jobs for unchanged levels continue,
jobs for removed ones are cancelled. The results for a level are cached by its key, which is the same for equal levels
of equal rules. Answers go to `send(window, event, data)`, from threads of the pool, and to the page as Server-Sent
Events, one stream for each window:

    look      revision, levels, then faults             level     key, and the answers so far
    like      levels that were found so far
"""

from __future__ import annotations

import asyncio
import json
import os
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Future
from functools import partial
from threading import RLock
from typing import Any

from unpuzzle.base.outcomes import CANCELLED
from unpuzzle.processes.pool import SLOW, Pool, PoolJob
from unpuzzle.workspace.kinds import own_code

Data = dict[str, Any]
Send = Callable[[str, str, Data], None]
LOOKING, JUDGING, MAKING = [f"unpuzzle.servers.studio.{module}" for module in ("texts", "levels", "making")]
FIRST_ROUND = 1.0
"""Seconds for a level until all other levels had their turn."""
MOST_ANSWERS, MOST_WINDOWS = 300, 40
LIKING_SECONDS = 12.0
HEARTBEAT = 10.0
"""Seconds without news after which a comment is sent, which also detects closed windows."""
MOST = 2_000
"""The largest number of waiting events of a window; a window that takes none for so long must ask again."""


class Window:
    """A window of the page: the text in the window, and the jobs that run for the window."""

    def __init__(self) -> None:
        self.request: Data = {}
        self.home: str = ""
        self.known: dict[str, Data] = {}  # by key, of the levels that are being judged
        self.revision: int = 0
        self.looking: PoolJob | None = None
        self.judging: dict[str, PoolJob] = {}
        self.liking: PoolJob | None = None

    def jobs(self) -> list[PoolJob | None]:
        return [self.looking, *self.judging.values(), self.liking]


class Windows:
    """The open windows, by the name that each page chose."""

    def __init__(self, pool: Pool, send: Send, *, seconds: float, memory: int) -> None:
        self.pool, self.send, self.seconds, self.memory = pool, send, seconds, memory
        self._lock = RLock()
        self._windows: OrderedDict[str, Window] = OrderedDict()
        self._answers: OrderedDict[str, Data] = OrderedDict()
        self._epoch = 0

    def edit(self, name: str, request: Data) -> None:
        """Check the new text of a window, and cancel jobs that only the old text needed."""
        with self._lock:
            window = self._window(name)
            self._cancel(window.looking)
            if (window.request.get("path"), window.request.get("puzzle")) != (request["path"], request.get("puzzle")):
                self._cancel(*window.judging.values())
                window.judging.clear()
            request = {**request, "version": str(self._epoch)}
            window.request, window.revision, window.home = request, window.revision + 1, home_of(request)
            told = partial(self._looked, name, window, window.revision)
            window.looking = self._submit("look", LOOKING, request, told, home=window.home)

    def files_changed(self) -> None:
        """Check the texts of all windows again, because they may depend on changed files."""
        with self._lock:
            self._epoch += 1
            for name, window in list(self._windows.items()):
                if window.request:
                    self.edit(name, window.request)

    def like(self, name: str, request: Data) -> None:
        """Make levels similar to a level; send each new level to the window at once."""
        with self._lock:
            window = self._window(name)
            self._cancel(window.liking)

            def told(data: Data, last: bool) -> None:
                if data.get("status") != CANCELLED:
                    self.send(name, "like", {**data, "level": request["level"], "done": last})

            window.liking = self._submit("like", MAKING, request, told, lane=SLOW, seconds=LIKING_SECONDS, urgency=1)

    def close(self, name: str) -> None:
        """Forget a window, and cancel its jobs, because nobody waits for the answers."""
        with self._lock:
            window = self._windows.pop(name, None)
            if window is not None:
                self._cancel(*window.jobs())

    def ask(self, module: str, function: str, request: Data, **settings: Any) -> tuple[PoolJob, Future[Data]]:
        """Start a job for one request; return the job, and a future for its answer."""
        answer: Future[Data] = Future()
        job = self._submit(
            function, module, request, lambda data, last: answer.set_result(data) if last else None, **settings
        )
        return job, answer

    def _window(self, name: str) -> Window:
        window = self._windows.setdefault(name, Window())
        self._windows.move_to_end(name)
        while len(self._windows) > MOST_WINDOWS:
            _, oldest = self._windows.popitem(last=False)
            self._cancel(*oldest.jobs())
        return window

    def _submit(
        self, function: str, module: str, request: Data, told: Callable[[Data, bool], None], **settings: Any
    ) -> PoolJob:
        request = {**request, "version": str(self._epoch)}
        settings = {"seconds": self.seconds, "memory": self.memory, **settings}
        if "home" not in settings:
            settings["home"] = home_of(request)
        return self.pool.submit(PoolJob(module, function, request, told, **settings))

    def _cancel(self, *jobs: PoolJob | None) -> None:
        for job in filter(None, jobs):
            self.pool.cancel(job)

    # ---- answers, in threads of the pool

    def _looked(self, name: str, window: Window, revision: int, data: Data, last: bool) -> None:
        """Send the page what a window's text contains, such as its levels, and start to judge these levels."""
        with self._lock:
            if window.revision != revision or self._windows.get(name) is not window:
                return
            if last:
                window.looking = None
            self.send(name, "look", {**data, "revision": window.request.get("revision"), "done": last})
            if "levels" in data:
                self._judge(name, window, data["levels"])

    def _judge(self, name: str, window: Window, levels: list[Data]) -> None:
        """Analyse all levels of a window, starting with the chosen level, and cancel the jobs of removed levels."""
        keys = {level["key"] for level in levels}
        for key in window.judging.keys() - keys:
            self._cancel(window.judging.pop(key))
        window.known = {key: known for key, known in window.known.items() if key in window.judging}
        chosen = window.request.get("chosen")
        for level in sorted(levels, key=lambda level: level["name"] != chosen):
            known = self._answers.get(level["key"])
            if known is not None:
                self.send(name, "level", {"key": level["key"], **known})
            elif level["key"] not in window.judging:
                self._submit_level(name, window, level, again=False)

    def _submit_level(self, name: str, window: Window, level: Data, *, again: bool) -> None:
        request = {**window.request, "level": level["name"]}
        told = partial(self._judged, name, window, level, again)
        seconds = self.seconds if again else min(FIRST_ROUND, self.seconds)
        urgency = 3 if again else 2 - (level["name"] == window.request.get("chosen"))
        settings = {"lane": SLOW, "seconds": seconds, "urgency": urgency, "home": window.home}
        window.judging[level["key"]] = self._submit("judge", JUDGING, request, told, **settings)

    def _judged(self, name: str, window: Window, level: Data, again: bool, data: Data, last: bool) -> None:
        """Send the page a result about a level; an undecided level gets a second round with more time."""
        key = level["key"]
        with self._lock:
            if data.get("status") == CANCELLED or self._windows.get(name) is not window or key not in window.judging:
                return
            limited = "error" in data and data.get("status")  # another round may find out
            undecided = limited or not data.get("decided", "error" in data)
            more = last and undecided and not again and self.seconds > FIRST_ROUND
            known = window.known[key] = {**window.known.get(key, {}), **data, "done": last and not more}
            self.send(name, "level", {"key": key, **data, "done": known["done"]})
            if not last:
                return
            del window.judging[key]
            if more:
                self._submit_level(name, window, level, again=True)
            elif "error" not in data and not any("(line" in reason for reason in data.get("why", ())):
                self._answers[key] = known
                if len(self._answers) > MOST_ANSWERS:
                    self._answers.popitem(last=False)


def home_of(request: Mapping[str, Any]) -> str:
    """Return the user's code file that a request runs, with its modification time; empty if there is no such file."""
    path = own_code(request["path"], request["text"], request.get("puzzle", ""))
    try:
        return f"{path} {os.stat(path).st_mtime_ns}" if path else ""
    except OSError:
        return path


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
