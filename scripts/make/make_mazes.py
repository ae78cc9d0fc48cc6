#!/usr/bin/env python3
"""Make the bundled Pacman mazes: `scripts/make/make_mazes.py NAME` prints the level's text; without a name, all of them."""

from __future__ import annotations

import random
import sys

from unpuzzle.translators.pacman import SHARES, random_floor

MAZES = {
    # rows and columns of rooms, share of the remaining walls knocked out, seed, whether there is a dot in every cell
    "perfect": (10, 15, SHARES["perfect"], 1, False),
    "loops": (8, 14, SHARES["loops"], 2, False),
    "room": (7, 12, SHARES["room"], 3, False),
    "dots": (2, 4, 0.5, 4, True),
}


def maze(rows: int, columns: int, share: float, seed: int, everywhere: bool) -> str:
    """Return a level's text: Pacman at the bottom right; one dot at the top left, or one in every other cell."""
    floor = random_floor(rows, columns, share, random.Random(seed))
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
