"""Boxup's bundled levels, and random ones.

Levels 1 to 3 are those of the lab report that this project grew out of; the others are this project's own.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from random import Random

LEVELS = {
    "1": """\
.  .  .
n! @  W!
.  .  .
""",
    "2": """\
.  .  .
N! @  w!
.  .  .
""",
    "3": """\
@  .  W
.  N! .
n! .  .
""",
    "4": """\
.  W! s! .
.  #  .  .
.  @  .  #
""",
    "5": """\
.  .  .  .
.  #  n! .
E! .  #  .
.  .  @  n
""",
    "6": """\
.   s   W   .   w!  #
.   S!@ #   .   .   .
.   .   #   .   .   .
""",
}


def random_level(rng: Random, rows: int, columns: int, boxes: str, walls: int) -> str:
    """Return a level's text: `boxes` has an `x` for each small box, an `X` for each large one, marked ones first."""
    cells = [["", "", ""] for _ in range(rows * columns)]
    free = rng.sample(range(len(cells)), len(cells) - walls)
    for layer, size in enumerate("Xx"):
        homes = rng.sample(free, min(boxes.count(size), len(free)))
        for number, home in enumerate(homes):
            side = rng.choice("NESW")
            cells[home][layer] = (side if size == "X" else side.lower()) + ("" if number else "!")
    cells[rng.choice(free)][2] = "@"
    words = ["".join(cell) or ("." if i in free else "#") for i, cell in enumerate(cells)]
    return joined(columns, words)


def joined(columns: int, words: list[str]) -> str:
    """Return a level's text from those of its cells, row by row."""
    return "".join(" ".join(words[i : i + columns]) + "\n" for i in range(0, len(words), columns))
