"""Boards of sliding tiles: their texts, goals, the parity that decides if a goal is reachable, and subgoals.

The text is the board and, below it, the goal; without one, it is one of the two usual goals (see `usual_goals`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import getitem

from unpuzzle.base.distances import distances
from unpuzzle.base.text import count, shorten
from unpuzzle.model.heuristic import Subgoal
from unpuzzle.model.task import atom
from unpuzzle.pddl.nodes import Atom
from unpuzzle.translators.shared.cells import Layout, Memo, neighbours
from unpuzzle.translators.shared.text import Page, Word

Goal = tuple[int | None, ...]
"""By cell, the tile that belongs there; None if any will do."""


STEPS: dict[str, tuple[int, int]] = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
"""By move, the change of the blank's row and column."""
View = tuple[int, ...]
Tiles = Sequence[int | None]
Steps = Sequence[Mapping[str, int]]
"""By cell: for each move of a blank that is there, the cell it leads to."""


NOTEBOOK = 16
"""The largest board, in cells, that is solved as in the notebook."""
WEIGHT = 2
"""The weight of estimates on larger boards: stages are at most this many times as long as necessary."""


class TilesBoard(Layout):
    """The data that no move changes in a level of sliding tiles: the size and the goal."""

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
    """Read a level; return the numbers of rows and columns, the goal (None if not given), and the tiles."""
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
    """Return the numbers in the rows of a board; if `wild` is true, a `*` is allowed and becomes None."""
    size = len(rows) * len(rows[0])
    places: dict[int, Word] = {}
    numbers: list[int | None] = []
    for word in (word for row in words for word in row):
        if wild and word.text == "*":
            numbers.append(None)
            continue
        number = _number(page, word, size, wild)
        if number in places:
            raise page.repetition(
                f"{f'tile {number}' if number else 'the blank, 0,'} is listed twice", word, places[number]
            )
        places[number] = word
        numbers.append(number)
    return numbers


def _number(page: Page, word: Word, size: int, wild: bool) -> int:
    """Convert a word to the number of a tile, or to None if it is `*`. Raises ParseError."""
    if not (word.text.isascii() and word.text.isdecimal()):
        what = "a number, or '*' for don't care" if wild else "a number ('*' is allowed in the goal only)"
        raise page.error_at(f"{shorten(word.text)} is not {what}", word)
    digits = word.text.lstrip("0") or "0"
    if len(digits) > len(str(size)) or int(digits) >= size:
        message = f"no tile {shorten(digits)[1:-1]} on this board: its {size} cells contain 0 to {size - 1}"
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
    """Return the two usual goals, in which the blank is last or first, each with a description."""
    last, first = (*range(1, size), 0), tuple(range(size))
    return {last: "the tiles in order, then the blank", first: "the blank, then the tiles in order"}


def assumed_goal(board: TilesBoard, tiles: Sequence[int]) -> Goal:
    """Return the goal of a level whose text has none: the usual goal that can be reached."""
    first, last = tuple(board.cells), (*board.cells[1:], 0)
    return last if reason(board, tiles, first) is not None and reason(board, tiles, last) is None else first


def reason(board: TilesBoard, tiles: Sequence[int], goal: Goal | None = None) -> str | None:
    """Return why a goal cannot be reached; None if it can.

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
    return f"parity: {words} needs an odd number of exchanges of two tiles, but the blank's moves make an even number"


def completions(goal: Goal, tiles: Sequence[int]) -> Iterator[list[int]]:
    """Yield each way to fill the open cells of a goal, in which at most one tile and the blank are missing."""
    free = tuple({*tiles} - {*goal})
    for order in {free, free[::-1]}:
        rest = iter(order)
        yield [next(rest) if tile is None else tile for tile in goal]


def even(board: TilesBoard, tiles: Sequence[int], goal: Sequence[int]) -> bool:
    """Return whether a goal can be reached, by the parity of the tiles and of the blank's path."""
    places = {tile: cell for cell, tile in enumerate(goal)}
    row, column = divmod(tiles.index(0), board.columns)
    goal_row, goal_column = divmod(places[0], board.columns)
    return (_exchanges([places[tile] for tile in tiles]) - abs(row - goal_row) - abs(column - goal_column)) % 2 == 0


def _exchanges(targets: list[int]) -> int:
    """Return how many exchanges of two tiles sort a permutation: its length minus its number of cycles."""
    left, cycles = set(targets), 0
    while left:
        cycles += 1
        cell = left.pop()
        while (cell := targets[cell]) in left:
            left.remove(cell)
    return len(targets) - cycles


# Subgoals of sliding tiles: tiles are brought home line by line, lines farthest from the blank's place first.
#
#     0  1  2  3      14 15, then 12 13     the bottom row, from the far end
#     4  5  6  7      10 11, then  8  9     the next one: two rows are left
#     8  9 10 11      3 7, then 2 6         columns, until a block of 2×2 is left
#    12 13 14 15      0 1 4 5               the block around the blank's place
#
# On any board, lines are removed, rows first, until only two are left: the first or the last line, whichever is farther
# from the blank's place (if the goal does not name it, the first cell where any tile will do). A row is taken in pairs,
# after one tile alone if their number is odd: its last two must go in together, since the corner is not to be reached
# otherwise. Before the last block at least two tiles are ignored, and exchanging them corrects every parity; so each
# stage has a solution, and the last one does if the puzzle does. On a board of one line there is one group.
#
# Cells where any tile will do are in no group. But if such cells are scattered, needed tiles may be there, enclosed by
# tiles at home, and it takes a long search to free them. So if at some stage the free cells are not connected, made of
# 2×2 squares side by side, the goal is completed first, with the right parity: each cell where any tile will do gets
# the nearest such tile.
#
# A stage is A* with Manhattan distance; all tiles that it ignores are the same tile in its views. The last stage counts
# the blank's distance, too, as in the course notebook with the figures that this reproduces; so its paths may be longer
# than necessary. On boards of more than `NOTEBOOK` cells that leaves millions of views to search. There the estimate is
# twice the larger one of Manhattan distance and, for each tile that this stage brings home, the exact number of moves
# that it and the blank would need on a separate board.


def subgoals(board: TilesBoard, tiles: Sequence[int]) -> list[Subgoal]:
    """Return the subgoals in their order; each brings a few tiles to their goal cells."""
    columns, goal = board.columns, list(board.goal)
    cells = groups(board.rows, columns, goal)
    if not _roomy(cells, goal, columns):
        goal = _completed(board, tiles)
    # Cells in ascending order: the order in which the notebook's figures for other tie-breaks come out, too.
    ordered = [dict(sorted(moves.items(), key=lambda move: move[1])) for moves in board.steps]
    home: dict[int, int] = {}  # by cell: the tile that belongs there, of this group and all before it
    stages = []
    for group in cells:
        own = {cell: tile for cell in sorted(group) if (tile := goal[cell]) is not None}
        if own:
            home = home | own
            stages.append(_stage(ordered, columns, home, own))
    return stages


def _roomy(cells: list[list[int]], goal: Tiles, columns: int) -> bool:
    """Return whether the cells that are not finished stay connected by 2x2 squares before each group of `cells`."""
    home: set[int] = set()
    for group in cells:
        own = {cell for cell in group if goal[cell] is not None}
        if own and home and not _one_piece(set(range(len(goal))) - home, columns):
            return False
        home |= own
    return True


def _one_piece(free: set[int], columns: int) -> bool:
    """Return whether the free cells consist of squares of 2×2 cells, each connected to the next."""
    shape, sides = (0, 1, columns, columns + 1), (-1, 1, -columns, columns)
    squares = {c for c in free if (c + 1) % columns and free.issuperset([c + offset for offset in shape])}
    piece = distances(list(squares)[:1], lambda cell: squares & {cell + offset for offset in sides})
    return free == {cell + offset for cell in piece for offset in shape}


def _completed(board: TilesBoard, tiles: Sequence[int]) -> list[int | None]:
    """Return a goal in which each open cell has a tile, so that the goal is reachable if that is possible."""
    columns, goal = board.columns, list(board.goal)
    open_cells = [cell for cell, tile in enumerate(goal) if tile is None]
    free = [(cell, tile) for cell, tile in enumerate(tiles) if tile and tile not in goal]
    if 0 not in goal:
        goal[open_cells[0]] = 0
    for place in open_cells:
        if goal[place] is None:
            nearest = min(free, key=lambda item: (_distance(item[0], place, columns), item))
            free.remove(nearest)
            goal[place] = nearest[1]
    if len(open_cells) > 1 and not even(board, tiles, [tile or 0 for tile in goal]):
        one, other = open_cells[-2:]  # the blank, if at all, only where there is one tile to exchange
        goal[one], goal[other] = goal[other], goal[one]
    return goal


def _distance(cell: int, place: int, columns: int) -> int:
    return abs(cell // columns - place // columns) + abs(cell % columns - place % columns)


def groups(rows: int, columns: int, goal: Tiles) -> list[list[int]]:
    """Return the groups of cells that are finished one after the other, those far from the goal's blank first."""
    if min(rows, columns) == 1:
        return [list(range(rows * columns))]
    row, column = divmod(goal.index(0 if 0 in goal else None), columns)
    outer_rows, inner_rows = _lines(rows, row)
    outer_columns, inner_columns = _lines(columns, column)
    from_afar = sorted(range(columns), key=lambda other: -other if column <= (columns - 1) / 2 else other)
    first = columns % 2
    pairs = [from_afar[:first], *(from_afar[i : i + 2] for i in range(first, columns, 2))]
    in_rows = [[line * columns + cell for cell in pair] for line in outer_rows for pair in pairs if pair]
    blocks = [*([line] for line in outer_columns), inner_columns]
    return [*in_rows, *([row * columns + cell for row in inner_rows for cell in block] for block in blocks)]


def _lines(count: int, place: int) -> tuple[list[int], list[int]]:
    """Return two lists of rows (or columns): those to finish first, in order, and the last two, nearest to `place`."""
    left, taken = list(range(count)), []
    while len(left) > 2:
        taken.append(left.pop(-1 if left[-1] - place >= place - left[0] else 0))
    return taken, left


def _stage(steps: Steps, columns: int, home: Mapping[int, int], own: Mapping[int, int]) -> Subgoal:
    """Return the subgoal to place the tiles `own` and to keep the tiles `home`; both map cells to tiles.

    A view has the tile of every cell; all tiles that the stage ignores have one number.
    """
    other, visible, large = len(steps), frozenset(home.values()) | {0}, len(steps) > NOTEBOOK
    places = {tile: cell for cell, tile in home.items()}
    table = [[_distance(cell, places.get(tile, cell), columns) for tile in range(other + 1)] for cell in range(other)]

    def manhattan(view: View) -> int:
        return sum(map(getitem, table, view))

    def successors(view: View) -> Iterator[tuple[str, View, int]]:
        blank = view.index(0)
        for move, cell in steps[blank].items():
            tiles = list(view)
            tiles[blank], tiles[cell] = tiles[cell], 0
            yield move, tuple(tiles), 1

    return Subgoal(
        " ".join(map(str, sorted(own.values()))),
        view=lambda position: tuple([tile if tile in visible else other for tile in position.tiles]),
        successors=successors,
        achieved=lambda view: all(view[cell] == tile for cell, tile in home.items()),
        estimate=_far_estimate(manhattan, steps, own) if large else manhattan,
        admissible=not large and 0 not in own.values(),
        key=lambda view: tuple(["*" if tile == other else str(tile) for tile in view]),
    )


def _far_estimate(manhattan: Callable[[View], int], steps: Steps, own: Mapping[int, int]) -> Callable[[View], int]:
    """Return an estimate of the moves for a stage, which also counts the moves of each tile alone."""
    tables: dict[int, list[list[int]]] = {}

    def estimate(view: View) -> int:
        if not tables:
            tables.update({tile: _moves_alone(steps, cell) for cell, tile in own.items() if tile})
        blank = view.index(0)
        alone = [table[view.index(tile)][blank] for tile, table in tables.items()]
        return WEIGHT * max([manhattan(view), *alone])

    return estimate


def _moves_alone(steps: Steps, place: int) -> list[list[int]]:
    """Return the fewest moves that bring one tile to a cell, in a table by the cells of the tile and the blank."""

    def after(pair: tuple[int, int]) -> Iterator[tuple[int, int]]:
        tile, blank = pair
        for cell in steps[blank].values():
            yield (blank, tile) if cell == tile else (tile, cell)

    cells = range(len(steps))
    moves = distances([(place, blank) for blank in cells if blank != place], after)
    return [[moves.get((tile, blank), 0) for blank in cells] for tile in cells]
