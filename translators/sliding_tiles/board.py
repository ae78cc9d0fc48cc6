"""What no move of sliding tiles changes: the size and the goal; and where tiles are, in PDDL."""

from __future__ import annotations

from unpuzzle.puzzle.task import atom
from unpuzzle.translators._grid.cells import cell_name, neighbours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.pddl.nodes import Atom

STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
"""By move, what the blank's row and column change by."""


class Board:
    """What no move changes: the size and the goal (None for don't care); and the cells next to each cell."""

    __slots__ = ("_hash", "atoms", "columns", "goal", "rows", "steps")

    def __init__(self, rows: int, columns: int, goal: tuple[int | None, ...]) -> None:
        self.rows = rows
        self.columns = columns
        self.goal = goal
        self.steps = neighbours(rows, columns, STEPS)
        self.atoms: dict[tuple[int, int], Atom] = {}
        self._hash = hash((rows, columns, goal))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return type(other) is Board and (self.columns, self.goal) == (other.columns, other.goal)

    def __hash__(self) -> int:
        return self._hash

    def name(self, cell: int) -> str:
        return cell_name(cell, self.columns)

    def atom(self, tile: int, cell: int) -> Atom:
        """The atom that says where a tile, or the blank, is."""
        known = self.atoms.get((tile, cell))
        if known is None:
            name = self.name(cell)
            known = self.atoms[tile, cell] = atom("at", f"t{tile}", name) if tile else atom("blank", name)
        return known
