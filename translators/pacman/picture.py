"""Mazes as pictures: walls as lines that join their neighbours.

A cell is two characters wide in text, so that it looks square.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from unpuzzle.drawing import Circle, Ground, Look, Path, Point, Rect
from unpuzzle.translators.pacman.maze import Maze

Joints = Mapping[tuple[int, int], int]
"""By row and column of a wall cell: the lines from it, as a sum."""

UP, RIGHT, DOWN, LEFT = 1, 2, 4, 8
_TEXTS = ("▪ ", *[char + ("─" if lines & RIGHT else " ") for lines, char in enumerate("╵╶└╷│┌├╴┘─┴┐┤┬┼", 1)], "  ")
"""Two characters for each sum of lines; the last ones are for cells without visible walls."""

LOOKS = {
    "·": Look(Circle(0.5, 0.5, 0.16, fill="food"), text="·", role="food", label="food"),
    "@": Look(
        Circle(0.5, 0.5, 0.4, fill="hero", line="ink", thick=0.05),
        Path([(0.5, 0.53), (0.93, 0.33), (0.93, 0.73)], fill="floor", closed=True),
        Path([(0.864, 0.36), (0.5, 0.53), (0.864, 0.7)], line="ink", thick=0.05),
        Circle(0.53, 0.29, 0.05, fill="face"),
        text="@",
        role="hero",
        label="Pacman",
    ),
}


@lru_cache(maxsize=64)
def ground(maze: Maze) -> Ground:
    """Return the maze. The outside of the grid is wall, which is drawn if floor is at the edge."""
    rows, columns, floor = maze.rows, maze.columns, maze.names
    edge = any(cell // columns in (0, rows - 1) or cell % columns in (0, columns - 1) for cell in floor)
    joints = _joints(rows, columns, floor, edge)
    lines = [
        "".join([_TEXTS[joints.get((row, column), -1)] for column in range(-edge, columns + edge)])
        for row in range(-edge, rows + edge)
    ]
    around = Rect(-edge, -edge, columns + 2 * edge, rows + 2 * edge, 0.3, fill="floor")
    walls = Path(*_trains(joints), line="wall", thick=0.3)
    text = "\n".join(lines).rstrip()
    return Ground(rows, columns, LOOKS, (around, walls), text, start=(edge, 2 * edge), margin=edge + 0.2)


def _joints(rows: int, columns: int, floor: Collection[int], edge: bool) -> Joints:
    """Return the lines for drawing walls.

    Two walls are joined if there is floor beside one of them, left or right of the joint; so the inside of thick walls
    is empty, and has no entry. A wall without joints has an entry if there is floor beside it.
    """
    width = columns + 4  # two cells of wall all around, so that nothing is looked at outside
    is_floor = bytearray(width * (rows + 4))
    for cell in floor:
        is_floor[(cell // columns + 2) * width + cell % columns + 2] = True
    joints = {}
    for row in range(-edge, rows + edge):
        for column in range(-edge, columns + edge):
            here = (row + 2) * width + column + 2
            if not is_floor[here]:
                north_west, north, north_east = is_floor[here - width - 1 : here - width + 2]
                west, _, east = is_floor[here - 1 : here + 2]
                south_west, south, south_east = is_floor[here + width - 1 : here + width + 2]
                lines = (
                    UP * (not north and (west or east or north_west or north_east))
                    | RIGHT * (not east and (north or south or north_east or south_east))
                    | DOWN * (not south and (west or east or south_west or south_east))
                    | LEFT * (not west and (north or south or north_west or south_west))
                )
                if lines or north or east or south or west:
                    joints[row, column] = lines
    return joints


def _trains(joints: Joints) -> Iterable[list[Point]]:
    """Yield the lines, straight and as long as possible, through the middles of cells; a single wall is a point."""
    for (row, column), lines in joints.items():
        if not lines:
            yield [(column + 0.5, row + 0.5)] * 2
        for onward, back, down, right in ((RIGHT, LEFT, 0, 1), (DOWN, UP, 1, 0)):
            if lines & onward and not lines & back:
                length = 1
                while joints[row + length * down, column + length * right] & onward:
                    length += 1
                start = (column + 0.5, row + 0.5)
                yield [start, (start[0] + length * right, start[1] + length * down)]
