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
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unpuzzle.translators.sliding_tiles.board import TilesBoard


def reason(board: TilesBoard, tiles: Sequence[int]) -> str | None:
    """Return the reason why the goal is unreachable; None if it is reachable, or the board is not made as described."""
    named = [tile for tile in board.goal if tile is not None]
    if sorted(tiles) != [*board.cells] or len({*named}) < len(named) or not {*named} <= {*tiles}:
        return None
    if min(board.rows, board.columns) == 1:
        order = [tile for tile in tiles if tile]
        lines = ([*order[:blank], 0, *order[blank:]] for blank in range(len(tiles)))
        fits = any(all(goal in (None, tile) for goal, tile in zip(board.goal, line, strict=True)) for line in lines)
        return None if fits else "the order of the tiles in a single line never changes"
    if len(set(tiles) - set(board.goal) - {0}) >= 2:
        return None  # exchanging two tiles whose places do not matter mends the parity
    if any(even(board, tiles, goal) for goal in completions(board, tiles)):
        return None
    return "parity: the goal is an odd number of exchanges of two tiles away, and the blank's moves make an even one"


def completions(board: TilesBoard, tiles: Sequence[int]) -> Iterator[list[int]]:
    """Yield the goals without don't cares; at most one tile and the blank are not in the goal."""
    free = tuple({*tiles} - {*board.goal})
    for order in {free, free[::-1]}:
        rest = iter(order)
        yield [next(rest) if tile is None else tile for tile in board.goal]


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
