"""The level text of sliding tiles, and the static parts: the size and the goal; and the places of tiles in PDDL.

The text is the board and, below it, the goal; without one, it is one of the two usual goals (see parity.py).
"""

from __future__ import annotations

from collections.abc import Mapping

from unpuzzle.pddl.nodes import Atom
from unpuzzle.puzzle.task import atom
from unpuzzle.translators.shared.cells import Layout, Memo, neighbours
from unpuzzle.translators.shared.text import Page, Word
from unpuzzle.words import count, shorten

Goal = tuple[int | None, ...]
"""By cell, the tile that belongs there; None where any will do."""


STEPS: dict[str, tuple[int, int]] = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
"""By move, the change of the blank's row and column."""


class TilesBoard(Layout):
    """A board without its tiles: equal if size and goal are."""

    __slots__ = ("atoms", "cells", "goal", "steps")

    def __init__(self, rows: int, columns: int, goal: Goal) -> None:
        super().__init__(rows, columns, goal)
        self.goal: Goal = goal
        self.steps: tuple[Mapping[str, int], ...] = neighbours(rows, columns, STEPS)
        self.cells: range = range(rows * columns)
        # By tile and cell, a set of the one atom that says that the tile, or the blank, is there.
        self.atoms: Memo[tuple[int, int], frozenset[Atom]] = Memo(lambda pair: frozenset([self.atom(*pair)]))

    def atom(self, tile: int, cell: int) -> Atom:
        return atom("at", f"t{tile}", self.name(cell)) if tile else atom("blank", self.name(cell))


def read(text: str, source: str | None) -> tuple[int, int, Goal | None, tuple[int, ...]]:
    """Return the numbers of rows and columns, the goal, which is None if the text names none, and the tiles."""
    page = Page(text, source)
    rows, goal_rows = page.parts("goal")
    page.require_rectangle(rows)
    tiles = tuple(tile for tile in _numbers(page, rows, rows, wild=False) if tile is not None)
    for number, row in enumerate(goal_rows or (), 1):
        if len(row) != len(rows[0]):
            message = f"goal row {number} has {count(len(row), 'cell')}, the board's rows have {len(rows[0])}"
            raise page.error_at(message, row[min(len(rows[0]), len(row) - 1)])
    if goal_rows and len(goal_rows) != len(rows):
        message = f"the goal has {count(len(goal_rows), 'row')}, the board has {len(rows)}"
        raise page.error_at(message, goal_rows[0][0])
    goal = tuple(_numbers(page, rows, goal_rows, wild=True)) if goal_rows else None
    return len(rows), len(rows[0]), goal, tiles


def _numbers(page: Page, rows: list[list[Word]], words: list[list[Word]], wild: bool) -> list[int | None]:
    """Return the numbers 0 .. n - 1 in some order; in the goal (`wild`), some of them may be replaced by `*`."""
    size = len(rows) * len(rows[0])
    places: dict[int, Word] = {}
    numbers: list[int | None] = []
    for word in (word for row in words for word in row):
        if wild and word.text == "*":
            numbers.append(None)
            continue
        number = _number(page, word, size, wild)
        if number in places:
            raise page.repetition(f"tile {number}" if number else "the blank, 0,", word, places[number])
        places[number] = word
        numbers.append(number)
    return numbers


def _number(page: Page, word: Word, size: int, wild: bool) -> int:
    if not (word.text.isascii() and word.text.isdecimal()):
        what = "a number, or '*' for don't care" if wild else "a number ('*' stands in the goal only)"
        raise page.error_at(f"{shorten(word.text)} is not {what}", word)
    digits = word.text.lstrip("0") or "0"
    if len(digits) > len(str(size)) or int(digits) >= size:
        message = f"no tile {shorten(digits)[1:-1]} on this board: its {size} cells hold 0 to {size - 1}"
        raise page.error_at(message, word)
    return int(digits)
