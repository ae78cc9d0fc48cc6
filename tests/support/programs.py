"""Programs leave nothing behind; and their time limits are reached when a test says so."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from typing import TYPE_CHECKING

import psutil
import pytest

from support.clocks import HOURS, LeapingClock
from unpuzzle.processes import guardian
from unpuzzle.processes import program as process
from unpuzzle.processes.process_tree import ProcessTree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


GUARDIANS = {
    "compiled": process.guardian_words(),
    "python": [sys.executable, "-I", "-S", "-B", guardian.__file__],
}
"""The command lines of both guardians; they are the same where there is no compiled one."""


@pytest.fixture(params=GUARDIANS)
def words(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Run a test with the compiled guardian and with the one in Python."""
    chosen = GUARDIANS[request.param]
    monkeypatch.setattr(process, "guardian_words", lambda: chosen)
    return chosen


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the private directories of programs are made."""
    folder = tmp_path / "scratch with a blank"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture(autouse=True)
def nothing_left(scratch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No file, no process and no thread may outlive a run; the caller's folder is one that nobody else has."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    before = set(psutil.Process().children(recursive=True))
    yield
    assert list(scratch.iterdir()) == []
    assert os.listdir(here) == []
    assert set(psutil.Process().children(recursive=True)) <= before
    assert not [thread for thread in threading.enumerate() if thread.name == "unpuzzle-drain"]


LONG = HOURS / 2
"""A time limit that is reached by a leap of the clock only."""


@pytest.fixture
def time_is_up_when(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], bool]], float]:
    """Has the clock of programs leap when something has happened; gives a time limit that is then exceeded."""

    def leap(happened: Callable[[], bool]) -> float:
        monkeypatch.setattr(process, "time", LeapingClock(happened))
        return LONG

    return leap


@pytest.fixture
def sampled_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], Path]:
    """Gives a file that comes to be once the processes were looked at after another file had come to be."""

    def follow(said: Path) -> Path:
        seen, look = tmp_path / "seen", ProcessTree.usage

        def usage(tree: ProcessTree, **options: bool) -> tuple[int, int, float]:
            before = said.exists()
            found = look(tree, **options)
            if before:
                seen.touch()
            return found

        monkeypatch.setattr(ProcessTree, "usage", usage)
        return seen

    return follow
