"""Mazes by a seeded generator: perfect ones, mazes with loops, open rooms.

A perfect maze is a spanning tree: a depth-first walk that breaks through to a random unvisited room, and goes back if
there is none (the "recursive backtracker"). Loops come from removing some more walls, a room from removing most (and
the posts without walls). Rooms are at odd rows and columns, with walls between them and around:

    %%%%%%%       2 x 3 rooms are 5 x 7 cells
    %   % %
    %%% % %
    %     %
    %%%%%%%
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from unpuzzle.errors import ParseError
from unpuzzle.puzzle.options import Choice, Number, Option, Size, by_name
from unpuzzle.translators.pacman.maze import Maze
from unpuzzle.words import count

Cells = set[tuple[int, int]]

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
SHARES: dict[str, float] = {"perfect": 0.0, "loops": 0.25, "room": 0.9}
"""By kind of maze, the share of the walls of a perfect maze that is removed."""
OPTIONS: dict[str, Option] = by_name(
    Size("size", "rows and columns of rooms; walls stand between them and around", (5, 5), most=25),
    Choice("kind", "perfect: one way from any cell to any other; loops: several; room: few walls", "perfect", SHARES),
    Number("dots", "how much food, at random places", 1, least=1, most=1000),
)


def carve(rows: int, columns: int, rng: Random) -> tuple[Cells, list[tuple[int, int]]]:
    """Return the floor of a perfect maze, and the walls left between two rooms; `rows` and `columns` count rooms."""
    floor, path = {(1, 1)}, [(1, 1)]
    walls = {(2 * row + 1, 2 * column) for row in range(rows) for column in range(1, columns)}
    walls |= {(2 * row, 2 * column + 1) for row in range(1, rows) for column in range(columns)}
    while path:
        row, column = path[-1]
        steps = [(down, right) for down, right in STEPS if (row + down, column + right) in walls]
        steps = [(down, right) for down, right in steps if (row + 2 * down, column + 2 * right) not in floor]
        if not steps:
            path.pop()
            continue
        down, right = rng.choice(steps)
        walls.remove((row + down, column + right))
        path.append((row + 2 * down, column + 2 * right))
        floor |= {(row + down, column + right), path[-1]}
    return floor, sorted(walls)


def random_floor(rows: int, columns: int, share: float, rng: Random) -> Cells:
    """Return the floor of a maze with a share of the remaining walls removed, as (row, column) pairs."""
    floor, walls = carve(rows, columns, rng)
    floor |= set(rng.sample(walls, int(share * len(walls))))
    posts = [(row, column) for row in range(2, 2 * rows, 2) for column in range(2, 2 * columns, 2)]
    return floor | {post for post in posts if all((post[0] + down, post[1] + right) in floor for down, right in STEPS)}


def random_level(rng: Random, options: Mapping[str, Any]) -> tuple[Maze, int, frozenset[int]]:
    """Return a random maze, Pacman's cell and the cells with food. Raises ParseError if the maze is too small."""
    (rows, columns), dots = options["size"], options["dots"]
    least = 2 * rows * columns - 1  # the cells of a perfect maze; other kinds have more
    if dots >= least:
        raise ParseError(
            f"{count(dots, 'dot')} and Pacman have no place in {rows}x{columns} rooms, "
            f"which may be {count(least, 'cell')} only"
        )
    width = 2 * columns + 1
    places = sorted(random_floor(rows, columns, SHARES[options["kind"]], rng))
    floor = [row * width + column for row, column in places]
    cell, *food = rng.sample(floor, 1 + dots)
    return Maze(2 * rows + 1, width, frozenset(floor)), cell, frozenset(food)
