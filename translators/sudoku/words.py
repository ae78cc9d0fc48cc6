"""What cells, units and values are called in PDDL, and what a value in a cell makes true. Made once for each size."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from unpuzzle.puzzle.task import atom
from unpuzzle.translators.sudoku.board import EMPTY, board_of

if TYPE_CHECKING:
    from unpuzzle.pddl.nodes import Atom


class Words:
    """The words for a size of board.

    Attributes:
        values: the name of each value by its symbol.
        units: by cell, the names of its row, its column and its box.
        holding: by cell and symbol, the atoms that are true then.
        objects, lies, goal: of every task.
    """

    __slots__ = ("goal", "holding", "lies", "objects", "units", "values")

    def __init__(self, side: int) -> None:
        board = board_of(side)
        unit_names = [name.replace(" ", "") for name in board.unit_names]
        self.values = {symbol: f"v{number}" for number, symbol in enumerate(board.symbols, 1)}
        self.units = [[unit_names[unit] for unit in units] for units in board.units_of]
        self.holding = [
            {EMPTY: frozenset([atom("empty", name)])}
            | {
                symbol: frozenset([atom("holds", name, value), *[atom("has", unit, value) for unit in units]])
                for symbol, value in self.values.items()
            }
            for name, units in zip(board.names, self.units, strict=True)
        ]
        kinds = {kind: [name for name in unit_names if name.startswith(kind)] for kind in ("row", "column", "box")}
        self.objects: dict[str, Sequence[str]] = {"cell": board.names, "value": list(self.values.values()), **kinds}
        self.lies = [atom("lies", name, *units) for name, units in zip(board.names, self.units, strict=True)]
        self.goal = [atom("has", unit, value) for unit in unit_names for value in self.values.values()]

    def atoms(self, cells: str) -> frozenset[Atom]:
        """Return the atoms that are true of a board. Joining sets does not look into the atoms, so this is quick."""
        return frozenset().union(*[holding[symbol] for symbol, holding in zip(cells, self.holding, strict=True)])


@cache
def words_of(side: int) -> Words:
    """Return the names for a size of board."""
    return Words(side)
