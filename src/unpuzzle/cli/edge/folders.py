"""A folder that a command fills at its end: claimed at the beginning, so that two runs never mix their files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Self

from unpuzzle.errors import UsageError
from unpuzzle.files import Folders, save_all

INDEX = "index.json"
CLAIM = '{"status": "running"}\n'


class Folder:
    """A new or empty folder to be filled at the end of a block; with `path` None, no folder at all.

    Entering the block claims the folder by an index that says that the run is going on; leaving it gives up a claim
    that was not filled. Raises UsageError for a folder that is not empty, OSError for one that cannot be made.
    """

    def __init__(self, path: str | None) -> None:
        self.path = path
        self.folders: Folders = Folders(path or ".")
        self.claimed: bool = False

    def __enter__(self) -> Self:
        if self.path is not None:
            with self.folders:
                if os.listdir(self.path):
                    raise UsageError(f"the folder {self.path} is not empty; name a new one, or empty it")
                try:
                    save_all({self.file(INDEX): CLAIM}, new=True)
                except FileExistsError:
                    message = f"another run has just begun to write into the folder {self.path}"
                    raise UsageError(message) from None
            self.claimed = True
        return self

    def file(self, name: str) -> str:
        """Return the path of a file in the folder."""
        assert self.path is not None
        return os.path.join(self.path, name)

    def fill(self, files: Mapping[str, str], index: str) -> None:
        """Write files by name, and the index last; all or none. Raises OSError."""
        save_all({self.file(name): text for name, text in files.items()} | {self.file(INDEX): index})
        self.claimed = False

    def __exit__(self, *raised: object) -> None:
        if self.claimed:
            try:
                os.unlink(self.file(INDEX))
            except OSError:
                return  # what cannot be removed stays, and says that it is unfinished
            self.folders.remove()
