"""Roles of paint, the five primitives that are painted in them, and pixels, which bring colours of their own."""

from __future__ import annotations

from unpuzzle.words import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    Point = tuple[float, float]

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

UPON = {
    **dict.fromkeys(("grid", "wall", "box", "goal", "hero", "food", "edge", "tile", "home"), ("floor",)),
    **dict.fromkeys(("ink", "mark"), ("floor", "paper")),
    "face": ("hero",),
    "label": ("tile", "home"),
}
"""What a role may lie on, and must be told from."""
WORDS = ("ink", "mark", "label")
"""The roles that text is written in."""


class Value:
    """What is equal where all attributes are."""

    __slots__ = ()

    def _key(self) -> tuple[object, ...]:
        return tuple([getattr(self, name) for kind in type(self).__mro__ for name in getattr(kind, "__slots__", ())])

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is type(self) and self._key() == other._key())

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._key()!r}"


class Shape(Value):
    """Painted inside in the role `fill`, outlined in the role `line`, `thick` cells thick; "" is not at all."""

    __slots__ = ("fill", "line", "thick")

    def __init__(self, fill: str = "", line: str = "", thick: float = 0.05) -> None:
        for role in (fill, line):
            if role and role not in ROLES:
                raise ValueError(f"{shorten(role)} is not a role: they are {', '.join(ROLES)}")
        self.fill = fill
        self.line = line
        self.thick = thick


class Rect(Shape):
    """A rectangle: its upper left corner, its size, the radius of its corners."""

    __slots__ = ("height", "radius", "width", "x", "y")

    def __init__(self, x: float, y: float, width: float, height: float, radius: float = 0, **paint: Any) -> None:
        super().__init__(**paint)
        self.x, self.y, self.width, self.height, self.radius = x, y, width, height, radius


class Circle(Shape):
    """A circle around a point."""

    __slots__ = ("radius", "x", "y")

    def __init__(self, x: float, y: float, radius: float, **paint: Any) -> None:
        super().__init__(**paint)
        self.x, self.y, self.radius = x, y, radius


class Path(Shape):
    """Trains of straight lines from point to point (x, y); a closed one ends where it begins."""

    __slots__ = ("closed", "trains")

    def __init__(self, *trains: Iterable[Point], closed: bool = False, **paint: Any) -> None:
        super().__init__(**paint)
        self.trains = tuple([tuple(train) for train in trains])
        self.closed = closed


class Text(Shape):
    """Words whose middle is at a point, in letters that are `size` high; painted in the role `fill`.

    With `left`, their left edge is there.
    """

    __slots__ = ("left", "size", "words", "x", "y")

    def __init__(self, x: float, y: float, words: str, size: float, fill: str = "ink", left: bool = False) -> None:
        super().__init__(fill)
        self.left = left
        self.x, self.y, self.words, self.size = x, y, words, size


class At(Shape):
    """A look, in a cell."""

    __slots__ = ("column", "look", "row")

    def __init__(self, row: float, column: float, look: str) -> None:
        super().__init__()
        self.row, self.column, self.look = row, column, look


class Pixels(Shape):
    """A bitmap in colours of its own: `rows` of colours, `#rrggbb`, or "" where what is below is seen.

    It fills a rectangle, by default the unit square. A theme does not change it.
    """

    __slots__ = ("height", "rows", "width", "x", "y")

    def __init__(
        self, rows: Iterable[Iterable[str]], x: float = 0, y: float = 0, width: float = 1, height: float = 1
    ) -> None:
        super().__init__()
        self.rows = tuple([tuple(row) for row in rows])
        self.x, self.y, self.width, self.height = x, y, width, height
        if not self.rows or len({len(row) for row in self.rows}) != 1 or not self.rows[0]:
            raise ValueError("the rows of a bitmap are equally long, and there is at least one pixel")
        for colour in {colour for row in self.rows for colour in row if colour}:
            if not _is_colour(colour):
                raise ValueError(f"{shorten(colour)} is not a colour such as #9d9d9d")

    def runs(self) -> dict[str, list[tuple[int, int, int, int]]]:
        """By colour, as few rectangles as equal runs below each other make: column, row, width and height, in pixels.

        No two of them overlap.
        """
        found: dict[str, list[tuple[int, int, int, int]]] = {}
        open_runs: dict[tuple[int, int, str], int] = {}
        for number, row in enumerate((*self.rows, ())):
            runs = set(_runs(row))
            for run in sorted(open_runs.keys() - runs):
                column, width, colour = run
                top = open_runs.pop(run)
                found.setdefault(colour, []).append((column, top, width, number - top))
            for run in runs - open_runs.keys():
                open_runs[run] = number
        return dict(sorted(found.items()))


def _runs(row: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Where pixels of one colour begin in a row, how many there are, and their colour."""
    start = 0
    for column in range(1, len(row) + 1):
        if column == len(row) or row[column] != row[start]:
            if row[start]:
                yield start, column - start, row[start]
            start = column


def _is_colour(text: str) -> bool:
    return len(text) == 7 and text[0] == "#" and set(text[1:]) <= set("0123456789abcdef")
