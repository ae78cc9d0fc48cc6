"""unpuzzle.translators.shared: what puzzles have in common, for those that come with unpuzzle and for yours.

    from unpuzzle.translators.shared import GridPuzzle        a puzzle of symbols in the cells of a grid
    from unpuzzle.translators.shared import Page              a level's text as words with their places, for any other

grid.py          GridPuzzle: text, picture, symmetries, equality, pieces of several cells, faults with their place
sheet.py         Sheet: a grid of symbols as it was read, ragged rows too, with errors that point at line and column
text.py          Page and Word: lines, words and numbers of any level text, with errors that point at them
cells.py         cells: their names, the steps between them, as moves and as PDDL
symmetry.py      reflections and rotations of a grid
distances.py     fewest steps around walls
grid_picture.py  what a symbol looks like, and shapes to draw it with
word_list.py     files of words as an option of random levels
brief_search.py  searches of makers of random levels, which are given up soon

These are public: what the docstrings say stays. Names are loaded when they are asked for, so that a puzzle that reads
words pays for no pictures.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.translators.shared.cells import cell_name, cell_names, groups, neighbours, place, reachable, step
    from unpuzzle.translators.shared.distances import Distances
    from unpuzzle.translators.shared.grid import GridPuzzle
    from unpuzzle.translators.shared.sheet import Sheet
    from unpuzzle.translators.shared.symmetry import Symmetry, symmetries
    from unpuzzle.translators.shared.text import Page, Word

__all__ = ["Distances", "GridPuzzle", "Page", "Sheet", "Symmetry", "Word", "cell_name", "cell_names", "groups"]
__all__ += ["neighbours", "place", "reachable", "step", "symmetries"]

_HOMES = {
    **dict.fromkeys(("cell_name", "cell_names", "groups", "neighbours", "place", "reachable", "step"), "cells"),
    "Distances": "distances",
    "GridPuzzle": "grid",
    "Sheet": "sheet",
    **dict.fromkeys(("Symmetry", "symmetries"), "symmetry"),
    **dict.fromkeys(("Page", "Word"), "text"),
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
