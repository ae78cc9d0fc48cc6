"""Reading files within the limits of the current run, writing files atomically, and searching folders for files.

Each file is written beside its place, under a short temporary name, and moved there when all are complete; if a move
fails, the earlier ones are undone. So an old file stays until the new one is complete, and keeps its mode; a link to
it stays a link. Targets that cannot be replaced, such as a device or a pipe, are written directly.

A folder may be somebody else's: an archive, a student's work, a download. It may hold a link to a private file, a pipe
that nobody writes to, a device. A found file counts if it is a regular file in the folder, all links followed; linked
folders are not entered. So nothing outside is read or written, and nothing is waited for. What people name themselves
counts, whatever it is. Only this module finds files in folders.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from errno import EACCES, EEXIST, EISDIR, EPERM
from stat import S_IMODE, S_ISDIR, S_ISREG
from warnings import warn_explicit

from unpuzzle.base.errors import LimitReached
from unpuzzle.base.platform_facts import awaited, may_wait, opened_at_once
from unpuzzle.base.run import current
from unpuzzle.base.type_hints import BinaryIO, Self

WRITABLE = 0o222
"""The write bits of a mode."""
DEVICES = ("/dev/", "/proc/")
"""Folders with special files that look like plain ones, such as `/dev/stdout`."""
DEEPEST = 100
"""The depth of folders that is searched: Python itself fails at some hundreds."""
NOWHERE = "this link leads nowhere"
PIECE = 1 << 20
COPIES = 3
"""The number of copies of a text in memory while it is read: as bytes in pieces, as bytes, and as text."""
UTF_16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
"""The encodings that are recognised by their first two bytes, which are kept as the first character."""


class FileLeftOut(UserWarning):
    """A warning about a file or subfolder that is skipped; the message gives the reason."""


def found_files(
    folder: str,
    endings: str | tuple[str, ...],
    *,
    root: str | None = None,
    enters: Callable[[str], bool] = lambda name: False,
    quiet: bool = False,
) -> Iterator[str]:
    """Yield the files of a folder with given endings, sorted by name. Raises OSError.

    They have to be in `root`, by default the folder. Folders in it that `enters` accepts by name are looked through,
    too. An entry with such a name that does not count causes a warning (FileLeftOut), unless `quiet`.
    """
    home = os.path.realpath(root or folder)
    for below, folders, names in os.walk(folder or os.curdir, onerror=_raise):
        folders[:] = sorted(filter(enters, folders)) if is_near(below, folder) else []
        for name in sorted(names):
            path = os.path.join(folder and below, name)
            if name.lower().endswith(endings) and not (reason := _reason_against(path, home)):
                yield path
            elif name.lower().endswith(endings) and not quiet:
                warn_explicit(f"{reason}: the file is left out", FileLeftOut, path, 0)


def is_of_people(folder: str) -> bool:
    """Return whether a folder name is neither hidden nor reserved for generated files, such as `__pycache__`."""
    return not folder.startswith(".") and folder not in ("node_modules", "__pycache__")


def is_near(below: str, folder: str) -> bool:
    """Return whether the folder `below` may be searched; warn (FileLeftOut) if it is nested too deep in `folder`."""
    if below.count(os.sep) - folder.count(os.sep) < DEEPEST:
        return True

    warn_explicit(f"its subfolders are skipped, because it is nested {DEEPEST} folders deep", FileLeftOut, below, 0)
    return False


def _raise(error: OSError) -> None:
    raise error


def is_found(path: str, folder: str) -> bool:
    """Return whether a path, after following links, is a regular file inside a folder."""
    return not _reason_against(path, os.path.realpath(folder))


def require_places(paths: list[str], folder: str) -> None:
    """Raise OSError if a path in `paths` leads out of `folder`, or to something that is not a regular file."""
    for path in paths:
        reason = _reason_against(path, os.path.realpath(folder))
        if reason not in ("", NOWHERE):
            raise OSError(EPERM, f"{reason}, so nothing is written to this path", path)


def _reason_against(path: str, home: str) -> str:
    """Return why a path is not a regular file inside the folder `home` (a path without links); empty if it is one."""
    try:
        if os.path.commonpath([os.path.realpath(path), home]) != home:
            return "a link leads out of the folder"
        return "" if S_ISREG(os.stat(path).st_mode) else "this is a pipe or a device, not a file"
    except (OSError, ValueError):  # or it is on another drive
        return NOWHERE


def save_file(path: str, content: str | bytes) -> None:
    """Write a file completely or not at all. Raises OSError with the name of the file."""
    save_all({path: content})


def save_all(files: Mapping[str, str | bytes], *, new: bool = False) -> None:
    """Write all files or none; `files` maps each file name to the content of the file.

    Raises OSError, which names the file; FileExistsError if a file that must be `new` exists.
    """
    places = [_FileInProgress(path, content, new, number) for number, (path, content) in enumerate(files.items())]
    try:
        for step in (_FileInProgress.prepare, _FileInProgress.move):
            for place in places:
                with _naming_errors(place.path):
                    step(place)
    except BaseException:
        for place in reversed(places):
            place.take_back()
        raise
    for place in places:
        place.forget_old()


class Folders:
    """A context manager that creates a folder and its parents, and removes them again if the block fails."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.new: list[str] = []

    def __enter__(self) -> Self:
        try:
            for folder in reversed([*_missing(self.path)]):
                os.mkdir(folder)
                self.new.insert(0, folder)
        except BaseException as error:
            if isinstance(error, FileExistsError) and os.path.isdir(self.path):
                return self  # another run has made it meanwhile
            self.remove()
            raise
        return self

    def __exit__(self, kind: type | None, *raised: object) -> None:
        if kind is not None:
            self.remove()

    def remove(self) -> None:
        """Remove the folders that this object has created, if they are empty."""
        try:
            for folder in self.new:
                os.rmdir(folder)
        except OSError:
            pass  # another process has put something into it


def save_into(
    folder: str, files: Mapping[str, str | bytes], *, new: bool = False, others: Mapping[str, str | bytes] = {}
) -> None:
    """Write `files` into a folder, created if missing, and `others` to their own paths outside it: all files or none.

    Raises OSError, also for a link that leads out of the folder; FileExistsError if a file that must be `new` exists.
    """
    with Folders(folder):
        require_places([*files], folder)
        save_all({**files, **others}, new=new)


def _missing(path: str) -> Iterator[str]:
    """Yield the missing folders of a path, from the innermost to the outermost."""
    path = os.path.normpath(path)
    while path and not os.path.isdir(path):
        yield path
        path = os.path.dirname(path)


@contextmanager
def _naming_errors(path: str) -> Iterator[None]:
    """Replace the temporary file name in a system error by the name that the user gave."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None


class _FileInProgress:
    """A file that is being written, with its path, its temporary name and the name of the saved old file."""

    def __init__(self, path: str, content: str | bytes, new: bool, number: int) -> None:
        self.path, self.number = path, number
        try:
            self.data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:  # half a character, as JSON may have it
            self.data = str(content).encode("utf-8", "replace")
        self.new = new
        self.target = self.partial = self.old = ""
        self.in_place = self.moved = False

    def prepare(self) -> None:
        """Write the new content to a temporary file. Raises OSError if it could not be moved to its target later."""
        try:
            before: os.stat_result | None = os.stat(self.path)
        except FileNotFoundError:
            before = None
        if self.new and os.path.lexists(self.path):
            raise FileExistsError(EEXIST, os.strerror(EEXIST))
        if before is not None and S_ISDIR(before.st_mode):
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        full = os.path.abspath(self.path)
        self.in_place = before is not None and (not S_ISREG(before.st_mode) or full.startswith(DEVICES))
        if self.in_place:
            return
        if before is not None and not (before.st_mode & WRITABLE and os.access(self.path, os.W_OK)):
            raise PermissionError(EACCES, "the file is read-only")
        self.target = os.path.realpath(self.path) if os.path.islink(self.path) else self.path
        self.partial, number = _beside(self.target, self.number, 0o666 if before is None else 0o600)
        with open(number, "wb") as file:
            file.write(self.data)
            if before is not None:
                _like(before, number)

    def move(self) -> None:
        """Move the new file to its target, after saving the old file beside it."""
        if self.in_place:
            with open(self.path, "wb", buffering=0) as file:
                file.write(self.data)
        elif self.new:
            _put(self.partial, self.target)
        else:
            if os.path.lexists(self.target):
                self.old = f"{self.partial}.old"
                _copy(self.target, self.old)
            os.replace(self.partial, self.target)
        self.moved = True

    def take_back(self) -> None:
        """Undo the writing: restore the old file as far as possible."""
        try:
            if self.old and os.path.lexists(self.old):
                os.replace(self.old, self.target)
                if os.path.lexists(self.old):  # both names belong to one file: then renaming does nothing
                    os.unlink(self.old)
            elif self.moved and not self.in_place:
                os.unlink(self.target)
            if self.partial and os.path.lexists(self.partial):
                os.unlink(self.partial)
        except OSError:
            pass  # the first error is the one to report

    def forget_old(self) -> None:
        """Remove the saved old file, after all new files are in place."""
        if self.old:
            os.unlink(self.old)


def _beside(target: str, place: int, mode: int) -> tuple[str, int]:
    """Create an empty file in the folder of `target`, with a name similar to the name of `target`.

    `place` distinguishes the files that are written together.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    for attempt in range(1000):
        path = os.path.join(os.path.dirname(target), f".unpuzzle-{os.getpid()}-{place}-{attempt}.part")
        try:
            return path, os.open(path, flags, mode)
        except FileExistsError:
            pass
    raise FileExistsError(
        EEXIST, "too many files of earlier runs were left in the same folder; delete its files '.unpuzzle-*.part'"
    )


def _like(before: os.stat_result, number: int) -> None:
    """Give an open file the access mode of another file and, if permitted, the owner of that file."""
    mode = S_IMODE(before.st_mode)
    if not hasattr(os, "fchown"):
        return
    try:
        os.fchown(number, before.st_uid, before.st_gid)
    except OSError:
        mode &= ~0o070 if os.fstat(number).st_gid != before.st_gid else ~0  # not for another group
    os.fchmod(number, mode)


def _put(partial: str, target: str) -> None:
    """Move a file to an unused path. Raises FileExistsError if a file with this path exists."""
    try:
        os.link(partial, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.lexists(target):
            raise FileExistsError(EEXIST, os.strerror(EEXIST)) from None
        os.replace(partial, target)
        return
    os.unlink(partial)


def _copy(target: str, old: str) -> None:
    """Save a file under a second name so that it can be restored."""
    try:
        os.link(target, old)
    except OSError:  # a file system without links
        os.replace(target, old)


def read_bytes(path: str | os.PathLike[str], *, text: bool = True) -> bytes:
    """Read a file, device or pipe to its end. Raises OSError, and LimitReached at a limit of the current run.

    A file that is too large is not even begun; a source without a size is read in pieces, with checks between them, and
    while nobody writes to a pipe. A `text` is read only up to its first NUL byte: no text has one, and a device may
    have nothing else; but UTF-16 is full of them.
    """
    with open(path, "rb", opener=opened_at_once if current().limited else None) as file:
        require_room(os.fstat(file.fileno()).st_size)
        return read_stream(file, text=text)


def read_input(path: str, *, text: bool = True) -> bytes:
    """Read a file, device or pipe to its end; `-` is the standard input."""
    if path != "-":
        return read_bytes(path, text=text)
    try:
        return read_stream(sys.stdin.buffer, text=text)
    except OSError as error:
        raise OSError(error.errno, "standard input is closed", "<stdin>") from None


def read_stream(file: BinaryIO, *, text: bool = True) -> bytes:
    """Read an open file to its end. Raises OSError, and LimitReached at a limit of the current run."""
    run, pieces, size = current(), list[bytes](), 0
    waits = run.limited and may_wait(file)
    while piece := awaited(file, PIECE, run.look) if waits else file.read(PIECE):
        pieces.append(piece)
        size += len(piece)
        if text and b"\0" in piece and pieces[0][:2] not in UTF_16:
            break
        if waits or len(piece) == PIECE:
            run.look()
            require_room((COPIES - 1) * size // COPIES)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def require_room(size: int) -> None:
    """Raise LimitReached if reading `size` bytes of text takes more memory than the current run has left."""
    run = current()
    left = run.memory_left()
    if left is not None and COPIES * size > left:
        raise LimitReached("memout", f"the memory limit was reached while {run.doing}")
