"""unpuzzle.translators.shared: common parts of puzzles, for bundled ones and for yours.

    from unpuzzle.translators.shared import GridPuzzle        a puzzle of symbols in the cells of a grid
    from unpuzzle.translators.shared import Page              a level's text as words with their places, for any other

grid.py          GridPuzzle: text, picture, symmetries, equality, pieces of several cells, faults with their place;
                 Sheet: a grid of symbols as it was read, ragged rows too, with errors that point at line and column
text.py          Page and Word: lines, words and numbers of any level text, with errors that point at them
cells.py         cells: their names, the steps between them, as moves and as PDDL, distances, symmetries
grid_picture.py  the looks of symbols, and shapes to draw them with
word_list.py     files of words as an option of random levels

These are public and stable. Names are loaded on request, so that a puzzle that only reads words does not load pictures.
"""

from unpuzzle.late import homes_of, loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.translators.shared.cells import Distances, Symmetry, cell_name, cell_names, groups, neighbours, place
    from unpuzzle.translators.shared.cells import reachable as reachable
    from unpuzzle.translators.shared.cells import step as step
    from unpuzzle.translators.shared.cells import symmetries as symmetries
    from unpuzzle.translators.shared.grid import GridPuzzle, Sheet
    from unpuzzle.translators.shared.text import Page, Word

__all__ = ["Distances", "GridPuzzle", "Page", "Sheet", "Symmetry", "Word", "cell_name", "cell_names", "groups"]
__all__ += ["neighbours", "place", "reachable", "step", "symmetries"]

_HOMES = dict.fromkeys(__all__, "cells") | homes_of(grid="GridPuzzle Sheet", text="Page Word")

__getattr__ = loader(__name__, _HOMES)
