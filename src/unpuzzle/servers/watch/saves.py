"""Wait for changed files in a thread, so that the main thread receives signals, and checks can be cancelled.

Folders are watched and not files: many editors write another file and rename it, and a file may be deleted and come
back. A save counts only if the bytes of some file have changed.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from queue import Empty, SimpleQueue
from stat import S_ISREG
from zlib import crc32

from unpuzzle.base import availability
from unpuzzle.base.platform_facts import opened_at_once

DEBOUNCE, STEP = 400, 50
"""Milliseconds: a burst of changes is one save if it ends within the first, with pauses shorter than the second."""
PATIENCE = 0.2
"""The seconds after which the main thread checks for signals, on systems that do not wake it for them."""


class Saves:
    """A context manager in which a thread watches folders; that thread calls `on_save` for each save."""

    def __init__(
        self, folders: Sequence[str], concerns: Callable[[str], bool], on_save: Callable[[], None] = lambda: None
    ) -> None:
        availability.require("studio", "watching files needs", "watchfiles")
        self._folders, self._concerns, self._on_save = folders, concerns, on_save
        self._queue: SimpleQueue[BaseException | None] = SimpleQueue()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="unpuzzle-saves", daemon=True)

    def __enter__(self) -> Saves:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(2.0)

    def wait(self) -> None:
        """Return after the next save. Raises OSError if watching is impossible, or becomes impossible."""
        while True:
            try:
                error = self._queue.get(timeout=PATIENCE)
            except Empty:
                continue
            while not self._queue.empty():
                error = self._queue.get() or error
            if error is not None:
                raise error
            return

    def _watch(self) -> None:
        failed = False
        while not self._stop.is_set():
            try:
                self._watch_once(failed)
            except RuntimeError:  # of a change of a file whose name is no text; saves meanwhile are missed
                failed = True
                self._stop.wait(PATIENCE)
            except BaseException as error:
                self._queue.put(error if isinstance(error, OSError) else OSError(f"watching ended: {error}"))
                return

    def _watch_once(self, polling: bool) -> None:
        """Report each save; with `polling`, also report once a second, in case a save was missed."""
        from watchfiles import watch

        for changes in watch(
            *self._folders,
            watch_filter=lambda _, path: self._concerns(path),
            debounce=DEBOUNCE,
            step=STEP,
            stop_event=self._stop,
            recursive=False,
            rust_timeout=1_000,
            yield_on_timeout=polling,
        ):
            self._queue.put(None)
            if changes:
                self._on_save()


def fingerprint(paths: Iterable[str]) -> dict[str, tuple[int, int] | None]:
    """Return, by path, the length and a checksum of each file; None for a missing file."""
    prints: dict[str, tuple[int, int] | None] = {}
    for path in paths:
        try:
            with open(path, "rb", opener=opened_at_once) as file:
                data = file.read() if S_ISREG(os.fstat(file.fileno()).st_mode) else b""
        except OSError:
            prints[path] = None
        else:
            prints[os.path.abspath(path)] = (len(data), crc32(data))
    return prints
