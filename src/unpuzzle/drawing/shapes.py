"""The roles of paint, and the shapes: five are painted in roles, and bitmaps in colours of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from itertools import groupby
from math import isfinite
from numbers import Real
from typing import Any

from unpuzzle.words import cut, shorten

Point = tuple[float, float]
"""A place: x to the right, y down, in cells."""
Box = tuple[int, int, int, int]
"""Column, row, width and height, in pixels of a bitmap."""

ROLES = {
    "paper": "around the board",
    "floor": "what pieces stand on",
    "grid": "lines between cells",
    "wall": "what nothing can enter",
    "ink": "text and outlines on the floor",
    "edge": "outlines of tiles and of walls",
    "box": "things that are moved",
    "goal": "where they are to go, and what must get there",
    "hero": "who walks",
    "face": "eyes, and what lies on a hero",
    "tile": "a tile, a disc, a lit lamp: large things, often with a label",
    "home": "such a thing where it belongs",
    "label": "text on tiles",
    "food": "what is to be eaten or collected",
    "mark": "what was entered by the player",
}
"""The use of each role; themes give each a colour."""

UPON: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("grid", "wall", "box", "goal", "hero", "food", "edge", "tile", "home"), ("floor",)),
    **dict.fromkeys(("ink", "mark"), ("floor", "paper")),
    "face": ("hero",),
    "label": ("tile", "home"),
}
"""By role, the roles that it may lie on. Their colours must differ enough to tell them apart."""
WORDS = ("ink", "mark", "label")
"""The roles for text."""
COLOUR = re.compile("#[0-9a-f]{6}")
SIZES = ("width", "height", "radius", "size", "thick")
"""The attributes of shapes that are 0 or more."""
_KINDS = {"float": (Real, "a number"), "str": (str, "a text"), "bool": (bool, "True or False")}
"""By annotation of an attribute, the class of its values, and its name in messages."""


def require_role(role: object) -> None:
    """Raise ValueError for what is not a role, nor empty."""
    if role != "" and role not in ROLES:
        raise ValueError(f"{cut(repr(role), 60)} is not a role: the roles are {', '.join(ROLES)}")


def is_number(value: object) -> bool:
    return isinstance(value, Real) and isfinite(value)


@cache
def _checked(shape: type[Shape]) -> list[tuple[str, type, str]]:
    """Return the attributes of a class of shapes that are plain values, each with the class of its values."""
    return [(field.name, *_KINDS[str(field.type)]) for field in fields(shape) if str(field.type) in _KINDS]


@dataclass(frozen=True, slots=True)
class Shape:
    """The base class of all shapes."""

    @property
    def roles(self) -> tuple[str, str]:
        """The roles of the inside and of the outline; "" for an unpainted part."""
        return "", ""

    def __post_init__(self) -> None:
        """Raise ValueError for a wrong argument, which would break a picture far from the line that is to blame."""
        for name, kind, noun in _checked(type(self)):
            value = getattr(self, name)
            if not (is_number(value) if kind is Real else isinstance(value, kind)):
                takes = ", ".join([field.name for field in fields(self) if not field.kw_only])
                raise ValueError(f"{type(self).__name__}({takes}): {name} is {cut(repr(value), 60)}, not {noun}")
            if name in SIZES and value < 0:
                raise ValueError(f"{type(self).__name__}: {name} is {value}, which is less than 0")
        for role in self.roles:
            require_role(role)


@dataclass(frozen=True, slots=True, kw_only=True)
class Painted(Shape):
    """A shape painted in roles: its inside in `fill`, its outline in `line`, which is `thick` cells thick.

    An empty role is not painted.
    """

    fill: str = ""
    line: str = ""
    thick: float = 0.05

    @property
    def roles(self) -> tuple[str, str]:
        return self.fill, self.line


@dataclass(frozen=True, slots=True)
class Rect(Painted):
    """A rectangle: its upper left corner, its size, and the radius of its round corners."""

    x: float
    y: float
    width: float
    height: float
    radius: float = 0


@dataclass(frozen=True, slots=True)
class Circle(Painted):
    """A circle around a point."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True, init=False)
class Path(Painted):
    """Trains of straight lines from point to point (x, y); a closed train ends where it begins."""

    trains: tuple[tuple[Point, ...], ...]
    closed: bool = False

    def __init__(self, *trains: Iterable[Point], closed: bool = False, **paint: Any) -> None:
        """Take the trains one by one; `paint` is `fill`, `line` and `thick`."""
        try:
            taken = [tuple(train) for train in trains]
            sound = all([len(point) == 2 and all(map(is_number, point)) for train in taken for point in train])
        except TypeError:
            sound = False
        if not sound:
            raise ValueError(f"Path takes trains such as [(0, 0), (1, 0.5)], not {cut(repr(trains), 60)}")
        object.__setattr__(self, "trains", tuple([train for train in taken if train]))
        object.__setattr__(self, "closed", closed)
        Painted.__init__(self, **paint)


@dataclass(frozen=True, slots=True)
class Text(Shape):
    """Words in letters that are `size` high, painted in the role `fill`.

    Their middle is at the point (x, y) or, with `left`, the middle of their left edge.
    """

    x: float
    y: float
    words: str
    size: float
    fill: str = "ink"
    left: bool = False

    @property
    def roles(self) -> tuple[str, str]:
        return self.fill, ""


@dataclass(frozen=True, slots=True)
class At(Shape):
    """A look, painted in a cell."""

    row: float
    column: float
    look: str


@dataclass(frozen=True, slots=True)
class Pixels(Shape):
    """A bitmap in colours of its own, which no theme changes.

    Its `rows` hold colours such as `#9d9d9d`; "" is transparent. It fills a rectangle, by default the unit square.
    """

    rows: Sequence[Sequence[str]]
    x: float = 0
    y: float = 0
    width: float = 1
    height: float = 1

    def __post_init__(self) -> None:
        Shape.__post_init__(self)
        rows = tuple([tuple(row) for row in self.rows])
        object.__setattr__(self, "rows", rows)
        if not rows or len({len(row) for row in rows}) != 1 or not rows[0]:
            raise ValueError("the rows of a bitmap are equally long, and there is at least one pixel")
        for colour in {colour for row in rows for colour in row if colour}:
            if not COLOUR.fullmatch(colour):
                raise ValueError(f"{shorten(colour)} is not a colour such as #9d9d9d")

    def boxes(self) -> dict[str, list[Box]]:
        """Return disjoint rectangles that cover the bitmap, by colour.

        Neighbouring pixels of one colour in a row are one rectangle, together with equally wide ones right below them.
        """
        boxes: dict[str, list[Box]] = {}
        open_runs: dict[tuple[int, int, str], int] = {}
        for number, row in enumerate((*self.rows, ())):
            runs = set(_runs(row))
            for run in sorted(open_runs.keys() - runs):
                column, width, colour = run
                top = open_runs.pop(run)
                boxes.setdefault(colour, []).append((column, top, width, number - top))
            for run in runs - open_runs.keys():
                open_runs[run] = number
        return dict(sorted(boxes.items()))


def _runs(row: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield the stretches of one colour in a row: the start, the length and the colour."""
    start = 0
    for colour, run in groupby(row):
        length = len([*run])
        if colour:
            yield start, length, colour
        start += length
