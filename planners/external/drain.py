"""The output of a program, read by a thread as it comes: the program hardly waits for us, and memory stays bounded.

printed:  |------- 4 MiB -------|.... left out ....|------- 4 MiB -------|
                  head                                     tail
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

THREAD = "unpuzzle-drain"
"""The name of the threads."""
_MOST = 8 << 20
_PAUSE, _MUCH = 20, 4096
"""Milliseconds between two looks at a program that prints little, and the bytes that are more than little."""


class Drain:
    """A thread that reads a pipe to its end and keeps the beginning and the end of the data."""

    def __init__(self, pipe: Any) -> None:
        self.done: threading.Event = threading.Event()
        self._pipe = pipe
        self._head, self._tail = bytearray(), deque[bytes]()
        self._tail_size = self._lost = 0  # bytes in the tail; and between head and tail
        self._lock = threading.Lock()
        # A daemon: if a process escapes with the pipe open, the caller's program can still end.
        threading.Thread(target=self._read, daemon=True, name=THREAD).start()

    def data(self) -> bytes:
        with self._lock:
            gap = f"\n[... {self._lost} bytes left out ...]\n".encode() if self._lost else b""
            return bytes(self._head) + gap + b"".join(self._tail)

    def _read(self) -> None:
        try:
            with self._pipe:
                wait = _wait_for_end(self._pipe.fileno())
                while chunk := os.read(self._pipe.fileno(), 1 << 16):
                    with self._lock:
                        self._keep(chunk)
                    if len(chunk) < _MUCH:  # many programs print line by line: take several at a time
                        wait(_PAUSE)
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


def _wait_for_end(pipe: int) -> Callable[[int], object]:
    """Return a function that waits some milliseconds, or until nobody writes to a pipe any more."""
    with suppress(ImportError):  # Windows
        from select import poll

        ends = poll()
        ends.register(pipe, 0)
        return ends.poll
    return lambda _: None
