"""The parts of a picture: the ground, the pieces, and the appearances of pieces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from unpuzzle.base.text import cut, suggestion
from unpuzzle.base.values import Record
from unpuzzle.drawing.shapes import At, Shape, Text, require_sound

Piece = tuple[str, float, float, str]
"""A part that moves change: the name of a look, a row, a column, and a kind."""
NARROW = 0.6
"""The width of a character of height 1."""


class Look(Record):
    """The appearance of a piece: shapes painted in the unit square, and a text for terminals.

    The text has one or more lines, in the colour of a `role`. The `label` is a few words for people who cannot see it.
    """

    shapes: tuple[Shape, ...]
    text: str
    role: str
    label: str

    def __init__(self, *shapes: Shape, text: str = "", role: str = "ink", label: str = "") -> None:
        """Make an appearance from shapes, each given as one argument."""
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
        """Raise ValueError for an appearance that does not exist or that contains itself."""
        for at in [shape for shape in shapes if isinstance(shape, At)]:
            if not isinstance(look := self.looks.get(at.look), Look):
                wrong = f"looks[{at.look!r}] is {cut(repr(look), 60)}, not a Look"
                known = f"there is no look {at.look!r}{suggestion(at.look, self.looks)}"
                raise ValueError(f"Ground: {wrong if at.look in self.looks else known}")
            if at.look in outer:
                raise ValueError(f"Ground: the look {at.look!r} is a part of itself")
            self._require_looks(look.shapes, (*outer, at.look))

    def layers(self) -> Mapping[str, int]:
        """Return the position of each appearance in the order of painting."""
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
    """Return a text as a picture: each character becomes a piece, in a cell as wide as a character."""
    lines = text.expandtabs().rstrip("\n").split("\n")
    cells = [(symbol, row, column) for row, line in enumerate(lines) for column, symbol in enumerate(line)]
    pieces = [(symbol, row, column * NARROW, symbol) for symbol, row, column in cells if not symbol.isspace()]
    symbols = dict.fromkeys(look for look, *_ in pieces)
    looks = {each: Look(Text(NARROW / 2, 0.5, each, 0.8), text=each, label=each) for each in symbols}
    return Ground(len(lines), max(map(len, lines)) * NARROW, looks, step=(1, 1 / NARROW)), pieces
