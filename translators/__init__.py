"""unpuzzle.translators: one file per puzzle, and the registry, which is the list of these files.

    names()         ("boxup", "pacman", "sliding-tiles")
    find("boxup")   the class

`sliding_tiles.py` is puzzle `sliding-tiles`; files beginning with `_` are helpers. A file holds exactly one subclass of
`Puzzle` and is imported when it is asked for, so a broken file breaks no other puzzle.
"""

from __future__ import annotations

import os
from importlib import import_module

from unpuzzle.errors import ParseError, UnpuzzleError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.puzzle import Puzzle


def names() -> tuple[str, ...]:
    """The names of all puzzles, in alphabetical order."""
    files = {file.removesuffix(".py") for folder in __path__ for file in os.listdir(folder) if file.endswith(".py")}
    return tuple(sorted(file.replace("_", "-") for file in files if file.isidentifier() and not file.startswith("_")))


def find(name: str) -> type[Puzzle]:
    """The class of a puzzle. Raises ParseError for an unknown name, UnpuzzleError where its file is not one puzzle."""
    from unpuzzle.puzzle import Puzzle

    known = names()
    if name not in known:
        raise ParseError(_unknown(name, known))
    module = import_module(f"{__name__}.{name.replace('-', '_')}")
    found = [
        value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module.__name__
    ]
    puzzles = [value for value in found if issubclass(value, Puzzle)]
    if len(puzzles) != 1 or puzzles[0].name != name:
        classes = ", ".join(f"{puzzle.__name__} (name = {puzzle.name!r})" for puzzle in puzzles) or "none"
        raise UnpuzzleError(
            f"{module.__file__} must hold one subclass of Puzzle, with name = {name!r}; found: {classes}"
        )
    return puzzles[0]


def _unknown(name: str, known: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name.lower().replace("_", "-"), known, n=1)
    hint = f", did you mean {close[0]!r}?" if close else ""
    shown = name if len(name) <= 40 else name[:37] + "..."
    return f"unknown puzzle {shown!r}{hint or '; there are: ' + ', '.join(known)}"
