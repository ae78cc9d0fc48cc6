"""A board in play: what is on each cell and moves there; and, the other way round, the cells of each object.

    cells[c], moves[c]        the set of objects on cell c, and of movements, as in `compiled`
    where[o]                  the set of cells with object o, as a whole number with bit c for cell c
    moving[5 * layer + d]     the set of cells on whose layer something moves that way

The second view is what makes Python fast enough: the cells that match a pattern are found by a few operations on such
sets, for all cells at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from unpuzzle.puzzlescript.compiling.compiled import Compiled
from unpuzzle.puzzlescript.playing.matching import CellFinder, Match, RuleFinder
from unpuzzle.puzzlescript.playing.sets import bits, flip


class PlayBoard:
    """A board, which changes. `rigid` marks cells: by layer the number of a rigid group, in five bits each.

    Rules ask a board by `at`, `fits` and `settle`, and take `where` for what may be and `surely` for what is. Here
    these are the same; a board of which not all is known (`forking.unknown`) answers them by asking.
    """

    __slots__ = ("cells", "moves", "moving", "rigid", "surely", "where")

    def __init__(self, cells: list[int], moves: list[int], where: list[int], moving: list[int]) -> None:
        self.cells = cells
        self.moves = moves
        self.where = self.surely = where
        self.moving = moving
        self.rigid: dict[int, int] = {}

    def copy(self) -> PlayBoard:
        """Return the same board without rigid marks, which a turn makes anew."""
        return PlayBoard(self.cells[:], self.moves[:], self.where[:], self.moving[:])

    def at(self, cell: int, objects: int) -> int:
        """Return what is on a cell, in which these objects are of interest."""
        return self.cells[cell]

    def fits(self, finder: CellFinder, cell: int) -> bool:
        """Return whether a cell matches a pattern."""
        return finder.matches(self.cells[cell], self.moves[cell])

    def settle(self, rule: RuleFinder, possible: list[list[Match]]) -> list[list[Match]] | None:
        """Return the matches that a rule has, by row, of those that it may have."""
        return possible

    def put(self, cell: int, objects: int, moves: int) -> None:
        """Set what is on a cell, and moves there."""
        at = 1 << cell
        changed = self.cells[cell] ^ objects
        if changed:
            self.cells[cell] = objects
            flip(self.where, changed, at)
        changed = self.moves[cell] ^ moves
        if changed:
            self.moves[cell] = moves
            flip(self.moving, changed, at)


def board_of(cells: Sequence[int], game: Compiled) -> PlayBoard:
    """Return a board on which nothing moves."""
    where = [0] * len(game.objects)
    members: dict[int, bytearray] = {}  # bits set in a whole number would each copy all of it
    for cell, objects in enumerate(cells):
        for number in bits(objects):
            if number not in members:
                members[number] = bytearray(len(cells) // 8 + 1)
            members[number][cell >> 3] |= 1 << (cell & 7)
    for number, digits in members.items():
        where[number] = int.from_bytes(digits, "little")
    return PlayBoard(list(cells), [0] * len(cells), where, [0] * (5 * len(game.layers)))
