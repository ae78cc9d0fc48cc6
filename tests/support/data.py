"""Where the test data is that is no part of the project: `$UNPUZZLE_DATA`, or `../shared/data` beside the clone."""

import os
from pathlib import Path

import pytest

# Absolute at once: a relative path is meant from where the tests were started, whatever folder they go to.
DATA = Path(os.environ.get("UNPUZZLE_DATA") or Path(__file__).parents[3] / "shared" / "data").absolute()
IPC = DATA / "ipc"
MAZES = DATA / "pacman"


def absence(place: Path) -> str:
    """Why a test that needs a folder or a file of the data is skipped."""
    return f"there is no {place}: UNPUZZLE_DATA tells where the test data is"


needs_ipc = pytest.mark.skipif(not IPC.is_dir(), reason=absence(IPC))
needs_mazes = pytest.mark.skipif(not MAZES.is_dir(), reason=absence(MAZES))
