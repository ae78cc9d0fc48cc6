"""The output of a program, read by a thread as it comes: the program hardly waits for us, and memory stays bounded.

printed:  |------- 4 MiB -------|.... left out ....|------- 4 MiB -------|
                  head                                     tail

Many programs print line by line, and each reading wakes a thread beside the program. So after little output the thread
waits a moment for more, or for the end.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Sequence
from typing import Any

THREAD = "unpuzzle-drain"
"""The name of the threads."""
_MOST = 8 << 20
_PIECES = 32
"""The most pieces that are read to catch up with a program: more than a pipe holds."""
_PAUSE, _MUCH = 20, 4096
"""The milliseconds that a thread waits for more output, and the bytes after which it does not."""


class Drain:
    """A pipe that is read to its end; the beginning and the end of the data are kept.

    Attributes:
        done: set at the end.
        shared: whether two threads may read in turns, since reading never waits.
    """

    def __init__(self, pipe: Any) -> None:
        self.done: threading.Event = threading.Event()
        self.pipe: int = pipe.fileno()
        self.shared: bool = False
        self._pipe = pipe
        self._head, self._tail = bytearray(), deque[bytes]()
        self._tail_size = self._lost = 0  # bytes in the tail; and between head and tail
        self._lock, self._turn = threading.Lock(), threading.Lock()

    def data(self) -> bytes:
        """Return the data so far."""
        with self._lock:
            gap = f"\n[... {self._lost} bytes left out ...]\n".encode() if self._lost else b""
            return bytes(self._head) + gap + b"".join(self._tail)

    def take(self) -> int:
        """Read once, and return the number of bytes; 0 at the end, -1 if there is nothing yet. Raises OSError."""
        with self._turn:  # so that pieces are kept in their order, and nobody reads from a closed pipe
            try:
                chunk = b"" if self.done.is_set() else os.read(self.pipe, 1 << 16)
            except BlockingIOError:
                return -1
            with self._lock:
                self._keep(chunk)
            return len(chunk)

    def catch_up(self) -> bytes:
        """Read what the pipe holds now, without waiting, and return the data so far."""
        for _ in range(_PIECES if self.shared else 0):
            if self.take() <= 0:
                break
        return self.data()

    def take_all(self) -> None:
        """Read to the end."""
        try:
            while self.take():
                pass
        finally:
            self.close()

    def close(self) -> None:
        """Close the pipe."""
        with self._turn:
            try:
                self._pipe.close()
            finally:
                self.done.set()

    def _keep(self, chunk: bytes) -> None:
        half = _MOST // 2
        room = half - len(self._head)
        self._head += chunk[:room]
        if len(chunk) > room:
            self._tail.append(chunk[room:])
            self._tail_size += len(chunk) - room
        while self._tail_size > half:
            size = len(self._tail.popleft())
            self._tail_size -= size
            self._lost += size


def drain(pipes: Sequence[Any]) -> list[Drain]:
    """Read pipes in the background: by one thread, or by one each on systems that cannot wait for several pipes."""
    drains = [Drain(pipe) for pipe in pipes]
    try:
        from select import poll  # noqa: F401
    except ImportError:  # Windows
        works = [each.take_all for each in drains]
    else:
        works = [lambda: _take_turns(drains)]
    for work in works:
        # A daemon: if a process escapes with the pipe open, the caller's program can still end.
        threading.Thread(target=work, daemon=True, name=THREAD).start()
    return drains


def _take_turns(drains: Sequence[Drain]) -> None:
    """Read each pipe when it has data, until all have ended."""
    from select import POLLIN, poll

    data, ends = poll(), poll()
    reading = {each.pipe: each for each in drains}
    try:
        for pipe, each in reading.items():
            data.register(pipe, POLLIN)
            ends.register(pipe, 0)
            if hasattr(os, "set_blocking"):
                os.set_blocking(pipe, False)
                each.shared = True
        while reading:
            most = 0
            for pipe, _ in data.poll():
                size = reading[pipe].take()
                most = max(most, size)
                if not size:
                    data.unregister(pipe)
                    ends.unregister(pipe)
                    reading.pop(pipe).close()
            if 0 < most < _MUCH and reading:
                ends.poll(_PAUSE)
    finally:
        for each in reading.values():
            each.close()
