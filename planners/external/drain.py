"""The output of a program, read by a thread as it comes: the program never waits for us, and memory stays bounded.

printed:  |------- 4 MiB -------|.... left out ....|------- 4 MiB -------|
                  head                                     tail
"""

from __future__ import annotations

import os
import threading
from collections import deque
from typing import Any

_MOST = 8 << 20


class Drain:
    """A thread that reads a pipe to its end and keeps the beginning and the end of the data."""

    def __init__(self, pipe: Any) -> None:
        self.done: threading.Event = threading.Event()
        self._pipe = pipe
        self._head, self._tail = bytearray(), deque[bytes]()
        self._tail_size = self._lost = 0  # bytes in the tail; and between head and tail
        self._lock = threading.Lock()
        # A daemon: if a process escapes with the pipe open, the caller's program can still end.
        threading.Thread(target=self._read, daemon=True, name="unpuzzle-drain").start()

    def data(self) -> bytes:
        with self._lock:
            gap = f"\n[... {self._lost} bytes left out ...]\n".encode() if self._lost else b""
            return bytes(self._head) + gap + b"".join(self._tail)

    def _read(self) -> None:
        try:
            with self._pipe:
                while chunk := os.read(self._pipe.fileno(), 1 << 16):
                    with self._lock:
                        self._keep(chunk)
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
