"""Cells of a grid and steps between them.

Cells are numbered row by row from 0. Their names count rows and columns from 1: `r1c1` is the top left one.
"""

from __future__ import annotations

from unpuzzle.puzzle.task import foreign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.pddl.nodes import GroundAction

STEPS = {(-1, 0): "N", (0, 1): "E", (1, 0): "S", (0, -1): "W"}
"""Compass letters by what a step adds to the row and the column."""


def cell_name(cell: int, columns: int) -> str:
    """The name of a cell in PDDL, and in moves."""
    return f"r{cell // columns + 1}c{cell % columns + 1}"


def place(cell: int, columns: int) -> str:
    """A cell as a person says it."""
    return f"row {cell // columns + 1}, column {cell % columns + 1}"


def step(action: GroundAction, start: int, end: int) -> str:
    """The compass letter of the step between the cells that two of the action's arguments name.

    Raises ParseError where these are no cells, or no neighbours.
    """
    (row, column), (to_row, to_column) = (_row_and_column(action, i) for i in (start, end))
    letter = STEPS.get((to_row - row, to_column - column))
    if letter is None:
        raise foreign(action, "its cells are not neighbours")
    return letter


def _row_and_column(action: GroundAction, index: int) -> tuple[int, int]:
    row, mark, column = action.arguments[index].removeprefix("r").partition("c")
    if not (mark and row.isdecimal() and column.isdecimal()):
        raise foreign(action, f"{action.arguments[index]!r} is not a cell")
    return int(row), int(column)
