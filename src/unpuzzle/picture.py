r"""A picture of a position, described once and for every way to show it: terminal, SVG, animation, paper, a page.

A picture is a *ground*, which no move changes, and *pieces*, which moves bring, take away and move. A position says
both (the capability `Pictured`: two methods, `ground()` and `pieces()`), in a unit square per cell: x to the right, y
down, the cell in row r and column c between (c, r) and (c+1, r+1). This is one for a walker among walls:

    HERO = Look(Circle(0.5, 0.5, 0.3, fill="hero", line="ink", thick=0.06), text="@", role="hero", label="the walker")
    WALL = Look(Rect(0, 0, 1, 1, fill="wall"))

    def ground(self):                                        # kept with the level: see below
        walls = [At(r, c, "wall") for r, c in self.walls]
        return Ground(self.rows, self.columns, {"wall": WALL, "@": HERO}, walls, text="██  \n")
    def pieces(self):
        return (("@", self.row, self.column, "walker"),)

A **piece** is a tuple (look, row, column, kind). `look` names one of the ground's looks: what the piece looks like now.
`kind` says what it is, whatever it looks like: a tile that comes home gets another look and is the same kind, so an
animation slides it. Pieces of one kind are interchangeable. Rows and columns may be fractions. The order of pieces says
nothing: they are painted in the order of `ground.looks`, later looks above earlier ones. Equal positions of a level
have equal pieces (as multisets), different ones different pieces; `unpuzzle.testing.laws` holds a game to that.

A **look** is shapes in the unit square, the characters that stand for it in a terminal, and words for those who cannot
see it. The **ground** has the size in rows and columns, shapes in the coordinates of the whole board, all looks by
name, and the terminal's text without any piece. All positions of one level have equal grounds; make it once and keep it
(with the level's board, or by `functools.lru_cache`): to tell the pieces is then a matter of microseconds.

Five **primitives** make shapes: `Rect` (with round corners), `Circle`, `Path` (straight lines with round joins and
ends), `Text` (its middle at a point), `At` (a look in a cell). Paint is a **role**, never a colour: `ROLES` says what
each is for, `unpuzzle.pictures.themes` what colour it has where. What a role may lie on (`UPON`) it must be told from:
a contrast of 3, of text 4.5, in light and in dark; and nothing is told by colour alone, for print is black on white.

`picture_of(position)` gives ground and pieces of any position: where a game describes none, each character of its text
is a piece. `terminal` makes text of them. All other ways to show them are in `unpuzzle.pictures`, which comes after the
puzzles: what stands before it, such as a result that a notebook shows, reaches it by `mimebundle`, the one hook.
"""

from __future__ import annotations

from unpuzzle.words import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from unpuzzle.puzzle.position import Position

    Piece = tuple[str, float, float, str]
    """Look, row, column, kind."""
    Point = tuple[float, float]

COVER = "\u00a0"
"""In the text of a look: a blank that hides what is below. A plain blank lets it show."""

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
    **dict.fromkeys(("grid", "wall", "box", "goal", "hero", "food", "edge"), ("floor",)),
    **dict.fromkeys(("ink", "mark"), ("floor", "paper")),
    "face": ("hero",),
    "label": ("tile", "home"),
}
"""What a role may lie on, and must be told from."""
WORDS = ("ink", "mark", "label")
"""The roles that text is written in."""

ANSI = {"wall": 90, "grid": 90, "box": 33, "goal": 32, "hero": 95, "tile": 94, "home": 32, "food": 33, "mark": 36}
"""By role: its colour in a terminal, of the sixteen. Other roles have the terminal's own."""


class _Value:
    """Equal where all attributes are."""

    __slots__ = ()

    def _key(self) -> tuple[object, ...]:
        return tuple([getattr(self, name) for kind in type(self).__mro__ for name in getattr(kind, "__slots__", ())])

    def __eq__(self, other: object) -> bool:
        return self is other or (type(other) is type(self) and self._key() == other._key())

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._key()!r}"


# ---- shapes


class Shape(_Value):
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
    """Words whose middle is at a point, in letters that are `size` high; painted in the role `fill`."""

    __slots__ = ("size", "words", "x", "y")

    def __init__(self, x: float, y: float, words: str, size: float, fill: str = "ink") -> None:
        super().__init__(fill)
        self.x, self.y, self.words, self.size = x, y, words, size


class At(Shape):
    """A look, in a cell."""

    __slots__ = ("column", "look", "row")

    def __init__(self, row: float, column: float, look: str) -> None:
        super().__init__()
        self.row, self.column, self.look = row, column, look


# ---- pictures


class Look(_Value):
    """What a piece can look like: shapes in the unit square; lines of `text` in a terminal, in the colour of `role`;
    and `label`, a few words for those who cannot see it."""

    __slots__ = ("label", "role", "shapes", "text")

    def __init__(self, *shapes: Shape, text: str = "", role: str = "ink", label: str = "") -> None:
        self.shapes = shapes
        self.text = text
        self.role = role
        self.label = label


class Ground(_Value):
    """What no move changes.

    Attributes:
        rows, columns: the size of the board, in cells.
        looks: by name, in the order in which they are painted.
        shapes: what is painted before all pieces, in the coordinates of the board.
        text: what a terminal shows without any piece, in the colour of `role`. Its lines may end early.
        step: how many lines and characters a cell takes up there.
        start: in which line and at which character the first cell begins, from 0.
    """

    __slots__ = ("columns", "looks", "role", "rows", "shapes", "start", "step", "text")

    def __init__(
        self,
        rows: float,
        columns: float,
        looks: Mapping[str, Look],
        shapes: Iterable[Shape] = (),
        text: str = "",
        step: tuple[float, float] = (1, 2),
        start: tuple[int, int] = (0, 0),
        role: str = "wall",
    ) -> None:
        self.rows, self.columns = rows, columns
        self.looks = looks
        self.shapes = tuple(shapes)
        self.text, self.step, self.start, self.role = text, step, start, role

    __hash__ = None  # type: ignore[assignment]  # looks are in a dict

    def layers(self) -> Mapping[str, int]:
        """By look: its place in the order of painting."""
        return {name: layer for layer, name in enumerate(self.looks)}


def picture_of(position: Position) -> tuple[Ground, Sequence[Piece]]:
    """Ground and pieces of a position: those that it describes, or else the characters of its text."""
    from unpuzzle.puzzle.capabilities import Pictured, offered

    described = offered(position, Pictured)
    return (described.ground(), described.pieces()) if described else plain(str(position))


def plain(text: str) -> tuple[Ground, Sequence[Piece]]:
    """A text as a picture: each character a piece, its cells as wide as characters are."""
    lines = text.expandtabs().rstrip("\n").split("\n")
    pieces = [
        (symbol, row, column * NARROW, symbol)
        for row, line in enumerate(lines)
        for column, symbol in enumerate(line)
        if not symbol.isspace()
    ]
    looks = {
        symbol: Look(Text(NARROW / 2, 0.5, symbol, 0.8), text=symbol, label=symbol)
        for symbol in dict.fromkeys(look for look, *_ in pieces)
    }
    return Ground(len(lines), max(map(len, lines)) * NARROW, looks, step=(1, 1 / NARROW)), pieces


NARROW = 0.6
"""The width of a character, its height being 1."""


# ---- terminals


def terminal(ground: Ground, pieces: Iterable[Piece], colours: bool = False) -> str:
    """The picture as text; with the terminal's colours, if wanted. No line ends with blanks."""
    canvas = _Canvas(ground)
    layers = ground.layers()
    for name, row, column, _ in sorted(pieces, key=lambda piece: layers[piece[0]]):
        canvas.put(ground.looks[name], row, column)
    lines = [_coloured(line) if colours else "".join([symbol for symbol, _ in line]) for line in canvas.lines]
    return "\n".join([line.rstrip() for line in lines]).rstrip("\n")


class _Canvas:
    """Lines of characters with their roles."""

    def __init__(self, ground: Ground) -> None:
        self.lines = [[(symbol, ground.role) for symbol in line] for line in ground.text.split("\n")]
        self.step, self.start = ground.step, ground.start

    def put(self, look: Look, row: float, column: float) -> None:
        """Write a look into a cell; plain blanks let show what is below."""
        down = self.start[0] + round(row * self.step[0])
        right = self.start[1] + round(column * self.step[1])
        for number, text in enumerate(look.text.split("\n"), down):
            self.lines += [[] for _ in range(number + 1 - len(self.lines))]
            line = self.lines[number]
            line += [(" ", "")] * (right + len(text) - len(line))
            for place, symbol in enumerate(text, right):
                if symbol != " ":
                    line[place] = (" " if symbol == COVER else symbol), look.role


def _coloured(line: Iterable[tuple[str, str]]) -> str:
    """A line with escape sequences where the colour changes."""
    parts, now = [], 0
    for symbol, role in line:
        code = now if symbol == " " else ANSI.get(role, 0)
        parts += [f"\033[{code}m{symbol}" if code != now else symbol]
        now = code
    return "".join(parts).rstrip() + ("\033[0m" if now else "")


# ---- beyond the terminal

HOOK = "unpuzzle.pictures.notebooks"
"""The one module beyond the puzzles that is imported from here, when somebody looks at something in a notebook."""


def mimebundle(thing: object) -> Mapping[str, str]:
    """What a notebook shows of a position, a result, a comparison or an exploration: by media type."""
    from importlib import import_module

    bundle: Mapping[str, str] = import_module(HOOK).mimebundle(thing)
    return bundle
