"""Games in files of other languages than Python: by the ending of the file's name, the module that knows the language.

Such a module has two functions:

    read_game(path, name="", tick=None)     the game of a file, by default named like it
    lint_file(path, tick=None)              the faults of a file, their texts, and how many there are of each severity

`tick` is called often, and may raise to end the work. Games of the language that are bundled lie in the folder `games`
beside the module.
"""

from __future__ import annotations

import os
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Protocol

    from unpuzzle.pddl import Fault
    from unpuzzle.puzzle.position import Game

    Tick = Callable[[], None]

    class Language(Protocol):
        """What this file's docstring says of such a module."""

        def read_game(self, path: str, name: str = "", tick: Tick | None = None) -> Game: ...
        def lint_file(
            self, path: str, tick: Tick | None = None
        ) -> tuple[list[Fault], list[str], Mapping[str, int]]: ...


FILES = {".txt": "unpuzzle.puzzlescript.files"}
"""By ending, the module."""


def language_of(path: str) -> Language | None:
    """Return the module that knows the language of a file; None for other files."""
    module = FILES.get(os.path.splitext(path)[1])
    return None if module is None else import_module(module)


def bundled_files() -> dict[str, str]:
    """Return the paths of the bundled games that are such files, by the names of the games."""
    root = os.path.dirname(os.path.dirname(__file__))
    paths = {}
    for ending, module in FILES.items():
        folder = os.path.join(root, *module.split(".")[1:-1], "games")
        for entry in sorted(os.listdir(folder)):
            if entry.endswith(ending):
                paths[entry.removesuffix(ending).replace("_", "-")] = os.path.join(folder, entry)
    return paths
