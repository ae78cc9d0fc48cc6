"""What no move of sliding tiles changes: the size and the goal; and where tiles are, in PDDL."""

from __future__ import annotations

from typing import Protocol

from unpuzzle.pddl.nodes import Atom
from unpuzzle.puzzle.task import atom
from unpuzzle.translators.shared.cells import cell_name, neighbours


class HasTiles(Protocol):
    """A position, as far as its tiles and its goal are asked for."""

    tiles: tuple[int, ...]

    @property
    def rows(self) -> int: ...
    @property
    def columns(self) -> int: ...
    @property
    def goal(self) -> tuple[int | None, ...]: ...


STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
"""By move, what the blank's row and column change by."""


class Board:
    """What no move changes: the size and the goal (None for don't care); and the cells next to each cell."""

    __slots__ = ("_hash", "atoms", "cells", "columns", "goal", "rows", "steps")

    def __init__(self, rows: int, columns: int, goal: tuple[int | None, ...]) -> None:
        self.rows: int = rows
        self.columns: int = columns
        self.goal: tuple[int | None, ...] = goal
        self.steps = neighbours(rows, columns, STEPS)
        self.cells = range(rows * columns)
        self.atoms: _Atoms = _Atoms([self.name(cell) for cell in self.cells])
        self._hash = hash((rows, columns, goal))

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is Board and (self.columns, self.goal) == (other.columns, other.goal))

    def __hash__(self) -> int:
        return self._hash

    def name(self, cell: int) -> str:
        return cell_name(cell, self.columns)


class _Atoms(dict[tuple[int, int], frozenset[Atom]]):
    """By tile and cell, a set of the one atom that says that the tile, or the blank, is there; made when asked for.

    It takes a third of the time to unite such sets, which know the hashes, than to make a set of as many atoms.
    """

    def __init__(self, names: list[str]) -> None:
        self._names = names

    def __missing__(self, key: tuple[int, int]) -> frozenset[Atom]:
        atoms = self[key] = frozenset([self.atom(*key)])
        return atoms

    def atom(self, tile: int, cell: int) -> Atom:
        """Return the atom that says where a tile, or the blank, is."""
        name = self._names[cell]
        return atom("at", f"t{tile}", name) if tile else atom("blank", name)
