"""The files in a folder, the only files that the studio may read and write.

    folder = Folder("/home/me/puzzles")
    file = folder.read("rooms.txt")             its text, its version, and how its lines end
    folder.write("rooms.txt", text, base=file.version)      raises ConflictError if it has changed meanwhile

Names are paths below the folder, with `/`. Names and links that lead outside are refused. A file is saved in its old
form, with its encoding mark and line ends; if this is impossible, it is only shown.
"""

from __future__ import annotations

import os
from hashlib import sha256

from unpuzzle.base.errors import UsageError
from unpuzzle.base.files import found_files, is_found, save_file
from unpuzzle.base.values import Record
from unpuzzle.workspace.kinds import ENDINGS

MOST_FILES, DEEPEST = 500, 4
LARGEST = 2 << 20
MARK = b"\xef\xbb\xbf"
_SKIPPED = ("__pycache__", "node_modules", "build", "dist")


class ConflictError(Exception):
    """The error for a file that changed while the user edited it; `file` is the present file, None if it is gone."""

    def __init__(self, file: TextFile | None) -> None:
        super().__init__("the file has changed meanwhile" if file else "the file was deleted meanwhile")
        self.file = file


class TextFile(Record):
    """A file that was read: its text with plain line ends, its version, and why it cannot be changed, if so."""

    name: str
    text: str
    version: str
    locked: str = ""
    newline: str = "\n"
    marked: bool = False

    def encoded(self, text: str) -> bytes:
        """Return the bytes of a new text in the same encoding and with the same line ends."""
        data = text.replace("\r\n", "\n").replace("\n", self.newline).encode()
        return MARK + data if self.marked else data


class Folder:
    """A folder, with methods for the names, paths and texts of the files in the folder."""

    def __init__(self, path: str) -> None:
        self.root: str = os.path.realpath(path)

    def path(self, name: str) -> str:
        """Return the path of a file's name. Raises UsageError if the path leads outside of the folder."""
        parts = name.split("/")
        if not name or "\0" in name or "\\" in name or any(part in ("", ".", "..") for part in parts):
            raise UsageError(f"{name!r} is not the name of a file in this folder")
        path = os.path.join(self.root, *parts)
        if os.path.realpath(path) != path:
            raise UsageError(f"{name} leads outside of this folder, or is a link")
        return path

    def name(self, path: str) -> str | None:
        """Return a path relative to the folder, with slashes; None for a path outside of the folder."""
        relative = os.path.relpath(path, self.root)
        return None if relative.startswith(os.pardir) or os.path.isabs(relative) else relative.replace(os.sep, "/")

    def files(self) -> list[str]:
        """Return the names of editable files, with the files directly in the folder first."""
        names: list[str] = []
        for place in self.places():
            plain = [path for path in found_files(place, ENDINGS, quiet=True) if not os.path.islink(path)]
            own = [str(self.name(path)) for path in plain if os.path.basename(path)[0] != "."]
            names += sorted(own, key=str.lower)
        return [name for name in names if name == name.encode(errors="replace").decode()][:MOST_FILES]  # JSON has texts

    def places(self) -> list[str]:
        """Return the folder and its subfolders, down to a fixed depth, without hidden folders."""
        places = []
        for place, folders, _ in os.walk(self.root):
            depth = place[len(self.root) :].count(os.sep)
            visible = [folder for folder in folders if not folder.startswith(".") and folder not in _SKIPPED]
            folders[:] = sorted(visible) if depth < DEEPEST else []
            places.append(place)
            if len(places) >= MOST_FILES:
                break
        return places

    def read(self, name: str) -> TextFile:
        """Return a file. Raises OSError, and UsageError for a name outside of the folder or a file that is not text."""
        path = self.path(name)
        if os.path.lexists(path) and not is_found(path, self.root):
            raise UsageError(f"{name} is not a file of this folder")
        if os.path.getsize(path) > LARGEST:
            raise UsageError(f"{name} has more than {LARGEST >> 20} MB: too much to edit here")
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
        return _decoded(name, data)

    def version(self, name: str) -> str | None:
        """Return the version of a file; None if the file does not exist."""
        try:
            return self.read(name).version
        except (OSError, UsageError):
            return None

    def write(self, name: str, text: str, base: str | None) -> TextFile:
        """Save a text as a file; `base` is the version that the user edited, None for a new file.

        Raises ConflictError if the file has changed, UsageError, OSError.
        """
        path = self.path(name)
        if not name.endswith(ENDINGS):
            raise UsageError(f"the name of a file must end with one of {', '.join(ENDINGS)}")
        try:
            now = self.read(name)
        except FileNotFoundError:
            now = None
        if (now.version if now else None) != base:
            raise ConflictError(now)
        if now is not None and now.locked:
            raise UsageError(f"{name} cannot be saved: {now.locked}")
        data = (now or TextFile(name, "", "")).encoded(text)
        save_file(path, data)
        return _decoded(name, data)


def _decoded(name: str, data: bytes) -> TextFile:
    """Return the decoded text of a file; the file is read-only if saving the same text would change its bytes."""
    version = sha256(data).hexdigest()[:24]
    plain = data.removeprefix(MARK)
    if b"\0" in plain[:65536]:
        raise UsageError(f"the file {name} is not a text")
    windows, unix, old = plain.count(b"\r\n"), plain.count(b"\n"), plain.count(b"\r")
    locked = "" if (windows, windows) == (unix, old) or not old else "its lines end in different ways"
    try:
        text = plain.decode()
    except UnicodeDecodeError:
        text, locked = plain.decode("cp1252", "replace"), "it is not UTF-8"
    newline = "\r\n" if windows and not locked else "\n"
    return TextFile(name, text.replace("\r\n", "\n").replace("\r", "\n"), version, locked, newline, data != plain)
