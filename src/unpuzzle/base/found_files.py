"""Find files in a folder safely; only this module does so. Imports no other module of the package.

A folder may be somebody else's: an archive, a student's work, a download. It may hold a link to a private file, a pipe
that nobody writes to, a device. A found file counts if it is a regular file in the folder, all links
followed; linked folders are not entered. So nothing outside is read or written, and nothing is waited for. What people
name themselves counts, whatever it is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from errno import EPERM
from stat import S_ISREG
from warnings import warn_explicit

DEEPEST = 100
"""The depth of folders that is searched: Python itself fails at some hundreds."""


class FileLeftOut(UserWarning):
    """A warning about an entry of a folder that is not read; the message gives the reason, the file name the entry."""


def found_files(
    folder: str,
    endings: str | tuple[str, ...],
    *,
    root: str | None = None,
    enters: Callable[[str], bool] = lambda name: False,
    quiet: bool = False,
) -> Iterator[str]:
    """Yield, sorted by name, the files of a folder with given endings (`.PDDL` is like `.pddl`). Raises OSError.

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
                warn_explicit(f"{reason}: it is left out", FileLeftOut, path, 0)


def is_of_people(folder: str) -> bool:
    """Return whether a folder with this name is meant for people: not hidden, and not filled by a program."""
    return not folder.startswith(".") and folder not in ("node_modules", "__pycache__")


def is_near(below: str, folder: str) -> bool:
    """Return whether the subfolders of `below` may be searched; if it is too deep in `folder`, warn (FileLeftOut)."""
    if below.count(os.sep) - folder.count(os.sep) < DEEPEST:
        return True

    warn_explicit(f"folders in it are left out: it is {DEEPEST} folders deep", FileLeftOut, below, 0)
    return False


def _raise(error: OSError) -> None:
    raise error


def is_found(path: str, folder: str) -> bool:
    """Return whether a path leads to a regular file inside a folder after all links are followed."""
    return not _reason_against(path, os.path.realpath(folder))


def require_places(paths: list[str], folder: str) -> None:
    """Raise OSError if a path to be written leads out of the folder, or to something other than a regular file."""
    for path in paths:
        reason = _reason_against(path, os.path.realpath(folder))
        if reason not in ("", NOWHERE):
            raise OSError(EPERM, f"{reason}: nothing is written there", path)


NOWHERE = "this link leads nowhere"


def _reason_against(path: str, home: str) -> str:
    """Return the reason why a path is no file in the folder `home` (a path without links); empty if it is one."""
    try:
        if os.path.commonpath([os.path.realpath(path), home]) != home:
            return "a link leads out of the folder"
        return "" if S_ISREG(os.stat(path).st_mode) else "this is a pipe or a device, not a file"
    except (OSError, ValueError):  # or it is on another drive
        return NOWHERE
