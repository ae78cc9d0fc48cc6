"""Colour roles, such as ink and paper, and shapes: five kinds are painted in roles, bitmaps in literal colours."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from math import isfinite
from numbers import Real

from unpuzzle.base.text import cut, shorten
from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record, RecordType

Point = tuple[float, float]
"""A place: x to the right, y down, in cells."""
Box = tuple[int, int, int, int]
"""Column, row, width and height, in pixels of a bitmap."""

ROLES = {
    "paper": "around the board",
    "floor": "the ground below pieces",
    "grid": "lines between cells",
    "wall": "cells that nothing can enter",
    "ink": "text and outlines on the floor",
    "edge": "outlines of tiles and of walls",
    "box": "things that are moved",
    "goal": "goal places of boxes, and the pieces that must get there",
    "hero": "the piece that walks",
    "face": "eyes, and things on a hero",
    "tile": "a tile, a disc, a lit lamp: large things, often with a label",
    "home": "a tile in its goal place",
    "label": "text on tiles",
    "food": "things to eat or to collect",
    "mark": "values that the player entered",
}
"""The use of each role; themes give each a colour."""

UPON: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("grid", "wall", "box", "goal", "hero", "food", "edge", "tile", "home"), ("floor",)),
    **dict.fromkeys(("ink", "mark"), ("floor", "paper")),
    "face": ("hero",),
    "label": ("tile", "home"),
}
"""By role, the roles that it may be on. Their colours must differ enough to be distinguished."""
WORDS = ("ink", "mark", "label")
"""The roles for text."""
COLOUR = re.compile("#[0-9a-f]{6}")


def require_sound(part: Any) -> None:
    """Raise ValueError for an invalid attribute, because drawing would fail later with an unclear error."""
    for name, (sound, noun) in _checks(part.__class__).items():
        if not sound(value := getattr(part, name)):
            takes = ", ".join(part.__match_args__)
            raise ValueError(f"{type(part).__name__}({takes}): {name} is {cut(repr(value), 60)}, not {noun}")


@cache
def _checks(kind: RecordType) -> dict[str, _Check]:
    """Return the checks for the attributes of a class; each check is chosen by name or else by annotation."""
    kinds = kind._kinds.items()
    checks = {name: _BY_NAME.get(name) or _BY_ANNOTATION.get(annotation) for name, annotation in kinds}
    return {name: check for name, check in checks.items() if check}


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and isfinite(value)


def _is_pair(value: Any) -> bool:
    return isinstance(value, Sequence) and len(value) == 2 and all(map(_is_number, value))


def _are_shapes(values: object) -> bool:
    return isinstance(values, Sequence) and all(isinstance(value, Shape) for value in values)


_Check = tuple[Callable[[Any], bool], str]
_ROLE: _Check = (lambda role: role in ("", *ROLES), f"a role: the roles are {', '.join(ROLES)}")
_BY_NAME: dict[str, _Check] = {
    **dict.fromkeys(
        ("width", "height", "radius", "size", "thick", "columns", "margin", "grain"),
        (lambda value: _is_number(value) and value >= 0, "a number, 0 or more"),
    ),
    **dict.fromkeys(("fill", "line", "role"), _ROLE),
}
_BY_ANNOTATION: dict[str, _Check] = {
    "float": (_is_number, "a number"),
    "str": (lambda value: isinstance(value, str), "a text"),
    "Sequence[str]": (lambda value: isinstance(value, Sequence) and not isinstance(value, str), "texts"),
    "bool": (lambda value: isinstance(value, bool), "True or False"),
    **dict.fromkeys(("tuple[float, float]", "tuple[int, int]"), (_is_pair, "two numbers")),
    **dict.fromkeys(("tuple[Shape, ...]", "Sequence[Shape]"), (_are_shapes, "shapes")),
    "tuple[tuple[Point, ...], ...]": (
        lambda trains: all(isinstance(train, tuple) and all(map(_is_pair, train)) for train in trains),
        "trains such as [(0, 0), (1, 0.5)]",
    ),
    "Mapping[str, Look]": (lambda looks: isinstance(looks, Mapping), "a mapping from names to looks"),
}
"""The tests of attributes, each with a description of valid values."""


class Shape(Record):
    """The base class of all shapes."""

    @property
    def roles(self) -> tuple[str, str]:
        """The roles of the inside and of the outline; "" for an unpainted part."""
        return "", ""

    def _require_sense(self) -> None:
        require_sound(self)


class Painted(Shape, kw_only=True):
    """A shape painted in colour roles: the inside in `fill`, the outline in `line`, which is `thick` cells thick.

    An empty role is not painted.
    """

    fill: str = ""
    line: str = ""
    thick: float = 0.05

    @property
    def roles(self) -> tuple[str, str]:
        return self.fill, self.line


class Rect(Painted):
    """A rectangle: its upper left corner, its size, and the radius of its round corners."""

    x: float
    y: float
    width: float
    height: float
    radius: float = 0


class Circle(Painted):
    """A circle around a point."""

    x: float
    y: float
    radius: float


class Path(Painted):
    """Sequences of straight lines between points (x, y); if `closed`, each sequence returns to its start."""

    trains: tuple[tuple[Point, ...], ...]
    closed: bool = False

    def __init__(self, *trains: Iterable[Point], closed: bool = False, **paint: Any) -> None:
        """Make a path from sequences of points, one per argument; `paint` is `fill`, `line` and `thick`."""
        taken = [tuple(train) if isinstance(train, Iterable) else train for train in trains]
        Record.__init__(self, tuple([train for train in taken if train != ()]), closed, **paint)


class Text(Shape):
    """Words in letters of height `size`, painted in the colour role `fill`.

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


class At(Shape):
    """A shape that paints all shapes of an appearance in the given cell."""

    row: float
    column: float
    look: str


class Pixels(Shape):
    """A bitmap in literal colours, which no theme changes.

    Its `rows` contain colours such as `#9d9d9d`; "" is transparent. It fills a rectangle, by default the unit square.
    """

    rows: Sequence[Sequence[str]]
    x: float = 0
    y: float = 0
    width: float = 1
    height: float = 1

    def _require_sense(self) -> None:
        super()._require_sense()
        rows = tuple([tuple(row) for row in self.rows])
        object.__setattr__(self, "rows", rows)
        if not rows or len({len(row) for row in rows}) != 1 or not rows[0]:
            raise ValueError("the rows of a bitmap must be equally long, with at least one pixel")
        for colour in dict.fromkeys(colour for row in rows for colour in row if colour):
            if not COLOUR.fullmatch(colour):
                raise ValueError(f"{shorten(colour)} is not a colour such as #9d9d9d")

    def boxes(self) -> dict[str, list[Box]]:
        """Return, for each colour, disjoint rectangles that cover its pixels in the bitmap.

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
    """Yield the stretches of one colour in a row of pixels: start, length and colour."""
    start = 0
    for colour, run in groupby(row):
        length = len([*run])
        if colour:
            yield start, length, colour
        start += length
