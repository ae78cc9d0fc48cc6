"""The names of cells, units and values in PDDL, and the atoms of a value in a cell. Made once for each size."""

from __future__ import annotations

from functools import cache

from unpuzzle.pddl.nodes import Atom
from unpuzzle.puzzle.task import atom
from unpuzzle.translators.sudoku.board import EMPTY, board_of


class PddlNames:
    """The names for a size of board.

    Attributes:
        units: by cell, the names of its row, its column and its box.
        objects, lies, goal: the objects, the facts that no move changes, and the goal of every task.
    """

    def __init__(self, side: int) -> None:
        board = board_of(side)
        unit_names = [name.replace(" ", "") for name in board.unit_names]
        values = {symbol: f"v{number}" for number, symbol in enumerate(board.symbols, 1)}
        self.units: list[list[str]] = [[unit_names[unit] for unit in units] for units in board.units_of]
        self._holding = [
            {EMPTY: frozenset([atom("empty", name)])}
            | {
                symbol: frozenset([atom("holds", name, value), *[atom("has", unit, value) for unit in units]])
                for symbol, value in values.items()
            }
            for name, units in zip(board.names, self.units, strict=True)
        ]
        kinds = {kind: [name for name in unit_names if name.startswith(kind)] for kind in ("row", "column", "box")}
        self.objects = {"cell": board.names, "value": list(values.values()), **kinds}
        self.lies: list[Atom] = [
            atom("lies", name, *units) for name, units in zip(board.names, self.units, strict=True)
        ]
        self.goal: list[Atom] = [atom("has", unit, value) for unit in unit_names for value in values.values()]

    def atoms(self, cells: str) -> frozenset[Atom]:
        """Return the atoms that are true of a board. Joining sets does not look into the atoms, so this is quick."""
        return frozenset().union(*[holding[symbol] for symbol, holding in zip(cells, self._holding, strict=True)])


names_of = cache(PddlNames)
