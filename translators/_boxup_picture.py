"""Boxup as a picture: boxes are frames without their open side; the goal pair has double lines; `@` is the mover.

    ┌─────┐   a large box open to the east,
    │╔ ╗       in it the marked small box, open
    ...
"""

from __future__ import annotations

WIDTH, HEIGHT = 7, 5
_LINES = {False: "─│┌┐└┘", True: "═║╔╗╚╝"}


def picture(cells: list[tuple[str, str, bool, bool]], columns: int) -> str:
    """Cells, row by row, as (large, small, mover?, wall?)."""
    return "x"
