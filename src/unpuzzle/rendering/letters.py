"""The paint below the letters of a picture, for the law that all texts can be read.

Letters that are easy to read in the light theme may be lost in the dark one, and their maker sees one of the two.
`texts` paints a picture's shapes in their order and says of each text which paint lies below it; `contrast` in
`unpuzzle.rendering.themes` says whether that can be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from unpuzzle.drawing import Circle, Ground, Painted, Path, Piece, Pixels, Rect, Shape, Text
from unpuzzle.drawing.covering import surrounds

Placed = tuple[Shape, float, float]
"""A shape, and how far it is moved to the right and down."""

PAPER = "paper"
LEFT = 0.3
"""Where to look at a text that begins at a point, to meet a letter: so many of its heights to the right."""
REACH = 0.25
CROSS = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
"""The points of a letter to look at: its middle, and four points `REACH` of its heights beside, above and below."""


def texts(ground: Ground, pieces: Iterable[Piece]) -> Iterator[tuple[str, str, str]]:
    """Yield each text of a picture that is not painted over, with its role and a role that it lies on.

    Of five points of a letter at least two must lie on a role: less is a speck. Texts on `Pixels`, whose colours are
    the maker's own, are left out.
    """
    shapes = [(shape, x, y) for shape, y, x in ground.all_shapes(pieces)]
    for number, (shape, right, down) in enumerate(shapes):
        if not isinstance(shape, Text) or not shape.words.strip():
            continue
        middle = right + shape.x + LEFT * shape.size * shape.left, down + shape.y
        if any(covers(other, middle) for other in shapes[number + 1 :]):
            continue
        reach = REACH * shape.size
        roles = [_paint(shapes[:number], (middle[0] + x * reach, middle[1] + y * reach)) for x, y in CROSS]
        for role in dict.fromkeys(roles):
            if role is not None and roles.count(role) > 1:
                yield shape.words, shape.fill, role


def _paint(below: Sequence[Placed], point: tuple[float, float]) -> str | None:
    """Return the role that is seen at a point, or None where it has a colour of its own."""
    shape = next((placed[0] for placed in reversed(below) if covers(placed, point)), None)
    return PAPER if shape is None else shape.fill if isinstance(shape, Painted) else None


def covers(placed: Placed, point: tuple[float, float]) -> bool:
    """Return whether a shape is shapes at a point of the board."""
    shape, (x, y) = placed[0], (point[0] - placed[1], point[1] - placed[2])
    if not isinstance(shape, Pixels) and not (isinstance(shape, Painted) and shape.fill):
        return False
    if isinstance(shape, Rect | Pixels):
        return shape.x <= x <= shape.x + shape.width and shape.y <= y <= shape.y + shape.height
    if isinstance(shape, Circle):
        return (x - shape.x) ** 2 + (y - shape.y) ** 2 <= shape.radius**2
    return isinstance(shape, Path) and any(surrounds(train, x, y) for train in shape.trains)
