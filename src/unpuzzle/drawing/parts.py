"""The ground and the pieces of a picture, and the looks of pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real

from unpuzzle.drawing.shapes import At, Shape, Text, is_number, require_role
from unpuzzle.words import cut, suggestion

Piece = tuple[str, float, float, str]
"""A part that moves change: the name of a look, a row, a column, and a kind."""
NARROW = 0.6
"""The width of a character of height 1."""


@dataclass(frozen=True, slots=True, init=False)
class Look:
    """The appearance of a piece: the shapes that are painted, in the unit square, and its text in a terminal.

    The text has one or more lines, in the colour of a `role`. The `label` is a few words for people who cannot see it.
    """

    shapes: tuple[Shape, ...]
    text: str
    role: str
    label: str

    def __init__(self, *shapes: Shape, text: str = "", role: str = "ink", label: str = "") -> None:
        """Take the shapes one by one."""
        for name, value in (("shapes", shapes), ("text", text), ("role", role), ("label", label)):
            object.__setattr__(self, name, value)
        _require_shapes("Look", shapes)
        _require(self, "text", str, "a text")
        _require(self, "label", str, "a text")
        require_role(role)


@dataclass(frozen=True, slots=True)
class Ground:
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

    def __post_init__(self) -> None:
        self._require_sound()
        object.__setattr__(self, "shapes", tuple(self.shapes))
        on_board = [shape for shape in self.shapes if isinstance(shape, At) and shape.look in self.looks]
        goals = [(self.looks[at.look], at) for at in on_board if self.looks[at.look].role == "goal"]
        aims = [
            f"{look.label} in row {int(at.row) + 1}, column {int(at.column) + 1}" for look, at in goals if look.label
        ]
        object.__setattr__(self, "aims", tuple(self.aims) or tuple(aims))

    def _require_sound(self) -> None:
        """Raise ValueError for a wrong argument, which would break a picture far from the line that is to blame."""
        for name in ("rows", "columns", "margin", "grain"):
            _require(self, name, Real, "a number")
        for name in ("step", "start"):
            if [is_number(part) for part in getattr(self, name)] != [True, True]:
                raise ValueError(f"Ground: {name} is {getattr(self, name)!r}, not two numbers")
        _require(self, "looks", Mapping, "a mapping from names to looks")
        _require(self, "text", str, "a text")
        require_role(self.role)
        _require_shapes("Ground", self.shapes)
        for name, look in self.looks.items():
            if not isinstance(look, Look):
                raise ValueError(f"Ground: looks[{name!r}] is {cut(repr(look), 60)}, not a Look")
        self._require_looks(self.shapes, ())

    def _require_looks(self, shapes: Iterable[Shape], outer: tuple[str, ...]) -> None:
        """Raise ValueError for a look that shapes name and that is not there, or that is a part of itself."""
        for at in [shape for shape in shapes if isinstance(shape, At)]:
            if at.look not in self.looks:
                raise ValueError(f"Ground: there is no look {at.look!r}{suggestion(at.look, self.looks)}")
            if at.look in outer:
                raise ValueError(f"Ground: the look {at.look!r} is a part of itself")
            self._require_looks(self.looks[at.look].shapes, (*outer, at.look))

    def layers(self) -> Mapping[str, int]:
        """Return the number of each look in the order of painting."""
        return {name: layer for layer, name in enumerate(self.looks)}

    def in_order(self, pieces: Iterable[Piece]) -> list[Piece]:
        """Return pieces in the order of painting, the lowest first."""
        layers = self.layers()
        return sorted(pieces, key=lambda piece: layers[piece[0]])

    def all_shapes(self, pieces: Iterable[Piece]) -> Iterator[tuple[Shape, float, float]]:
        """Yield the shapes of a picture in the order of painting, each with the row and column of its cell."""
        yield from self._flat(self.shapes, 0, 0)
        for look, row, column, _ in self.in_order(pieces):
            yield from self._flat(self.looks[look].shapes, row, column)

    def _flat(self, shapes: Iterable[Shape], row: float, column: float) -> Iterator[tuple[Shape, float, float]]:
        for shape in shapes:
            if isinstance(shape, At):
                yield from self._flat(self.looks[shape.look].shapes, row + shape.row, column + shape.column)
            else:
                yield shape, row, column


def _require(owner: object, name: str, kind: type, noun: str) -> None:
    """Raise ValueError for an attribute of another class."""
    if not isinstance(value := getattr(owner, name), kind):
        raise ValueError(f"{type(owner).__name__}: {name} is {cut(repr(value), 60)}, not {noun}")


def _require_shapes(owner: str, shapes: object) -> None:
    """Raise ValueError unless these are shapes."""
    listed = shapes if isinstance(shapes, Sequence) else [shapes]
    wrong = next((shape for shape in listed if not isinstance(shape, Shape)), None)
    if wrong is not None or listed is not shapes:
        raise ValueError(f"{owner}: {cut(repr(wrong), 60)} is not a shape")


def plain(text: str) -> tuple[Ground, Sequence[Piece]]:
    """Return a text as a picture: each character is a piece, in a cell as wide as a character."""
    lines = text.expandtabs().rstrip("\n").split("\n")
    cells = [(symbol, row, column) for row, line in enumerate(lines) for column, symbol in enumerate(line)]
    pieces = [(symbol, row, column * NARROW, symbol) for symbol, row, column in cells if not symbol.isspace()]
    symbols = dict.fromkeys(look for look, *_ in pieces)
    looks = {each: Look(Text(NARROW / 2, 0.5, each, 0.8), text=each, label=each) for each in symbols}
    return Ground(len(lines), max(map(len, lines)) * NARROW, looks, step=(1, 1 / NARROW)), pieces
