"""Tell the windows when files of the folder change, whoever changes them."""

from __future__ import annotations

import asyncio
import os

from unpuzzle.studio.events import Streams
from unpuzzle.studio.folder import Folder
from unpuzzle.studio.names import ENDINGS
from unpuzzle.studio.windows import Windows

MOST = 200
"""The largest number of files in one event; for more, pages check all files."""


async def watch(folder: Folder, windows: Windows, streams: Streams) -> None:
    """Broadcast the names and versions of files that change, until this is cancelled."""
    from watchfiles import awatch

    while True:
        places = await asyncio.to_thread(folder.places)
        try:
            async for changes in awatch(*places, recursive=False, debounce=100, step=30):
                names = {folder.name(path) for _, path in changes if path.endswith(ENDINGS)}
                known = sorted(name for name in names if name is not None)[:MOST]
                if known:
                    files = {name: await asyncio.to_thread(folder.version, name) for name in known}
                    await asyncio.to_thread(windows.files_changed)
                    streams.broadcast("files", {"changed": files, "files": await asyncio.to_thread(folder.files)})
                if any(os.path.isdir(path) or path in places for _, path in changes):
                    break  # there may be a new folder to watch
        except* RuntimeError:  # of a change of a file whose name is no text
            await asyncio.sleep(0.2)
