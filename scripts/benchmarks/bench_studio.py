"""Measure the response time of the studio: from an edit to the first badge, and to all of them.

    scripts/bench studio [--edits N]    edits of small levels; the same while a level takes for ever in another window

Times are wall clock, since users wait. On a busy machine they say little, so the load is printed, too, and for each
edit the processor time of all processes. For comparison a level is first solved in this process: the rest of the time
is the studio's own.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from time import perf_counter, process_time

import httpx
import psutil

from unpuzzle import find, solve
from unpuzzle.servers.studio.server import Studio

BIG = "\n".join(["#" * 30, "#@" + " " * 27 + "#", *["#" + " $ ." * 7 + "#"] * 7, "#" * 30]) + "\n"
KEYS = 20


class Asking:
    """A window that measures how soon answers arrive."""

    def __init__(self, studio: Studio, name: str) -> None:
        self.name, self.path = name, f"{name}.sok"
        self.http = httpx.Client(base_url=studio.address, timeout=600)
        self.lines = self._lines()
        next(self.lines)
        self.studio = studio

    def _lines(self) -> Iterator[dict]:
        with self.http.stream("GET", f"events?window={self.name}", timeout=600) as stream:
            for line in stream.iter_lines():
                if line.startswith("data: "):
                    yield json.loads(line[6:])

    def edit(self, text: str) -> tuple[float, float, float]:
        """Return the seconds until the first badge and until the last, and the processor seconds of all processes."""
        began, used, key, first = perf_counter(), self.cpu(), None, None
        self.http.post("edit", json={"window": self.name, "path": self.path, "text": text, "revision": 1})
        for data in self.lines:
            if "levels" in data:
                key = data["levels"][0]["key"]
            if data.get("key") != key:
                continue
            if data.get("badges") or data.get("done"):
                first = first or perf_counter() - began
            if data.get("done"):
                break
        return first or 0.0, perf_counter() - began, self.cpu() - used

    def cpu(self) -> float:
        """Return the processor time that the studio's processes have taken."""
        pids = [os.getpid(), *self.studio.pool.processes()]
        return sum(sum(psutil.Process(pid).cpu_times()[:2]) for pid in pids)


@contextmanager
def running(folder: str) -> Iterator[Studio]:
    studio, ready = Studio(folder), threading.Event()
    thread = threading.Thread(target=studio.run, args=(ready.set,))
    thread.start()
    ready.wait()
    try:
        yield studio
    finally:
        studio.stop()
        thread.join()


def level(rng: Random) -> str:
    """Return the text of a new random small level of Sokoban."""
    cells = [[" "] * 6 for _ in range(5)]
    places = rng.sample([(row, column) for row in range(5) for column in range(6)], 8)
    for (row, column), symbol in zip(places, "@$$..###", strict=True):
        cells[row][column] = symbol
    rows = ["#" * 8, *[f"#{''.join(row)}#" for row in cells], "#" * 8]
    return "\n".join(rows) + "\n"


def told(what: str, times: list[tuple[float, float, float]]) -> str:
    """Return a line about edits."""
    columns = list(zip(*times, strict=True))
    parts = [
        f"{name} {statistics.median(column):.3f} s (worst {max(column):.3f})"
        for name, column in zip(("first badge", "all badges", "CPU"), columns, strict=True)
    ]
    return f"{what:28} {', '.join(parts)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--edits", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, sokoban = Random(options.seed), find("sokoban")
    texts = [level(rng) for _ in range(options.edits)]
    alone = []
    for text in texts:
        before = process_time()
        solve(sokoban.parse(text))
        alone.append(process_time() - before)
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors")
    print(f"{'solved in this process':28} CPU {statistics.median(alone):.3f} s (worst {max(alone):.3f})")
    with tempfile.TemporaryDirectory() as folder, running(folder) as studio:
        asking = Asking(studio, "one")
        for text in texts[:3]:  # until all processes are warm
            asking.edit(text)
        print(told("edits", [asking.edit(text) for text in texts[3:]]))
        other = Asking(studio, "other")
        other.http.post("edit", json={"window": "other", "path": "other.sok", "text": BIG, "revision": 1})
        again = [level(rng) for _ in range(options.edits // 2)]
        print(told("while one takes for ever", [asking.edit(text) for text in again]))
        played = []
        for number in range(KEYS):
            before = perf_counter()
            data = {"window": "one", "path": "one.sok", "text": again[-1], "level": "1", "moves": []}
            asking.http.post("play", json={**data, "word": ("up", "down", "left", "right")[number % 4]})
            played.append(perf_counter() - before)
        print(f"{'a key, meanwhile':28} {statistics.median(played):.3f} s (worst {max(played):.3f})")


if __name__ == "__main__":
    main()
