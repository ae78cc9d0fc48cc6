"""The reachable arrangements of sliding tiles: on every board, for every goal, exactly and at once.

A move exchanges the blank with a tile and takes it one step. So the number of exchanges to the goal has the same parity
as the number of rows and columns between the blank and its place (W. W. Johnson and W. E. Story, Notes on the "15"
puzzle, 1879); if the parities agree, the goal is reachable. In a single line tiles never pass each other.

What must be true of a board, all of which `reason` looks at:

    it has at least two rows and two columns      "reachable if the parities agree": on a square of 2 × 2, three tiles
                                                  go round, and their two orders are the two parities; on larger boards
                                                  it is a theorem (R. M. Wilson, 1974). A line has a rule of its own
    each tile and the blank are there once        else exchanging equal tiles would change the parity, not the board
    the goal names none twice, and no others      else it has no completion
    at most one tile has no place in the goal     two such tiles can be exchanged, which gives both parities

There are two usual goals, with the blank first and with the blank last. From one to the other are rows × columns - 1
exchanges, and (rows - 1) + (columns - 1) steps of the blank. So with even numbers of both, half of the arrangements
reach the one goal and half the other: a text that names no goal has the one that can be reached. On other boards each
arrangement reaches both or neither, and the goal is the blank first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unpuzzle.translators.sliding_tiles.board import Goal, TilesBoard


def usual_goals(size: int) -> dict[Goal, str]:
    """Return the two usual goals of a number of cells, the blank last and the blank first, each in words."""
    last, first = (*range(1, size), 0), tuple(range(size))
    return {last: "the tiles in order, then the blank", first: "the blank, then the tiles in order"}


def assumed_goal(board: TilesBoard, tiles: Sequence[int]) -> Goal:
    """Return the goal of a text that names none; no move changes it."""
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
    """Yield a goal's completions without don't cares; at most one tile and the blank are not in the goal."""
    free = tuple({*tiles} - {*goal})
    for order in {free, free[::-1]}:
        rest = iter(order)
        yield [next(rest) if tile is None else tile for tile in goal]


def even(board: TilesBoard, tiles: Sequence[int], goal: Sequence[int]) -> bool:
    """Return whether a goal is reachable: every move exchanges two, and moves the blank one step."""
    places = {tile: cell for cell, tile in enumerate(goal)}
    row, column = divmod(tiles.index(0), board.columns)
    goal_row, goal_column = divmod(places[0], board.columns)
    return (_exchanges([places[tile] for tile in tiles]) - abs(row - goal_row) - abs(column - goal_column)) % 2 == 0


def _exchanges(targets: list[int]) -> int:
    """Return how many exchanges of two sort a permutation: its length less its number of cycles."""
    left, cycles = set(targets), 0
    while left:
        cycles += 1
        cell = left.pop()
        while (cell := targets[cell]) in left:
            left.remove(cell)
    return len(targets) - cycles
