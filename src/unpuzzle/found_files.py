"""Files that are found in a folder, not named: the one door to them. A leaf.

A folder may be somebody else's: an archive, a student's work, a download. It may hold a link to a private file, a pipe
that nobody writes to, a device. A found file counts if it is a regular file that lies in the folder, all links
followed; linked folders are not entered. So nothing outside is read or written, and nothing is waited for. What people
name themselves counts, whatever it is.
"""

from __future__ import annotations

import os
from errno import EPERM
from stat import S_ISREG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class FileLeftOut(UserWarning):
    """A warning about what a folder holds and is not read: its message says why, its file name is the place."""


def found_files(
    folder: str,
    endings: str | tuple[str, ...],
    *,
    root: str | None = None,
    enters: Callable[[str], bool] | None = None,
    quiet: bool = False,
) -> Iterator[str]:
    """Yield the paths of the files in a folder whose names end so, in the order of names. Raises OSError without it.

    A file has to lie in `root`, by default the folder. Folders in it that `enters` accepts by name are looked through,
    too, by default none. What has such a name and does not count is a warning (FileLeftOut), unless `quiet`.
    """
    home = os.path.realpath(root or folder)
    inner = []
    with os.scandir(folder or os.curdir) as entries:
        listed = sorted(entries, key=lambda entry: entry.name)
    for entry in listed:
        path = os.path.join(folder, entry.name)
        if entry.is_dir(follow_symlinks=False):
            inner.append(path)
        elif entry.name.endswith(endings) and not entry.is_dir():
            if not (reason := _reason_against(path, home)):
                yield path
            elif not quiet:
                from warnings import warn_explicit

                warn_explicit(f"{reason}: it is left out", FileLeftOut, path, 0)
    for path in inner:
        if enters is not None and enters(os.path.basename(path)):
            try:
                yield from found_files(path, endings, root=home, enters=enters, quiet=quiet)
            except OSError:  # it is locked, or has gone meanwhile
                continue


def is_found(path: str, folder: str) -> bool:
    """Return whether a path that was found is a regular file in a folder, all links followed."""
    return not _reason_against(path, os.path.realpath(folder))


def require_place(path: str, folder: str) -> None:
    """Raise OSError if a file that is to be written into a folder would lie elsewhere, or is none."""
    reason = _reason_against(path, os.path.realpath(folder))
    if reason and (os.path.lexists(path) or not _lies_in(path, os.path.realpath(folder))):
        raise OSError(EPERM, f"{reason}: nothing is written there", path)


def _reason_against(path: str, home: str) -> str:
    """Return why a path is no file in a folder, which has no links; empty if it is one."""
    if not _lies_in(path, home):
        return "a link leads out of the folder"
    try:
        return "" if S_ISREG(os.stat(path).st_mode) else "this is a pipe or a device, not a file"
    except (OSError, ValueError):
        return "this link leads nowhere"


def _lies_in(path: str, home: str) -> bool:
    try:
        return os.path.commonpath([os.path.realpath(path), home]) == home
    except ValueError:  # another drive
        return False
