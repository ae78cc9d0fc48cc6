#!/usr/bin/env python3
"""Make the bundled Pacman mazes: `scripts/make_mazes.py NAME` prints the level's text; without a name, all of them.

A perfect maze is a spanning tree: a depth-first walk that knocks through to a random unvisited room, and backs up where
there is none (the "recursive backtracker"). Loops come from knocking out some more walls, a room from knocking out most
(and the posts that no wall is left at).
"""

from __future__ import annotations

import random
import sys

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
MAZES = {
    # rows and columns of rooms, share of the remaining walls knocked out, seed, whether there is a dot in every cell
    "perfect": (10, 15, 0.0, 1, False),
    "loops": (8, 14, 0.25, 2, False),
    "room": (7, 12, 0.9, 3, False),
    "dots": (2, 4, 0.5, 4, True),
}


def carve(rows: int, columns: int, rng: random.Random) -> tuple[set[tuple[int, int]], list[tuple[int, int]]]:
    """The floor of a perfect maze, in cells (rooms have odd coordinates), and the walls left between two rooms."""
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


def maze(rows: int, columns: int, share: float, seed: int, everywhere: bool) -> str:
    """A level's text: Pacman at the bottom right; one dot at the top left, or one in every other cell."""
    rng = random.Random(seed)
    floor, walls = carve(rows, columns, rng)
    floor |= set(rng.sample(walls, int(share * len(walls))))
    posts = [(row, column) for row in range(2, 2 * rows, 2) for column in range(2, 2 * columns, 2)]
    floor |= {post for post in posts if all((post[0] + down, post[1] + right) in floor for down, right in STEPS)}
    start = (2 * rows - 1, 2 * columns - 1)
    food = floor - {start} if everywhere else {(1, 1)}
    symbols = {**dict.fromkeys(floor, " "), **dict.fromkeys(food, "."), start: "P"}
    lines = (
        "".join(symbols.get((row, column), "%") for column in range(2 * columns + 1)) for row in range(2 * rows + 1)
    )
    return "".join(line + "\n" for line in lines)


def main() -> None:
    for name in sys.argv[1:] or MAZES:
        if name not in MAZES:
            sys.exit(f"unknown maze {name!r}; there are: {', '.join(MAZES)}")
        print(maze(*MAZES[name]), end="")


if __name__ == "__main__":
    main()
