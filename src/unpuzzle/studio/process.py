"""A process that works for the studio: one job after the other, each within limits, cancelled at a word.

The parent sends JSON, and so do we: what runs here may be somebody's own puzzle, so the parent reads plain data only.

    ["do", number, module, function, request, seconds, bytes]      parent
    ["cancel", number]
    ["ready", 0, {}]                                               we: everything is loaded
    ["told", number, data]                                         we: something is known already
    ["done", number, data]                                         the job's answer; one that failed has an `error`

When the parent ends in whatever way, its end of the pipe closes, and this process ends, too.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Lock, Thread
from traceback import extract_tb
from typing import Any

from unpuzzle.base.errors import LimitReached, UnpuzzleError
from unpuzzle.base.limits import Limits
from unpuzzle.base.outcomes import MEMOUT
from unpuzzle.base.run import Run
from unpuzzle.table import TABLE

Data = dict[str, Any]
Tell = Callable[[Data], None]
Work = Callable[[Data, Tell], Data]
LOADED = (
    *("unpuzzle.studio.judging", "unpuzzle.studio.texts", "unpuzzle.studio.playing"),
    *(name.partition(":")[0] for kind in ("readers of games", "game formats") for name in TABLE[kind].values()),
    *("unpuzzle.spaces.difficulty", "unpuzzle.checking.explained_levels"),
)
"""Modules needed by most jobs, loaded before the first one."""


def serve(connection: Connection) -> None:
    """Do jobs until the parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # a puzzle of one's own may print
    _Server(connection).run()


class _Server:
    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.inbox: SimpleQueue[list[Any]] = SimpleQueue()
        self.sending = Lock()
        self.limits: dict[int, Limits] = {}

    def run(self) -> None:
        Thread(target=self._listen, daemon=True).start()
        for name in LOADED:
            import_module(name)
        self._send("ready", 0, {})
        while True:
            number, module, function, request, *_ = self.inbox.get()
            answer = self._answer(number, getattr(import_module(module), function), request)
            del self.limits[number]
            self._send("done", number, answer)

    def _listen(self) -> None:
        """Receive messages of the parent; end this process when the parent is gone."""
        try:
            while True:
                word, number, *rest = json.loads(self.connection.recv_bytes())
                if word == "do":
                    self.limits[number] = Limits(rest[-2], rest[-1])
                    self.inbox.put([number, *rest])
                elif limits := self.limits.get(number):
                    limits.cancel()
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    def _send(self, *message: Any) -> None:
        with self.sending:
            self.connection.send_bytes(json.dumps(message).encode())

    def _answer(self, number: int, work: Work, request: Data) -> Data:
        try:
            with Run(self.limits[number]):
                return work(request, lambda data: self._send("told", number, data))
        except LimitReached as reached:
            return {"error": str(reached), "status": reached.status}
        except MemoryError:
            return {"error": "the memory limit was reached", "status": MEMOUT}
        except UnpuzzleError as error:
            return {"error": getattr(error, "message", "") or str(error), "line": getattr(error, "line", None)}
        except (Exception, SystemExit) as error:  # of a puzzle's own code, or of ours
            return {"error": f"{type(error).__name__}: {error}".rstrip(": ") + _place(error, request)}


def _place(error: BaseException, request: Data) -> str:
    """Return the place of an error in the file of a puzzle; empty if it was elsewhere."""
    files = {request.get("path"), request.get("puzzle")}
    for frame in reversed(extract_tb(error.__traceback__)):
        if frame.filename in files:
            return f" (line {frame.lineno} of {os.path.basename(frame.filename)})"
    return ""
