"""Which arrangements of sliding tiles can be reached: on every board, for every goal, exactly and in no time.

A move exchanges the blank with a tile and takes it one step. So the number of exchanges that lead to the goal is even
or odd as the number of rows and columns is that lie between the blank and its place (W. W. Johnson and W. E. Story,
Notes on the "15" puzzle, 1879); where that holds, there is a way. In a single line tiles never pass each other.
"""

from __future__ import annotations

from collections.abc import Iterator

from unpuzzle.translators.sliding_tiles.board import HasTiles


def reason(position: HasTiles) -> str | None:
    """Return why the goal cannot be reached; None if it can."""
    if min(position.rows, position.columns) == 1:
        return None if _order_fits(position) else "the order of the tiles in a single line never changes"
    if len(set(position.tiles) - set(position.goal) - {0}) >= 2:
        return None  # exchanging two tiles whose places do not matter mends the parity
    if any(even(position, goal) for goal in completions(position)):
        return None
    return "parity: the goal is an odd number of exchanges of two tiles away, and the blank's moves make an even one"


def _order_fits(position: HasTiles) -> bool:
    """Return whether the goal of a board of one line holds for some place of the blank."""
    order = [tile for tile in position.tiles if tile]
    lines = ([*order[:blank], 0, *order[blank:]] for blank in range(len(position.tiles)))
    return any(all(w in (None, tile) for w, tile in zip(position.goal, line, strict=True)) for line in lines)


def completions(position: HasTiles) -> Iterator[list[int]]:
    """Yield the goals without don't cares; at most one tile and the blank are not in the goal."""
    free = tuple({*position.tiles} - {*position.goal})
    for order in {free, free[::-1]}:
        rest = iter(order)
        yield [next(rest) if tile is None else tile for tile in position.goal]


def even(position: HasTiles, goal: list[int]) -> bool:
    """Return whether a goal can be reached: every move exchanges two, and takes the blank one step."""
    places = {tile: cell for cell, tile in enumerate(goal)}
    targets = [places[tile] for tile in position.tiles]
    row, column = divmod(position.tiles.index(0), position.columns)
    goal_row, goal_column = divmod(places[0], position.columns)
    return (_exchanges(targets) - abs(row - goal_row) - abs(column - goal_column)) % 2 == 0


def _exchanges(targets: list[int]) -> int:
    """Return how many exchanges of two sort a permutation: its length less its number of cycles."""
    seen, cycles = [False] * len(targets), 0
    for start in range(len(targets)):
        cycles += not seen[start]
        cell = start
        while not seen[cell]:
            seen[cell] = True
            cell = targets[cell]
    return len(targets) - cycles
