"""Mazes as pictures: walls as lines that join their neighbours.

A cell is two characters wide in text, so that it looks square.
"""

from __future__ import annotations

from unpuzzle.picture import Circle, Ground, Look, Path, Rect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from unpuzzle.picture import Point
    from unpuzzle.translators.pacman.maze import Maze

    Joints = Mapping[tuple[int, int], list[bool]]
    """By row and column of a cell that is no floor: whether a line goes up, right, down, left from it."""

_JOINTS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""Line characters by the sum of 1 for a line up, 2 right, 4 down, 8 left."""
_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))

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


def ground(maze: Maze) -> Ground:
    """The maze; what is outside the grid is wall, and is drawn where floor would be open to it."""
    rows, columns, floor = maze.rows, maze.columns, maze.names
    edge = any(cell // columns in (0, rows - 1) or cell % columns in (0, columns - 1) for cell in floor)
    joints = _joints(rows, columns, floor, edge)
    lines = [
        "".join([_text(joints.get((row, column))) for column in range(-edge, columns + edge)])
        for row in range(-edge, rows + edge)
    ]
    around = Rect(-edge, -edge, columns + 2 * edge, rows + 2 * edge, 0.3, fill="floor")
    walls = Path(*_trains(joints), line="wall", thick=0.3)
    return Ground(
        rows, columns, LOOKS, (around, walls), "\n".join(lines).rstrip(), start=(edge, 2 * edge), margin=edge + 0.2
    )


def _joints(rows: int, columns: int, floor: Collection[int], edge: bool) -> Joints:
    """The lines that walls are drawn as.

    Two walls are joined where there is floor beside the joint; so the inside of thick walls stays empty, and has no
    entry. One that is joined to none has an entry all the same if there is floor beside it.
    """

    def is_floor(row: int, column: int) -> bool:
        return 0 <= row < rows and 0 <= column < columns and row * columns + column in floor

    def is_joined(row: int, column: int, down: int, right: int) -> bool:
        if is_floor(row + down, column + right):
            return False
        # Beside this cell and beside the next one, on both sides of the line between them.
        beside = ((row + i * down + j * right, column + i * right + j * down) for i in (0, 1) for j in (1, -1))
        return any(is_floor(*cell) for cell in beside)

    joints = {}
    for row in range(-edge, rows + edge):
        for column in range(-edge, columns + edge):
            if not is_floor(row, column):
                lines = [is_joined(row, column, down, right) for down, right in _STEPS]
                if any(lines) or any(is_floor(row + down, column + right) for down, right in _STEPS):
                    joints[row, column] = lines
    return joints


def _text(lines: list[bool] | None) -> str:
    if lines is None:
        return "  "
    if not any(lines):
        return "▪ "
    return _JOINTS[sum(1 << i for i, line in enumerate(lines) if line)] + ("─" if lines[1] else " ")


def _trains(joints: Joints) -> Iterable[list[Point]]:
    """The lines, each as long as it is straight, through the middles of cells; a wall alone is a point."""
    for (row, column), lines in joints.items():
        if not any(lines):
            yield [(column + 0.5, row + 0.5)] * 2
        for onward, back, (down, right) in ((1, 3, (0, 1)), (2, 0, (1, 0))):
            if lines[onward] and not lines[back]:
                length = 1
                while joints[row + length * down, column + length * right][onward]:
                    length += 1
                start = (column + 0.5, row + 0.5)
                yield [start, (start[0] + length * right, start[1] + length * down)]
