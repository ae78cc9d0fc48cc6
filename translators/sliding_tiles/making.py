"""Arrangements of sliding tiles: any solvable one, or some random moves away from the goal."""

from __future__ import annotations

from random import Random
from typing import TypeVar

from unpuzzle.puzzle.options import Choice, Number, Option, Size, by_name
from unpuzzle.puzzle.puzzle import Puzzle

Position = TypeVar("Position", bound=Puzzle)

OPTIONS: dict[str, Option] = by_name(
    Size("size", "rows and columns of the board", (3, 3), most=10),
    Choice("goal", "where the blank ends: before or after the tiles", "blank-first", ("blank-first", "blank-last")),
    Number("scramble", "random moves away from the goal; 0: any arrangement that can be solved", 0, most=1000),
)


def scrambled(rng: Random, position: Position, moves: int) -> Position:
    """Return the position after random moves; none undoes the one before, unless there is no other."""
    before = position
    for _ in range(moves):
        following = [position.apply(move) for move in position.moves()]
        onward = [after for after in following if after != before] or following
        if not onward:
            break
        position, before = rng.choice(onward), position
    return position


def shuffled(rng: Random, rows: int, columns: int, tiles: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Return two arrangements, from at least one of which `tiles` is reachable."""
    if min(rows, columns) == 1:  # the order never changes, only the blank's place
        order = [tile for tile in tiles if tile]
        order.insert(rng.randrange(len(tiles)), 0)
        return order, order
    order = list(tiles)
    rng.shuffle(order)
    other = order.copy()
    one, two = [cell for cell, tile in enumerate(order) if tile][:2]
    other[one], other[two] = other[two], other[one]  # changes the parity, by which half of them can be reached
    return order, other
