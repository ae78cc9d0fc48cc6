"""The level text of sliding tiles, and the static parts: the size and the goal; and the places of tiles in PDDL.

The text is the board and, below it, the goal; without one, it is one of the two usual goals (see `reason`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from unpuzzle.base.text import count, shorten
from unpuzzle.pddl.nodes import Atom
from unpuzzle.puzzle.task import atom
from unpuzzle.translators.shared.cells import Layout, Memo, neighbours
from unpuzzle.translators.shared.text import Page, Word

Goal = tuple[int | None, ...]
"""By cell, the tile that belongs there; None if any will do."""


STEPS: dict[str, tuple[int, int]] = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
"""By move, the change of the blank's row and column."""


class TilesBoard(Layout):
    """A board without its tiles; boards are equal if size and goal are equal."""

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
    """Return the numbers of rows and columns, the goal (None if the text has no goal), and the tiles."""
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
    """Return the numbers 0 to n - 1 in the order of the text; in the goal (`wild`), `*` may replace some numbers."""
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
        what = "a number, or '*' for don't care" if wild else "a number ('*' is allowed in the goal only)"
        raise page.error_at(f"{shorten(word.text)} is not {what}", word)
    digits = word.text.lstrip("0") or "0"
    if len(digits) > len(str(size)) or int(digits) >= size:
        message = f"no tile {shorten(digits)[1:-1]} on this board: its {size} cells hold 0 to {size - 1}"
        raise page.error_at(message, word)
    return int(digits)


# The reachable arrangements of sliding tiles: on every board, for every goal, exactly and at once.
#
# A move exchanges the blank with a tile and takes it one step. So the number of exchanges to the goal has the same
# parity as the number of rows and columns between the blank and its place (W. W. Johnson and W. E. Story, Notes on the
# "15" puzzle, 1879); if the parities agree, the goal is reachable. In a single line tiles never pass each other.
#
# The conditions on a board, all of which `reason` checks:
#
#     it has at least two rows and two columns      "reachable if the parities agree": on a square of 2 × 2, three tiles
#                                                   go round, and their two orders are the two parities; on larger
#                                                   ones it is a theorem (R. M. Wilson, 1974). A line has its own rule
#     each tile and the blank are there once        else exchanging equal tiles would change the parity, not the board
#     the goal names none twice, and no others      else it has no completion
#     at most one tile has no place in the goal     two such tiles can be exchanged, which gives both parities
#
# There are two usual goals, with the blank first and with the blank last. From one to the other are rows × columns - 1
# exchanges, and (rows - 1) + (columns - 1) steps of the blank. So with even numbers of both, half of the arrangements
# reach the one goal and half the other: a text that names no goal has the one that can be reached. On other boards
# each arrangement reaches both or neither, and the goal is the blank first.


def usual_goals(size: int) -> dict[Goal, str]:
    """Return the two usual goals for a number of cells, the blank last and the blank first, with descriptions."""
    last, first = (*range(1, size), 0), tuple(range(size))
    return {last: "the tiles in order, then the blank", first: "the blank, then the tiles in order"}


def assumed_goal(board: TilesBoard, tiles: Sequence[int]) -> Goal:
    """Return the goal of a text that states none; moves do not change this goal."""
    first, last = tuple(board.cells), (*board.cells[1:], 0)
    return last if reason(board, tiles, first) is not None and reason(board, tiles, last) is None else first


def reason(board: TilesBoard, tiles: Sequence[int], goal: Goal | None = None) -> str | None:
    """Return the reason why a goal, by default the board's, is unreachable.

    None if it is reachable, or the board is not made as described.
    """
    goal = board.goal if goal is None else goal
    named = [tile for tile in goal if tile is not None]
    if sorted(tiles) != [*board.cells] or len({*named}) < len(named) or not {*named} <= {*tiles}:
        return None
    if min(board.rows, board.columns) == 1:
        order = [tile for tile in tiles if tile]
        lines = ([*order[:blank], 0, *order[blank:]] for blank in range(len(tiles)))
        fits = any(all(wanted in (None, tile) for wanted, tile in zip(goal, line, strict=True)) for line in lines)
        return None if fits else "the order of the tiles in a single line never changes"
    if len(set(tiles) - set(goal) - {0}) >= 2:
        return None  # exchanging two tiles whose places do not matter mends the parity
    if any(even(board, tiles, whole) for whole in completions(goal, tiles)):
        return None
    name = usual_goals(len(tiles)).get(goal)
    words = f"the goal ({name})" if name else "the goal"
    return f"parity: {words} is an odd number of exchanges of two tiles away, and the blank's moves make an even one"


def completions(goal: Goal, tiles: Sequence[int]) -> Iterator[list[int]]:
    """Yield all ways to fill the open cells of a goal; at most one tile and the blank may be missing in the goal."""
    free = tuple({*tiles} - {*goal})
    for order in {free, free[::-1]}:
        rest = iter(order)
        yield [next(rest) if tile is None else tile for tile in goal]


def even(board: TilesBoard, tiles: Sequence[int], goal: Sequence[int]) -> bool:
    """Return whether a goal is reachable, by parity: every move exchanges two tiles and moves the blank one step."""
    places = {tile: cell for cell, tile in enumerate(goal)}
    row, column = divmod(tiles.index(0), board.columns)
    goal_row, goal_column = divmod(places[0], board.columns)
    return (_exchanges([places[tile] for tile in tiles]) - abs(row - goal_row) - abs(column - goal_column)) % 2 == 0


def _exchanges(targets: list[int]) -> int:
    """Return the number of exchanges of two that sort a permutation: its length minus its number of cycles."""
    left, cycles = set(targets), 0
    while left:
        cycles += 1
        cell = left.pop()
        while (cell := targets[cell]) in left:
            left.remove(cell)
    return len(targets) - cycles
