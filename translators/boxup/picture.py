"""Boxup's picture: boxes are frames without their open side; the goal pair has double lines; `@` is the mover.

┌─────┐      a large box open to the east, in it the marked small box,
│╔   ╗       open to the north, in it the mover
│║ @ ║
│╚═══╝
└─────┘
"""

from __future__ import annotations

from functools import lru_cache

from unpuzzle.drawing import COVER, At, Circle, Ground, Look, Path, Rect, Shape
from unpuzzle.translators.boxup.board import NAMES, BoxupBoard

_WIDTH, _HEIGHT = 7, 5
_SINGLE, _DOUBLE = "─│┌┐└┘", "═║╔╗╚╝"

MOVER = Look(
    Circle(0.5, 0.5, 0.14, fill="hero", line="ink", thick=0.03),
    Circle(0.45, 0.47, 0.026, fill="face"),
    Circle(0.55, 0.47, 0.026, fill="face"),
    Path([(0.45, 0.55), (0.5, 0.575), (0.55, 0.55)], line="face", thick=0.025),
    text="\n\n   @",
    role="hero",
    label="the mover",
)
FLOOR = Look(Rect(0.03, 0.03, 0.94, 0.94, 0.06, fill="floor", line="grid", thick=0.02))
WALL = Look(Rect(0.03, 0.03, 0.94, 0.94, 0.06, fill="wall"))


@lru_cache(maxsize=64)
def ground(board: BoxupBoard) -> Ground:
    """Return the board without boxes and mover, and the looks of its kinds of boxes."""
    cells = [(cell, *divmod(cell, board.columns)) for cell in range(board.rows * board.columns)]
    shapes = [At(row, column, "#" if cell in board.walls else ".") for cell, row, column in cells]
    boxes = {box: _box(box) for box in sorted(board.kinds, key=str.islower)}  # large ones below
    looks = {".": FLOOR, "#": WALL, **boxes, "@": MOVER}
    return Ground(board.rows, board.columns, looks, shapes, _text(board), (5, 8), (1, 2))


def _box(box: str) -> Look:
    """Return a frame with a gap, drawn from one corner of the open side round to the other."""
    near = 0.12 if box.isupper() else 0.28
    far = 1 - near
    corners = [(near, near), (far, near), (far, far), (near, far)]  # clockwise from the upper left one
    first = "NESW".index(box[0].upper()) + 1
    train = [corners[(first + turn) % 4] for turn in range(4)]
    marked = box.endswith("!")
    role = "goal" if marked else "box"
    shapes: list[Shape] = [Path(train, line=role, thick=0.13 if marked else 0.09)]
    if marked:
        shapes.append(Path(train, line="floor", thick=0.04))
    size = "large" if box.isupper() else "small"
    label = f"{'marked ' * marked}{size} box, open to the {NAMES[box[0].upper()]}"
    return Look(*shapes, text=_frame(box, int(size == "small")), role=role, label=label)


def _text(board: BoxupBoard) -> str:
    wall = ["█" * _WIDTH] * _HEIGHT
    floor = [" " * _WIDTH if line != _HEIGHT // 2 else "·".center(_WIDTH) for line in range(_HEIGHT)]
    rule = "─" * ((_WIDTH + 1) * board.columns + 1)
    lines = [f"╭{rule}╮"]
    for start in range(0, board.rows * board.columns, board.columns):
        blocks = [wall if cell in board.walls else floor for cell in range(start, start + board.columns)]
        lines += ["│ " + " ".join(parts) + " │" for parts in zip(*blocks, strict=True)]
    return "\n".join([*lines, f"╰{rule}╯"])


def _frame(box: str, margin: int) -> str:
    """Return the outline of a box, `margin` from the cell's edge; its open side has only corners."""
    lines = _DOUBLE if box.endswith("!") else _SINGLE
    flat, upright, corners = lines[0], lines[1], lines[2:]
    side, inside = box[0].upper(), _WIDTH - 2 - 2 * margin
    sides = {
        open_to: COVER if open_to == side else line
        for open_to, line in zip("NSWE", flat * 2 + upright * 2, strict=True)
    }
    middle = [sides["W"] + COVER * inside + sides["E"]] * (_HEIGHT - 2 - 2 * margin)
    top, bottom = (corners[i] + sides[end] * inside + corners[i + 1] for i, end in ((0, "N"), (2, "S")))
    return "\n" * margin + "\n".join([" " * margin + line for line in (top, *middle, bottom)])
