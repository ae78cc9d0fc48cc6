"""A folder with a file of each kind, and a studio for it that the tests of a module share."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.modules import ROOT
from support.studio import Visitor, running

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("django_ace")

LEVELS = "; One\n\n#####\n#@$.#\n#####\n\n; Two\n\n#######\n#@ $ .#\n#  $ .#\n#     #\n#######\n"
OWN = '''
from unpuzzle import UnsupportedFeature
from unpuzzle.model import Puzzle


class Count(Puzzle):
    """Count to a number."""

    name = "count"
    title = "Count: reach the number"
    levels = {"three": "3\\n"}

    def __init__(self, left):
        self.left = left

    @classmethod
    def parse(cls, text, source=None):
        return cls(int(text))

    def __str__(self):
        return f"{self.left}\\n"

    def moves(self):
        return ("a",) if self.left > 0 else ()

    def apply(self, move):
        return Count(self.left - 1)

    def solved(self):
        return self.left == 0

    def task(self):
        raise UnsupportedFeature("there is no PDDL of it", feature="PDDL")

    def draw(self):
        return str(self.left)
'''


def fill(folder: Path) -> None:
    """Put a file of each kind into a folder."""
    (folder / "levels.sok").write_text(LEVELS)
    shutil.copy(ROOT / "puzzlescript/games/storeroom.txt", folder)
    (folder / "boxup-1.txt").write_text((ROOT / "tests/servers/studio/boxup-1.txt").read_text())
    (folder / "count.py").write_text(OWN)
    (folder / "river").mkdir()
    for file in (ROOT / "docs/pddl_pictures/river").glob("*.pddl"):
        shutil.copy(file, folder / "river")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("studio")
    fill(path)
    return path


@pytest.fixture(scope="module")
def studio(folder: Path) -> Iterator[Any]:
    with running(folder) as started:
        yield started


@pytest.fixture
def visitor(studio: Any) -> Iterator[Visitor]:
    visitor = Visitor(studio)
    yield visitor
    visitor.close()
