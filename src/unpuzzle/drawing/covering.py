"""Find the cells that the shapes of a piece cover, and the colours behind the texts of a picture.

Most looks cover one cell; a car of three cells is drawn as one shape that covers three.

Letters that are easy to read in the light theme may be unreadable in the dark one, and authors often see only one of
them. `texts` finds the paint below each text; `contrast` in `unpuzzle.rendering.themes` checks whether it is readable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from math import ceil, floor

from unpuzzle.drawing.picture import At, Circle, Ground, Look, Painted, Path, Piece, Pixels, Point, Rect, Shape, Text

Cell = tuple[int, int]
"""Rows down and columns to the right of the look's own cell."""
Placed = tuple[Shape, float, float]
"""A shape, and its offsets down and to the right."""
LEFT = 0.3
"""The offset to the right, in heights, of a point on a letter in a left-aligned text."""
REACH = 0.25
CROSS = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
"""The tested points of a letter: its middle, and four points `REACH` of its height beside, above and below."""


def covered(look: Look, looks: Mapping[str, Look]) -> list[Cell]:
    """Return the cells whose centre is inside a shape of `look`, sorted; the cell at the origin if there are none.

    Open lines count as the rectangle around them.
    """
    cells: set[Cell] = set()
    for shape in look.shapes:
        if isinstance(shape, At):
            inner = covered(looks[shape.look], looks)
            cells.update([(row + round(shape.row), column + round(shape.column)) for row, column in inner])
            continue
        frame = _frame(shape)
        area = frame if isinstance(shape, Path) and not shape.closed else shape
        columns = range(floor(frame.x), ceil(frame.x + frame.width))
        for row in range(floor(frame.y), ceil(frame.y + frame.height)):
            cells.update([(row, column) for column in columns if contains(area, column + 0.5, row + 0.5)])
    return sorted(cells) or [(0, 0)]


def _frame(shape: Shape) -> Rect | Pixels:
    """Return the bounding box of a shape; an empty rectangle for a shape without a size, such as a text."""
    match shape:
        case Rect() | Pixels():
            return shape
        case Circle():
            return Rect(shape.x - shape.radius, shape.y - shape.radius, 2 * shape.radius, 2 * shape.radius)
        case Path() if any(shape.trains):
            xs, ys = zip(*chain.from_iterable(shape.trains), strict=True)
            return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
    return Rect(0, 0, 0, 0)


def contains(shape: Shape, x: float, y: float) -> bool:
    """Return whether a point is inside a shape; the inside of a path follows from the even-odd rule."""
    match shape:
        case Rect() | Pixels():
            return shape.x <= x <= shape.x + shape.width and shape.y <= y <= shape.y + shape.height
        case Circle():
            return (x - shape.x) ** 2 + (y - shape.y) ** 2 <= shape.radius**2
        case Path():
            return sum(_crossings(train, x, y) for train in shape.trains if train) % 2 == 1
    return False


def _crossings(train: Sequence[Point], x: float, y: float) -> int:
    """Return how many sides of a polygon are crossed by the ray that runs to the right from a point."""
    return sum(
        (above > y) != (below > y) and x < (to - at) * (y - above) / (below - above) + at
        for (at, above), (to, below) in pairwise([*train, train[0]])
    )


def texts(ground: Ground, pieces: Iterable[Piece]) -> Iterator[tuple[str, str, str]]:
    """Yield (text, its colour role, colour role behind it) for each visible text of a picture.

    A role counts only if at least two of five points of a letter are on it: less is a speck. Texts on `Pixels`, with
    colours of the author's own, are left out.
    """
    shapes = list(ground.all_shapes(pieces))
    opaque = [(number, placed) for number, placed in enumerate(shapes) if _is_opaque(placed[0])]
    for number, (text, down, right) in enumerate(shapes):
        if not isinstance(text, Text) or not text.words.strip():
            continue
        x, y, reach = right + text.x + LEFT * text.size * text.left, down + text.y, REACH * text.size
        if any(_hides(placed, x, y) for at, placed in opaque if at > number):
            continue
        below = [placed for at, placed in opaque if at < number]
        roles = [_paint(below, x + across * reach, y + away * reach) for across, away in CROSS]
        for role in dict.fromkeys(roles):
            if role is not None and roles.count(role) > 1:
                yield text.words, text.fill, role


def _paint(below: Sequence[Placed], x: float, y: float) -> str | None:
    """Return the colour role that is visible at a point; None for a point on a bitmap."""
    shape = next((placed[0] for placed in reversed(below) if _hides(placed, x, y)), None)
    return "paper" if shape is None else shape.fill if isinstance(shape, Painted) else None


def _hides(placed: Placed, x: float, y: float) -> bool:
    """Return whether a shape covers a point of the board with an opaque colour, so that it hides lower shapes."""
    shape, down, right = placed
    return _is_opaque(shape) and contains(shape, x - right, y - down)


def _is_opaque(shape: Shape) -> bool:
    return isinstance(shape, Pixels) or (isinstance(shape, Painted) and bool(shape.fill))
