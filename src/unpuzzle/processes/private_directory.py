"""Private directories for programs; creating a directory also removes those left behind by killed processes.

The names of directories identify their owners:

    unpuzzle-PID.START.PLACE-RANDOM       such as unpuzzle-4711.880125.5f1c09ab-k3x_9a0q

PID and START (its start time) identify a process, although the system reuses ids. PLACE identifies the machine and, on
Linux, the namespace of process ids: folders for temporary files may be shared by containers and machines, and a process
of another place is invisible here, so its directories are left alone.
"""

from __future__ import annotations

import os
import re
import stat
import time
from _thread import start_new_thread
from collections.abc import Callable, Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from threading import Event, Lock
from zlib import crc32

from unpuzzle.base.errors import PlannerFailed
from unpuzzle.base.files import require_room
from unpuzzle.base.platform_facts import opened_at_once, process_namespace, process_start
from unpuzzle.base.type_hints import Self

_FILE_BYTES = 64 << 20  # the most that is read of a file
_NAME = re.compile(r"unpuzzle-(\d+)\.(\d+)\.([0-9a-f]{8})-\w+")


class PrivateDirectory:
    """A new directory containing the given `files`, which is removed at the end of the `with` block.

    Attributes:
        printed: returns the standard output so far of the program that runs in it.
        ended: whether that program has ended by itself; False if it was cut off, None while it runs.
        cut: the time at which a limit ended it, after which `printed` returns no more; None if none did.
    """

    def __init__(self, files: Mapping[str, str | bytes], *, planner: str) -> None:
        self.path: str = ""
        self.planner: str = planner
        self.printed: Callable[[], str] = str
        self.ended: bool | None = None
        self.cut: float | None = None
        self._files = files

    def __enter__(self) -> Self:
        """Create the directory with its files. Raises PlannerFailed if that is impossible."""
        import tempfile

        try:
            folder = os.path.abspath(tempfile.gettempdir())  # programs run elsewhere, and TMPDIR may be `.`
            remove_leftovers(folder)
            self.path = tempfile.mkdtemp(prefix=prefix(), dir=folder)
            for name, data in self._files.items():
                with open(self.file(name), "wb") as file:
                    file.write(data.encode() if isinstance(data, str) else data)
        except BaseException as error:
            if self.path:
                remove_tree(self.path)
            if not isinstance(error, OSError):
                raise
            sentence = f"{self.planner} cannot run: no directory for its files could be made: {error}"
            raise PlannerFailed(sentence, planner=self.planner) from error
        return self

    def __exit__(self, *_: object) -> None:
        undisturbed(lambda: remove_tree(self.path))

    def cut_off(self, printed: str) -> None:
        """Record that a limit ended the program now, and keep the output that it has printed so far."""
        self.cut, self.printed = time.time(), lambda: printed

    def file(self, name: str) -> str:
        """Return the full path of a file in the directory."""
        return os.path.join(self.path, name)

    def entries(self, pattern: str) -> list[os.DirEntry[str]]:
        """Return the directory's entries whose names match `pattern`; empty if the program has removed it."""
        try:
            return [entry for entry in os.scandir(self.path) if fnmatchcase(entry.name, pattern)]
        except OSError:
            return []

    def read(self, pattern: str) -> dict[str, str]:
        """Return, by name, the texts of regular files whose names match `pattern`; very long files are cut at the end.

        Raises LimitReached if there is no room for the texts.
        """
        texts = {}
        for entry in self.entries(pattern):
            # Never open a special file that a program may have left: a pipe would block for ever.
            with suppress(OSError):  # the program may remove the file, or put a pipe there, meanwhile
                if entry.is_file(follow_symlinks=False):
                    require_room(min(entry.stat(follow_symlinks=False).st_size, _FILE_BYTES))
                    with open(entry.path, "rb", opener=opened_at_once) as file:
                        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                            texts[entry.name] = file.read(_FILE_BYTES).decode("utf-8", "replace")
        return texts


def prefix() -> str:
    """Return the prefix that the names of this process's private directories have."""
    return f"unpuzzle-{os.getpid()}.{process_start(os.getpid())}.{_place()}-"


def remove_leftovers(folder: str) -> None:
    """Remove the private directories in a folder whose processes, of this user and machine, have ended.

    What cannot be removed stays.
    """
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in list(entries):
            parts = _NAME.fullmatch(entry.name)
            if parts is None or parts[3] != _place() or process_start(int(parts[1])) == int(parts[2]):
                continue
            with suppress(OSError):
                about = entry.stat(follow_symlinks=False)
                is_own = not hasattr(os, "geteuid") or about.st_uid == os.geteuid()
                if stat.S_ISDIR(about.st_mode) and is_own:
                    remove_tree(entry.path)


def undisturbed(work: Callable[[], None]) -> None:
    """Run a function to its end in a thread, so that exceptions by signals are raised only afterwards."""
    done, raised, begun = Event(), list[BaseException](), Lock()

    def run() -> None:
        if begun.acquire(blocking=False):
            try:
                work()
            except BaseException as error:
                raised.insert(0, error)
            done.set()

    while not done.is_set():
        try:
            try:
                start_new_thread(run, ())  # once more after each interrupt, which may have come before it was started
            except (RuntimeError, MemoryError):  # no thread can be started
                run()
            done.wait()
        except BaseException as error:
            raised.append(error)
    if raised:
        raise raised[0]


def remove_tree(path: str) -> None:
    """Remove a directory with its contents, even if a program has nested it deeply or withdrawn our permissions."""
    from shutil import rmtree

    try:
        rmtree(path)
    except (OSError, RecursionError):
        _flatten(path)
        rmtree(path, ignore_errors=True)


def _flatten(path: str) -> None:
    """Move all folders inside a directory to its top level, because deep paths may be too long for the system."""
    with suppress(OSError):
        os.chmod(path, stat.S_IRWXU)
    folders, name = [path], os.urandom(8).hex()
    for folder in folders:
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in [entry for entry in entries if entry.is_dir(follow_symlinks=False)]:
                os.chmod(entry.path, stat.S_IRWXU)
                folders.append(entry.path if folder == path else os.path.join(path, f"{name}-{len(folders)}"))
                os.rename(entry.path, folders[-1])


def _place() -> str:
    """Return eight hexadecimal digits that identify this machine and this namespace of process ids."""
    return f"{crc32(process_namespace().encode()):08x}"
