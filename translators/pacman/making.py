"""Mazes by a seeded generator: perfect ones, mazes with loops, open rooms.

A perfect maze is a spanning tree: a depth-first walk that knocks through to a random unvisited room, and backs up where
there is none (the "recursive backtracker"). Loops come from knocking out some more walls, a room from knocking out most
(and the posts that no wall is left at). Rooms stand at odd rows and columns, with walls between them and around:

    %%%%%%%       2 x 3 rooms are 5 x 7 cells
    %   % %
    %%% % %
    %     %
    %%%%%%%
"""

from __future__ import annotations

from random import Random

from unpuzzle.puzzle.options import Choice, Number, Size, by_name

Cells = set[tuple[int, int]]

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
SHARES = {"perfect": 0.0, "loops": 0.25, "room": 0.9}
"""By kind of maze, the share of walls knocked out that are left in a perfect one."""
OPTIONS = by_name(
    Size("size", "rows and columns of rooms; walls stand between them and around", (5, 5), most=25),
    Choice("kind", "perfect: one way from any cell to any other; loops: several; room: few walls", "perfect", SHARES),
    Number("dots", "how much food, at random places", 1, least=1, most=1000),
)


def carve(rows: int, columns: int, rng: Random) -> tuple[Cells, list[tuple[int, int]]]:
    """Return the floor of a perfect maze, and the walls left between two rooms; `rows` and `columns` count rooms."""
    floor, path = {(1, 1)}, [(1, 1)]
    walls = set()
    for row in range(rows):
        walls |= {(2 * row + 1, 2 * column) for column in range(1, columns)}
    for column in range(columns):
        walls |= {(2 * row, 2 * column + 1) for row in range(1, rows)}
    while path:
        row, column = path[-1]
        options = [(down, right) for down, right in STEPS if (row + down, column + right) in walls]
        options = [(down, right) for down, right in options if (row + 2 * down, column + 2 * right) not in floor]
        if not options:
            path.pop()
            continue
        down, right = rng.choice(options)
        walls.remove((row + down, column + right))
        path.append((row + 2 * down, column + 2 * right))
        floor |= {(row + down, column + right), path[-1]}
    return floor, sorted(walls)


def random_floor(rows: int, columns: int, share: float, rng: Random) -> Cells:
    """Return the floor of a maze with that share of the remaining walls knocked out, as (row, column) pairs."""
    floor, walls = carve(rows, columns, rng)
    floor |= set(rng.sample(walls, int(share * len(walls))))
    posts = [(row, column) for row in range(2, 2 * rows, 2) for column in range(2, 2 * columns, 2)]
    return floor | {post for post in posts if all((post[0] + down, post[1] + right) in floor for down, right in STEPS)}
