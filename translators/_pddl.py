"""What the translators share on the PDDL side: the domain beside `unpuzzle.pddl`, the names of cells, compact nodes."""

from __future__ import annotations

import os
from functools import cache, lru_cache

import unpuzzle.pddl
from unpuzzle.errors import ParseError
from unpuzzle.pddl.nodes import Atom, Domain, GroundAction, TypedName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

STEPS = {(-1, 0): "N", (0, 1): "E", (1, 0): "S", (0, -1): "W"}
"""Compass letters by what a step adds to the row and the column."""


@cache
def domain(name: str) -> Domain:
    """The domain of a puzzle, from `domains/NAME.pddl`; read once."""
    from unpuzzle.pddl.reader import read_domain

    assert unpuzzle.pddl.__file__ is not None
    return read_domain(os.path.join(os.path.dirname(unpuzzle.pddl.__file__), "domains", f"{name}.pddl"))


@lru_cache(maxsize=1 << 16)
def atom(predicate: str, *arguments: str) -> Atom:
    """`atom("at", "r1c1")` is `(at r1c1)`. Kept: sets of the same atoms are compared without a look into them."""
    return Atom(predicate, arguments)


def objects(names: Iterable[str], kind: str) -> tuple[TypedName, ...]:
    """Objects of one type."""
    return tuple(TypedName(name, (kind,)) for name in names)


def cell_name(cell: int, columns: int) -> str:
    """Cells are numbered row by row from 0; their names count rows and columns from 1: `r1c1` is the top left one."""
    return f"r{cell // columns + 1}c{cell % columns + 1}"


def place(cell: int, columns: int) -> str:
    """A cell as a person says it."""
    return f"row {cell // columns + 1}, column {cell % columns + 1}"


def step(action: GroundAction, start: int, end: int) -> str:
    """The compass letter of the step between the cells that two of the action's arguments name."""
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


def foreign(action: GroundAction, reason: str) -> ParseError:
    """The error for an action that is no move of the puzzle."""
    return ParseError(f"{action} is not a move of this puzzle: {reason}")
