"""The ground and the pieces of a picture, and the looks that pieces can have."""

from __future__ import annotations

from unpuzzle.drawing.shapes import At, Text, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from unpuzzle.drawing.shapes import Shape
    from unpuzzle.puzzle.position import Position

    Piece = tuple[str, float, float, str]
    """Look, row, column, kind."""


class Look(Value):
    """What a piece can look like: shapes in the unit square; lines of `text` in a terminal, in the colour of `role`;
    and `label`, a few words for those who cannot see it.
    """

    __slots__ = ("label", "role", "shapes", "text")

    def __init__(self, *shapes: Shape, text: str = "", role: str = "ink", label: str = "") -> None:
        self.shapes = shapes
        self.text = text
        self.role = role
        self.label = label


class Ground(Value):
    """What no move changes.

    Attributes:
        rows, columns: the size of the board, in cells.
        looks: by name, in the order in which they are painted.
        shapes: what is painted before all pieces, in the coordinates of the board.
        text: what a terminal shows without any piece, in the colour of `role`. Its lines may end early.
        step: how many lines and characters a cell takes up there.
        start: in which line and at which character the first cell begins, from 0.
        places: instead of `step` and `start`, by row and column of a cell: its line and character.
        margin: how much of the paper is seen around the board, in cells.
        grain: how many pixels make the side of a cell, where all looks are `Pixels`; 0 elsewhere.
        aims: what is to be reached, in words, for those who cannot see it; by default the looks in the role `goal`
            that lie on the board, each with its place.
    """

    __slots__ = (
        "aims",
        "columns",
        "grain",
        "looks",
        "margin",
        "places",
        "role",
        "rows",
        "shapes",
        "start",
        "step",
        "text",
    )

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
        margin: float = 0.2,
        places: Mapping[tuple[float, float], tuple[int, int]] | None = None,
        grain: int = 0,
        aims: Iterable[str] = (),
    ) -> None:
        self.rows, self.columns = rows, columns
        self.looks = looks
        self.shapes = tuple(shapes)
        self.text, self.step, self.start, self.role = text, step, start, role
        self.margin = margin
        self.places = places
        self.grain = grain
        self.aims = tuple(aims) or tuple([f"{looks[at.look].label} in {spoken(at)}" for at in self._goals()])

    __hash__ = None  # type: ignore[assignment]  # looks are in a dict

    def _goals(self) -> list[At]:
        lying = [shape for shape in self.shapes if isinstance(shape, At) and shape.look in self.looks]
        return [at for at in lying if self.looks[at.look].role == "goal" and self.looks[at.look].label]

    def layers(self) -> Mapping[str, int]:
        """By look: its place in the order of painting."""
        return {name: layer for layer, name in enumerate(self.looks)}


def spoken(at: At) -> str:
    """Return a place as a person says it."""
    return f"row {int(at.row) + 1}, column {int(at.column) + 1}"


def picture_of(position: Position) -> tuple[Ground, Sequence[Piece]]:
    """Return ground and pieces of a position: those that it describes, or else the characters of its text."""
    return position.picture()


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
