"""Common parts of puzzles, for the bundled puzzles and for your own.

    from unpuzzle.translators.shared import GridPuzzle        a puzzle of symbols in the cells of a grid
    from unpuzzle.translators.shared import Page              a level's text as words with their places, for any other

grid.py          GridPuzzle: text, picture, symmetries, equality, pieces of several cells, faults with their place;
                 Sheet: a grid of symbols as it was read, ragged rows too, with errors that point at line and column
text.py          Page and Word: lines, words and numbers of any level text, with errors that point at them;
                 files of words as an option of random levels
cells.py         cells: their names, the steps between them, as moves and as PDDL, distances, symmetries
pictures.py      the looks of symbols, and shapes to draw them with; pictures of towers

These are public and stable. Names are loaded on request, so that a puzzle that only reads words does not load pictures.
"""

from unpuzzle.base.type_hints import Any
from unpuzzle.table import attribute, offered_names

__all__ = [*offered_names(__name__)]  # noqa: PLE0604 - names that load when they are used


def __getattr__(name: str) -> Any:
    return attribute(__name__, name)
