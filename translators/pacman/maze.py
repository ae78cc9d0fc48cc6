"""What no move of Pacman changes: the size, the floor, the cells next to each; and what was measured of it."""

from __future__ import annotations

from unpuzzle.translators._grid.cells import cell_names, neighbours
from unpuzzle.translators._grid.distances import Distances
from unpuzzle.translators.pacman.heuristics import Trees

STEPS = {"N": (-1, 0), "S": (1, 0), "E": (0, 1), "W": (0, -1)}


class Maze:
    """A maze without Pacman and food: equal where size and floor are."""

    __slots__ = ("_hash", "columns", "distances", "names", "rows", "steps", "trees")

    def __init__(self, rows: int, columns: int, floor: frozenset[int]) -> None:
        self.rows = rows
        self.columns = columns
        names, around = cell_names(rows, columns), neighbours(rows, columns, STEPS)
        self.names = {cell: names[cell] for cell in sorted(floor)}
        self.steps = {cell: {move: to for move, to in around[cell].items() if to in floor} for cell in self.names}
        self.distances = Distances({cell: steps.values() for cell, steps in self.steps.items()})
        self.trees = Trees(self.distances)
        self._hash = hash((rows, columns, floor))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return type(other) is Maze and (self.rows, self.columns, self.names) == (
            other.rows,
            other.columns,
            other.names,
        )

    def __hash__(self) -> int:
        return self._hash
