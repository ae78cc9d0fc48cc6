"""Which letters of a picture lie on what: the paint that is seen around the middle of each text.

Letters that are easy to read in the light theme may be lost in the dark one, and a maker looks at one of them. `texts`
paints a picture's shapes in their order and says of each text what lies below it; whether that can be read is
for `unpuzzle.rendering.themes.contrast` to say.
"""

from __future__ import annotations

from unpuzzle.drawing import At, Circle, Path, Pixels, Rect, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from unpuzzle.drawing import Ground, Look, Piece, Shape

    Placed = tuple[Shape, float, float]
    """A shape, and how far it is moved to the right and down."""

PAPER = "paper"
LEFT = 0.3
"""A text that begins at a point is looked at so many of its heights to the right of it, where a letter is."""
REACH = 0.25
CROSS = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
"""The points of a letter that are looked at: its middle, and those so many of its heights beside, above and below."""


def texts(ground: Ground, pieces: Iterable[Piece]) -> Iterator[tuple[str, str, str]]:
    """Yield each text of a picture with its role and a role that it lies on; not those that are painted over.

    Five points of a letter are looked at, and what is below one of them alone is a speck. Texts on `Pixels`, whose
    colours are the maker's own, are left out.
    """
    painted = list(_painted(ground, pieces))
    for number, (shape, right, down) in enumerate(painted):
        if not isinstance(shape, Text) or not shape.words.strip():
            continue
        middle = right + shape.x + LEFT * shape.size * shape.left, down + shape.y
        if any(covers(other, middle) for other in painted[number + 1 :]):
            continue
        reach = REACH * shape.size
        points = [(middle[0] + x * reach, middle[1] + y * reach) for x, y in CROSS]
        roles = [_paint(painted[:number], point) for point in points]
        for role in dict.fromkeys(roles):
            if role is not None and roles.count(role) > 1:
                yield shape.words, shape.fill, role


def _paint(below: Sequence[Placed], point: tuple[float, float]) -> str | None:
    """The role that is seen at a point; None where the last thing there has colours of its own."""
    shape = next((placed[0] for placed in reversed(below) if covers(placed, point)), None)
    return PAPER if shape is None else None if isinstance(shape, Pixels) else shape.fill


def _painted(ground: Ground, pieces: Iterable[Piece]) -> Iterator[Placed]:
    """All shapes in the order in which they are painted."""
    layers = ground.layers()
    yield from _flat(ground.shapes, ground.looks, 0, 0)
    for name, row, column, _ in sorted(pieces, key=lambda piece: layers[piece[0]]):
        yield from _flat(ground.looks[name].shapes, ground.looks, column, row)


def _flat(shapes: Iterable[Shape], looks: Mapping[str, Look], right: float, down: float) -> Iterator[Placed]:
    for shape in shapes:
        if isinstance(shape, At):
            yield from _flat(looks[shape.look].shapes, looks, right + shape.column, down + shape.row)
        else:
            yield shape, right, down


def covers(placed: Placed, point: tuple[float, float]) -> bool:
    """Return whether a shape is painted at a point of the board."""
    shape, (x, y) = placed[0], (point[0] - placed[1], point[1] - placed[2])
    if isinstance(shape, Pixels):
        return shape.x <= x <= shape.x + shape.width and shape.y <= y <= shape.y + shape.height
    if not shape.fill or isinstance(shape, Text):
        return False
    if isinstance(shape, Rect):
        return shape.x <= x <= shape.x + shape.width and shape.y <= y <= shape.y + shape.height
    if isinstance(shape, Circle):
        return (x - shape.x) ** 2 + (y - shape.y) ** 2 <= shape.radius**2
    return isinstance(shape, Path) and any(_inside(train, x, y) for train in shape.trains)


def _inside(train: tuple[tuple[float, float], ...], x: float, y: float) -> bool:
    """Whether a point is inside a train of lines: a ray from it to the right meets an odd number of them."""
    sides = zip(train, (*train[1:], train[0]), strict=True)
    crossed = [(a, b) for a, b in sides if (a[1] > y) != (b[1] > y)]
    return sum(x < a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) for a, b in crossed) % 2 == 1
