"""The cells that a look covers. Most looks cover one; a car of three cells is drawn as one shape that covers three."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, floor

from unpuzzle.drawing.parts import Look
from unpuzzle.drawing.shapes import At, Circle, Path, Pixels, Point, Rect, Shape

Cell = tuple[int, int]
"""Rows down and columns to the right of the cell in which the look is put."""


def covered(look: Look, looks: Mapping[str, Look]) -> list[Cell]:
    """Return the cells whose middle lies in a shape of a look, by rows; without any, the look's own cell."""
    cells = {cell for shape in look.shapes for cell in _cells(shape, looks)}
    return sorted(cells) or [(0, 0)]


def _cells(shape: Shape, looks: Mapping[str, Look]) -> Iterator[Cell]:
    if isinstance(shape, At):
        for row, column in covered(looks[shape.look], looks):
            yield row + round(shape.row), column + round(shape.column)
    elif isinstance(shape, Rect | Pixels):
        yield from _middles(shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)
    elif isinstance(shape, Circle):
        x, y, radius = shape.x, shape.y, shape.radius
        for row, column in _middles(x - radius, y - radius, x + radius, y + radius):
            if (column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2 <= radius**2:
                yield row, column
    elif isinstance(shape, Path) and any(shape.trains):  # inside if it is closed, else in the rectangle around it
        xs, ys = zip(*[point for train in shape.trains for point in train], strict=True)
        for row, column in _middles(min(xs), min(ys), max(xs), max(ys)):
            if not shape.closed or sum(surrounds(train, column + 0.5, row + 0.5) for train in shape.trains) % 2:
                yield row, column


def _middles(left: float, top: float, right: float, bottom: float) -> Iterable[Cell]:
    """Return the cells whose middle lies in a rectangle."""
    rows, columns = (range(ceil(low - 0.5), floor(high - 0.5) + 1) for low, high in ((top, bottom), (left, right)))
    return [(row, column) for row in rows for column in columns]


def surrounds(train: Sequence[Point], x: float, y: float) -> bool:
    """Return whether a closed train of lines surrounds a point: a ray from there crosses it an odd number of times."""
    sides = pairwise([*train, train[0]])
    crossings = sum(
        (above > y) != (below > y) and x < (to - at) * (y - above) / (below - above) + at
        for (at, above), (to, below) in sides
    )
    return crossings % 2 == 1
