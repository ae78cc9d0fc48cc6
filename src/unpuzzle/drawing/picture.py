"""Pictures: shapes in colour roles, the looks of pieces, the fixed ground, and their output in a terminal.

Five kinds of shapes are painted in roles such as ink and paper, bitmaps in literal colours. In a terminal, pictures are
made of characters that cover each other, and bitmaps of half blocks: characters that show two pixels, one above the
other. Their colours have 24 bits if the terminal supports them (according to `COLORTERM`); otherwise each is the
nearest of the 216 in the cube of 256-colour terminals.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from math import isfinite
from numbers import Real

from unpuzzle.base.text import cut, shorten, suggestion
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
Piece = tuple[str, float, float, str]
"""A part that moves change: the name of a look, a row, a column, and a kind."""
NARROW = 0.6
"""The width of a character of height 1."""
Line = list[tuple[str, str]]
"""Characters, each with its role."""

COVER = "\u00a0"
"""In the text of a look: a blank that hides the characters below. A plain blank is transparent."""

ANSI = {"wall": 90, "grid": 90, "box": 33, "goal": 32, "hero": 95, "tile": 94, "home": 32, "food": 33, "mark": 36}
"""The colour of each role, one of the sixteen of a terminal. Other roles have the colour of the terminal's text."""
RESET = "\033[0m"
CUBE = (0, 95, 135, 175, 215, 255)
"""The brightness of the six levels of red, green and blue in the colour cube."""
UPPER, LOWER = "▀", "▄"


def require_sound(part: Any) -> None:
    """Raise ValueError for an invalid attribute of a shape, look or ground."""
    for name, (sound, noun) in _checks(part.__class__).items():
        if not sound(value := getattr(part, name)):
            takes = ", ".join(part.__match_args__)
            raise ValueError(f"{type(part).__name__}({takes}): {name} is {cut(repr(value), 60)}, not {noun}")


@cache
def _checks(kind: RecordType) -> dict[str, _Check]:
    """Return the checks for the attributes of a class, found by the attribute's name or annotation."""
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
    """The base class of the shapes of which pictures consist, such as rectangles, circles and texts."""

    @property
    def roles(self) -> tuple[str, str]:
        """The colour roles of the inside and the outline; an empty text for an unpainted part."""
        return "", ""

    def _require_sense(self) -> None:
        require_sound(self)


class Painted(Shape, kw_only=True):
    """The base class of shapes whose inside has the colour role `fill` and whose outline has the colour role `line`.

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
    """Connected straight lines between points (x, y), in one or more sequences; closed to polygons if `closed`."""

    trains: tuple[tuple[Point, ...], ...]
    closed: bool = False

    def __init__(self, *trains: Iterable[Point], closed: bool = False, **paint: Any) -> None:
        """Make a path from sequences of points; `paint` sets the fields `fill`, `line` and `thick`."""
        taken = [tuple(train) if isinstance(train, Iterable) else train for train in trains]
        Record.__init__(self, tuple([train for train in taken if train != ()]), closed, **paint)


class Text(Shape):
    """A line of text; `size` is the height of the letters, `fill` the colour role.

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
    """A shape that shows a look (a named image of a piece) at a row and column."""

    row: float
    column: float
    look: str


class Pixels(Shape):
    """A bitmap in fixed colours, which do not change with the theme.

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
        """Return, for each colour, disjoint rectangles that cover the pixels of this colour.

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
    """Yield each run of equal colour in a row of pixels as (start, length, colour), without transparent pixels."""
    start = 0
    for colour, run in groupby(row):
        length = len([*run])
        if colour:
            yield start, length, colour
        start += length


class Look(Record):
    """How a piece looks: shapes in the unit square, and a text for terminals.

    The text has one or more lines, in the colour of a `role`. The `label` is a few words for people who cannot see it.
    """

    shapes: tuple[Shape, ...]
    text: str
    role: str
    label: str

    def __init__(self, *shapes: Shape, text: str = "", role: str = "ink", label: str = "") -> None:
        """Make a look from shapes, each given as one argument."""
        Record.__init__(self, shapes, text, role, label)

    def _require_sense(self) -> None:
        require_sound(self)


class Ground(Record):
    """The part of a picture that no move changes.

    Attributes:
        rows, columns: the size of the board, in cells.
        looks: by name, in the order of painting.
        shapes: painted before all pieces, in the coordinates of the board.
        text: a terminal's picture without any piece, in the colour of `role`. Its lines may end early.
        step: the lines and characters of a cell in the text.
        start: the line and the character, from 0, at which the first cell begins.
        places: by row and column of a cell its line and character, if `step` and `start` do not determine them.
        margin: the visible paper around the board, in cells.
        grain: the pixels of the side of a cell, if all looks are `Pixels`; else 0.
        aims: the goals in words, for people who cannot see them; by default the looks in the role `goal` that are on
            the board, each with its place.
    """

    rows: float
    columns: float
    looks: Mapping[str, Look]
    shapes: Sequence[Shape] = ()
    text: str = ""
    step: tuple[float, float] = (1, 2)
    start: tuple[int, int] = (0, 0)
    role: str = "wall"
    margin: float = 0.2
    places: Mapping[tuple[float, float], tuple[int, int]] | None = None
    grain: int = 0
    aims: Sequence[str] = ()

    def _require_sense(self) -> None:
        require_sound(self)
        self._require_looks([*self.shapes, *[At(0, 0, name) for name in self.looks]])
        object.__setattr__(self, "shapes", tuple(self.shapes))
        on_board = [shape for shape in self.shapes if isinstance(shape, At) and shape.look in self.looks]
        goals = [(self.looks[at.look], at) for at in on_board if self.looks[at.look].role == "goal"]
        aims = [
            f"{look.label} in row {int(at.row) + 1}, column {int(at.column) + 1}" for look, at in goals if look.label
        ]
        object.__setattr__(self, "aims", tuple(self.aims) or tuple(aims))

    def _require_looks(self, shapes: Iterable[Shape], outer: tuple[str, ...] = ()) -> None:
        """Raise ValueError for a look that is not defined or that contains itself."""
        for at in [shape for shape in shapes if isinstance(shape, At)]:
            if not isinstance(look := self.looks.get(at.look), Look):
                wrong = f"looks[{at.look!r}] is {cut(repr(look), 60)}, not a Look"
                known = f"there is no look {at.look!r}{suggestion(at.look, self.looks)}"
                raise ValueError(f"Ground: {wrong if at.look in self.looks else known}")
            if at.look in outer:
                raise ValueError(f"Ground: the look {at.look!r} contains itself: leave out the inner one")
            self._require_looks(look.shapes, (*outer, at.look))

    def layers(self) -> Mapping[str, int]:
        """Return the number of each look in the order of painting; a look with a higher number is painted later."""
        return {name: layer for layer, name in enumerate(self.looks)}

    def in_order(self, pieces: Iterable[Piece]) -> list[Piece]:
        """Return pieces in the order of painting, the bottom piece first."""
        layers = self.layers()
        return sorted(pieces, key=lambda piece: layers[piece[0]])

    def all_shapes(self, pieces: Iterable[Piece]) -> Iterator[tuple[Shape, float, float]]:
        """Yield the shapes of a picture in the order of painting, each with the row and column of the cell."""
        yield from self._flat(self.shapes, 0, 0)
        for look, row, column, _ in self.in_order(pieces):
            yield from self._flat(self.looks[look].shapes, row, column)

    def _flat(self, shapes: Iterable[Shape], row: float, column: float) -> Iterator[tuple[Shape, float, float]]:
        for shape in shapes:
            if isinstance(shape, At):
                yield from self._flat(self.looks[shape.look].shapes, row + shape.row, column + shape.column)
            else:
                yield shape, row, column


def plain(text: str) -> tuple[Ground, Sequence[Piece]]:
    """Return a text as a picture, in which each character is a piece."""
    lines = text.expandtabs().rstrip("\n").split("\n")
    cells = [(symbol, row, column) for row, line in enumerate(lines) for column, symbol in enumerate(line)]
    pieces = [(symbol, row, column * NARROW, symbol) for symbol, row, column in cells if not symbol.isspace()]
    symbols = dict.fromkeys(look for look, *_ in pieces)
    looks = {each: Look(Text(NARROW / 2, 0.5, each, 0.8), text=each, label=each) for each in symbols}
    return Ground(len(lines), max(map(len, lines)) * NARROW, looks, step=(1, 1 / NARROW)), pieces


def terminal(ground: Ground, pieces: Iterable[Piece], colours: bool = False) -> str:
    """Return a picture as lines of text; `colours` adds escape sequences for colours."""
    lines = [[(symbol, ground.role) for symbol in line] for line in ground.text.split("\n")]
    for name, row, column, _ in ground.in_order(pieces):
        if ground.places:
            place = ground.places[row, column]
        else:
            place = ground.start[0] + round(row * ground.step[0]), ground.start[1] + round(column * ground.step[1])
        _write(lines, ground.looks[name], *place)
    texts = [_coloured(line) if colours else "".join([symbol for symbol, _ in line]) for line in lines]
    return "\n".join([text.rstrip() for text in texts])


def _write(lines: list[Line], look: Look, down: int, right: int) -> None:
    """Write the text of a look into lines; blanks of the text leave the lines unchanged."""
    for number, text in enumerate(look.text.split("\n"), down):
        lines += [[] for _ in range(number + 1 - len(lines))]
        line = lines[number]
        line += [(" ", "")] * (right + len(text) - len(line))
        for place, symbol in enumerate(text, right):
            if symbol != " ":
                line[place] = (" " if symbol == COVER else symbol), look.role


def _coloured(line: Line) -> str:
    """Return a line with escape sequences where the colour changes."""
    parts, now = [], 0
    for symbol, role in line:
        code = now if symbol == " " else ANSI.get(role, 0)
        parts += [f"\033[{code}m{symbol}" if code != now else symbol]
        now = code
    return "".join(parts).rstrip() + ("\033[0m" if now else "")


def blocks(ground: Ground, pieces: Iterable[Piece], full: bool = True) -> str:
    """Return a picture of bitmaps as lines of half-block characters; with `full`, in 24-bit colours."""
    width, height = round(ground.columns * ground.grain), round(ground.rows * ground.grain)
    rows = [[""] * width for _ in range(height + height % 2)]
    for shape, row, column in ground.all_shapes(pieces):
        if isinstance(shape, Pixels):
            _put(rows[:height], shape, row + shape.y, column + shape.x, ground.grain)
    return "\n".join([_line(rows[number], rows[number + 1], full) for number in range(0, height, 2)])


def _put(rows: list[list[str]], bitmap: Pixels, y: float, x: float, grain: int) -> None:
    """Copy the colours of a bitmap into rows of pixels."""
    top, left = round(y * grain), round(x * grain)
    down = max(round(bitmap.height * grain) // len(bitmap.rows), 1)
    across = max(round(bitmap.width * grain) // len(bitmap.rows[0]), 1)
    for colour, boxes in bitmap.boxes().items():
        for column, row, width, height in boxes:
            start, end = left + column * across, left + (column + width) * across
            for line in rows[top + row * down : top + (row + height) * down]:
                line[start:end] = [colour] * len(line[start:end])


def _line(above: list[str], below: list[str], full: bool) -> str:
    """Return two rows of pixels as one line of half blocks, with escape sequences where the colours change."""
    parts, now = [], ("", "")
    for pair in zip(above, below, strict=True):
        if pair != now:
            upper, lower = pair  # a half block in one colour, its background in the other
            parts.append(RESET + (_select(38, upper or lower, full) if upper or lower else ""))
            parts.append(_select(48, lower, full) if upper and lower else "")
            now = pair
        parts.append(UPPER if pair[0] else LOWER if pair[1] else " ")
    return "".join(parts) + RESET


def _select(where: int, colour: str, full: bool) -> str:
    parts = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    if full:
        return "\033[{};2;{};{};{}m".format(where, *parts)
    red, green, blue = (min(range(6), key=lambda level: abs(CUBE[level] - part)) for part in parts)
    return f"\033[{where};5;{16 + 36 * red + 6 * green + blue}m"
