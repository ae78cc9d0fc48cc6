"""A studio that runs in a thread of the tests, and somebody who asks it and hears what it tells by itself."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil

from support.waiting import PATIENCE, wait_until
from unpuzzle.base.run import Limits
from unpuzzle.servers.studio.server import Studio


def processes_of(studio: Studio) -> list[int]:
    """The ids of the processes of a studio's pool."""
    return [worker.process.pid for worker in studio.pool._workers if worker.process is not None]


@contextmanager
def running(place: Path, seconds: float = 20.0, memory: int | None = None) -> Iterator[Studio]:
    """Run a studio; afterwards none of its processes may be left."""
    studio, ready = Studio(str(place), limits=Limits(seconds, memory)), threading.Event()
    thread = threading.Thread(target=studio.run, args=(ready.set,), daemon=True)
    thread.start()
    assert ready.wait(PATIENCE)
    try:
        yield studio
    finally:
        processes = processes_of(studio)
        studio.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()
        wait_until(lambda: not any(map(psutil.pid_exists, processes)), "all processes have ended")


class Visitor:
    """A window without a browser: asks, and keeps all events in their order."""

    def __init__(self, studio: Studio, name: str = "w1") -> None:
        self.studio, self.name = studio, name
        self.http = httpx.Client(base_url=studio.address, timeout=PATIENCE)
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.revision = 0  # of the last edit: what is told of texts before it comes too late
        self._open = threading.Event()
        self._stream: Any = None
        threading.Thread(target=self._listen, daemon=True).start()
        assert self._open.wait(PATIENCE)

    def _listen(self) -> None:
        kind = ""
        try:
            with self.http.stream("GET", f"events?window={self.name}", timeout=None) as self._stream:
                for line in self._stream.iter_lines():
                    if line.startswith("event: "):
                        kind = line[7:]
                    elif line.startswith("data: "):
                        self.events.append((kind, json.loads(line[6:])))
                        self._open.set()
        except httpx.HTTPError:  # the studio, or this window, has ended
            pass

    def close(self) -> None:
        """Close the window."""
        self.http.close()

    def ask(self, name: str, **data: Any) -> dict[str, Any]:
        """Ask for something and return the answer, with its `status`."""
        answer = self.http.post(name, json={"window": self.name, **data})
        return {**answer.json(), "code": answer.status_code}

    def await_event(self, kind: str, fits: Callable[[dict[str, Any]], object] = lambda data: True) -> dict[str, Any]:
        """Return the first event of a kind that fits, as soon as it is there."""
        found: list[dict[str, Any]] = []

        def look() -> bool:
            found[:] = [data for each, data in list(self.events) if each == kind and fits(data)]
            return bool(found)

        wait_until(look, f"an event {kind} comes")
        return found[0]

    def edit(self, path: str, text: str, **data: Any) -> list[dict[str, Any]]:
        """Change the text of the window; return its levels."""
        self.events.clear()
        self.revision = data.pop("revision", self.revision + 1)
        assert self.ask("edit", path=path, text=text, revision=self.revision, **data)["code"] == 200
        levels = self._look("levels")["levels"]
        assert isinstance(levels, list)
        return levels

    def answer(self, key: str) -> dict[str, Any]:
        """Return the last answer about a level."""
        return self.await_event("level", lambda event: event["key"] == key and event["done"])

    def badges(self, key: str) -> list[str]:
        """Return the texts of the badges of a level."""
        return [badge["text"] for badge in self.answer(key)["badges"]]

    def faults(self) -> list[dict[str, Any]]:
        """Return the faults of the text."""
        faults = self._look("faults")["faults"]
        assert isinstance(faults, list)
        return faults

    def _look(self, what: str) -> dict[str, Any]:
        return self.await_event("look", lambda event: what in event and event["revision"] == self.revision)
