"""The file of an experiment, which only one experiment at a time opens, to append whole lines.

A line is written by one call, and reaches the disk within a second. A torn line at the end, of whoever was killed
while it was written, is cut off when the file is opened. What the runs printed stands in a folder beside it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from stat import S_ISREG
from time import monotonic
from typing import Self

from unpuzzle.defaults import RUNS_FILE
from unpuzzle.errors import ParseError, UsageError
from unpuzzle.files import save_file
from unpuzzle.found_files import require_places
from unpuzzle.lab.runs import Run, Runs, line_of, logs_folder, runs_in

SYNCING_SECONDS = 1.0
"""The least number of seconds between two calls of `fsync`."""


class RunsFile:
    """A file of runs to which only this process may append.

    Attributes:
        runs: those in it when it was opened.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: str = os.fspath(path)
        self.runs: Runs = Runs()
        self._file = -1
        self._size = 0
        self._synced = monotonic()

    def __enter__(self) -> Self:
        """Open the file, and read its runs.

        Raises OSError, UsageError if another experiment has it or if it is a device or a pipe, ParseError for a line
        that is no run.
        """
        if self.path == RUNS_FILE:  # nobody named it
            require_places([self.path], os.curdir)
        # Not `O_APPEND`: half a line that the disk had no room for is written over by the next.
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        try:
            if not S_ISREG(os.fstat(self._file).st_mode):
                raise UsageError(f"an experiment goes on from its file, and {self.path} keeps nothing")
            self._lock()
            data = self._read()
            self.runs = runs_in(data, self.path)
            self._size = len(data)
            if data and not data.endswith(b"\n"):
                self._mend(data)
        except BaseException:
            os.close(self._file)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            os.fsync(self._file)
        finally:
            os.close(self._file)

    def append(self, run: Run, log: str = "") -> None:
        """Add a run, and its log beside the file. Raises OSError; then nothing of it is in the file."""
        if log and run.log:
            folder = logs_folder(self.path)
            os.makedirs(folder, exist_ok=True)
            require_places([os.path.join(folder, run.log)], os.path.dirname(self.path) or os.curdir)
            save_file(os.path.join(folder, run.log), log.encode("utf-8", "replace"))
        self._write(line_of(run))

    def _write(self, line: bytes) -> None:
        os.lseek(self._file, self._size, os.SEEK_SET)
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except BaseException as error:
            with suppress(OSError):
                os.ftruncate(self._file, self._size)
            if isinstance(error, OSError):
                raise OSError(error.errno, error.strerror, self.path) from None
            raise
        self._size += len(line)
        if monotonic() - self._synced > SYNCING_SECONDS:
            os.fsync(self._file)
            self._synced = monotonic()

    def _read(self) -> bytes:
        pieces = []
        while piece := os.read(self._file, 1 << 20):
            pieces.append(piece)
        return b"".join(pieces)

    def _mend(self, data: bytes) -> None:
        """Remove an incomplete last line; end a complete one that lacks its end of line."""
        last = data.rindex(b"\n") + 1 if b"\n" in data else 0
        with suppress(ParseError):
            runs_in(data[last:] + b"\n")
            self._write(b"\n")
            return
        os.ftruncate(self._file, last)
        self._size = last

    def _lock(self) -> None:
        try:
            _lock(self._file)
        except BlockingIOError:
            raise UsageError(f"another experiment writes to {self.path} at this time") from None


def _lock(file: int) -> None:
    """Lock a file for this process, as long as it is open. Raises BlockingIOError where another process has it."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        os.lseek(file, 1 << 40, os.SEEK_SET)  # a byte that nobody reads: such locks also keep readers away
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
        except OSError:
            raise BlockingIOError from None
        finally:
            os.lseek(file, 0, os.SEEK_SET)
        return
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
