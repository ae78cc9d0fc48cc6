"""What no move of Pacman changes: the size, the floor, the cells next to each; and what was measured of it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from unpuzzle.pddl.nodes import Atom
from unpuzzle.puzzle.task import atom
from unpuzzle.translators.pacman.trees import Trees
from unpuzzle.translators.shared.cells import cell_names, neighbours
from unpuzzle.translators.shared.distances import Distances

STEPS = {"N": (-1, 0), "S": (1, 0), "E": (0, 1), "W": (0, -1)}


class Maze:
    """A maze without Pacman and food: equal where size and floor are."""

    __slots__ = ("_hash", "at", "columns", "distances", "food", "names", "rows", "steps", "trees")

    def __init__(self, rows: int, columns: int, floor: frozenset[int]) -> None:
        self.rows: int = rows
        self.columns: int = columns
        names, around = cell_names(rows, columns), neighbours(rows, columns, STEPS)
        self.names: dict[int, str] = {cell: names[cell] for cell in sorted(floor)}
        self.steps: dict[int, dict[str, int]] = {
            cell: {move: to for move, to in around[cell].items() if to in floor} for cell in self.names
        }
        self.at: _Atoms = _Atoms("at", self.names)
        self.food: _Atoms = _Atoms("food", self.names)
        self.distances: Distances = Distances({cell: tuple(steps.values()) for cell, steps in self.steps.items()})
        self.trees: Trees = Trees(self.distances)
        self._hash = hash(self._key())

    def _key(self) -> Hashable:
        return self.rows, self.columns, tuple(self.names)

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is Maze and self._key() == other._key())

    def __hash__(self) -> int:
        return self._hash


class _Atoms(dict[int, frozenset[Atom]]):
    """By cell, a set of the one atom that says something of it: to unite such sets is faster than to make one anew."""

    def __init__(self, predicate: str, names: Mapping[int, str]) -> None:
        self._predicate = predicate
        self._names = names

    def __missing__(self, cell: int) -> frozenset[Atom]:
        atoms = self[cell] = frozenset([atom(self._predicate, self._names[cell])])
        return atoms
