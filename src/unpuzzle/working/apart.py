"""Call functions of ours one after the other, each in its own process, with enforced limits.

    with Apart() as apart:
        ending = apart.call(Call("unpuzzle.lab.making_runs", "make_run", pickle.dumps(arguments), time=10))

A process that breaks, is killed or takes too much costs its call and no more: the ending says how it ended. All of that
ends with the block, and when this process is killed (`apart_server.py`). The server starts with the first call, and
again should somebody have killed it. One `Apart` makes one call at a time; several threads have one each.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Any, Self

from unpuzzle.base.errors import LimitReached, WorkersFailed
from unpuzzle.base.outcomes import MEMOUT
from unpuzzle.working.calls import Call, Ending, Part

_START = """import json, sys
sys.path[:] = json.loads(sys.argv[1])
from unpuzzle.working.apart_server import serve
serve()
"""
_PARTING = 5.0
"""The seconds that a server has to end the running call before it is killed."""


class Apart:
    """Makes calls in processes of their own, one at a time."""

    def __init__(self) -> None:
        self._server: subprocess.Popen[bytes] | None = None
        self._ended = False
        self._lock = Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.close()

    def call(self, call: Call, on_part: Callable[[Any], None] | None = None) -> Ending:
        """Make a call, and return how it ended; `on_part` is given what the function reports.

        A call whose server somebody has ended is made once more: so the end of the whole machine, which ends the server
        a little before us, is not taken for the end of the call. Raises WorkersFailed where no process can be started,
        or this one was stopped meanwhile.
        """
        return self._made(call, on_part) or self._made(call, on_part) or Ending()

    def _made(self, call: Call, on_part: Callable[[Any], None] | None) -> Ending | None:
        """Make a call; return None if the server ends before it."""
        server = self._running()
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            pickle.dump(call, server.stdin)
            server.stdin.flush()
            while isinstance(message := pickle.load(server.stdout), Part):  # noqa: S301  # of our own process
                if on_part is not None:
                    on_part(pickle.loads(message.value))  # noqa: S301
        except (EOFError, OSError, pickle.UnpicklingError, ValueError):
            self.close()
            if self._ended:
                raise WorkersFailed("the work was stopped") from None
            return None
        ending: Ending = message
        return ending

    @property
    def stopped(self) -> bool:
        return self._ended

    def stop(self) -> None:
        """End the running call, and make no more calls. For any thread."""
        with self._lock:
            self._ended = True
            server = self._server
        if server is not None and server.stdin is not None:
            with suppress(OSError):
                server.terminate()
                server.send_signal(getattr(signal, "SIGCONT", signal.SIGTERM))  # to one that somebody has stopped

    def close(self) -> None:
        """Wait until the running call and the server have ended."""
        with self._lock:
            server, self._server = self._server, None
        if server is None:
            return
        for stream in (server.stdin, server.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()
        try:
            server.wait(_PARTING)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()

    def _running(self) -> subprocess.Popen[bytes]:
        """Return the server; start it if there is none."""
        with self._lock:
            if self._ended:
                raise WorkersFailed("the work was stopped")
            if self._server is None:
                self._server = _start()
            return self._server


def _start() -> subprocess.Popen[bytes]:
    environment = {name: value for name, value in os.environ.items() if not name.upper().startswith("PYTHON")}
    try:
        return subprocess.Popen(  # noqa: S603
            [sys.executable, "-P", "-c", _START, json.dumps(sys.path)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise WorkersFailed(f"no process can be started: {error}") from error


def value_of(ending: Ending) -> Any:
    """Return the value of a call. Raises the error that the function raised.

    LimitReached where its process was ended for a limit, WorkersFailed where it ended before it had answered.
    """
    if ending.answer is not None:
        returned, value = pickle.loads(ending.answer)  # noqa: S301  # of our own process
        if returned:
            return value
        if isinstance(value, MemoryError):
            raise LimitReached(MEMOUT, "the memory limit was reached")
        raise value
    if ending.limit:
        raise LimitReached(ending.limit, f"the process was ended: {ending.limit}")
    raise WorkersFailed(how_it_ended(ending))


def how_it_ended(ending: Ending) -> str:
    """Describe the end of a process that has not answered."""
    code = ending.exit_code
    how = "" if code is None else f" by signal {-code}" if code < 0 else f" with exit code {code}"
    last = ending.printed.strip().splitlines()[-1:]
    words = f": {last[0][:200]}" if last else "; was there too little memory?" if code in (None, -9) else ""
    return f"the process of the run ended{how} before it had answered{words}"
