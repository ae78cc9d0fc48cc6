"""Several pictures side by side as one picture, with captions and with marks on important cells.

before = Panel(("after 3 moves",), *picture_of(position))
after = Panel(("then U",), *picture_of(position.apply("U")), moved=[(2, 3)], stuck=[(1, 3)])
panels = Panels("where two solutions differ", (before, after))
panels.ground(), panels.pieces()

    +---------+---------+   moved pieces have a frame, stuck ones a ring with a bar, cells of an area a diamond;
    | caption | caption |   each mark has a line of paper below, so that it is visible on any colour
    | picture | picture |
    +---------+---------+   the number side by side makes the sheet about as wide as high
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from math import ceil, cos, pi, sin, sqrt
from textwrap import wrap

from unpuzzle.base.values import Record
from unpuzzle.drawing.picture import At, Ground, Look, Path, Piece, Point, Shape, Text

GAP = 1.0
"""Cells between two pictures."""
LETTERS, WIDTH_OF_LETTER, LINE_HEIGHT = 0.45, 0.62, 1.35
"""The size of a caption's letters in cells, and in these the width of a letter and the height of a line."""
NARROWEST = 8.0
"""The least width of a panel, in cells: captions need room."""
WIDE = 26.0
"""The width of a panel beyond which letters grow with it, since its cells are drawn smaller."""
MOVED, STUCK, AREA = "mark-moved", "mark-stuck", "mark-area"
Cell = tuple[float, float]
"""The row and the column of a cell."""


def _outlined(*trains: Sequence[Point], closed: bool = False) -> tuple[Shape, Shape]:
    """Return lines as two shapes: narrow lines in the colour of marks on wider lines in the colour of paper."""
    below = Path(*trains, closed=closed, line="paper", thick=0.2)
    return below, Path(*trains, closed=closed, line="mark", thick=0.1)


_RING = [(0.5 + 0.4 * cos(step * pi / 12), 0.5 + 0.4 * sin(step * pi / 12)) for step in range(24)]
_FRAME = [(0.03, 0.03), (0.97, 0.03), (0.97, 0.97), (0.03, 0.97)]
_DIAMOND = [(0.5, 0.36), (0.64, 0.5), (0.5, 0.64), (0.36, 0.5)]
_BAR = [(0.22, 0.78), (0.78, 0.22)]
MARKS: Mapping[str, Look] = {
    MOVED: Look(*_outlined(_FRAME, closed=True), label="moved"),
    STUCK: Look(*_outlined(_RING, closed=True), *_outlined(_BAR), label="stuck"),
    AREA: Look(*_outlined(_DIAMOND, closed=True), label="in the area"),
}
"""The looks of marks: a frame, a ring with a bar, a small diamond, since no difference is shown by colour alone."""


class Panel(Record):
    """One of several pictures, with a caption, and with the cells to mark as `moved`, `stuck` or part of an `area`."""

    caption: Sequence[str]
    ground: Ground
    pieces: Sequence[Piece]
    moved: Sequence[Cell] = ()
    stuck: Sequence[Cell] = ()
    area: Sequence[Cell] = ()


class Panels(Record):
    """A sheet of several pictures; `label` describes the sheet for people who cannot see it."""

    label: str
    panels: Sequence[Panel]

    @property
    def across(self) -> int:
        """The number of pictures in each row of the sheet: up to three pictures form a single row."""
        number, (width, height) = len(self.panels), self._size()
        return number if number <= 3 else max(1, min(number, round(sqrt(number * height / width))))

    def ground(self) -> Ground:
        width, height = self._size()
        down = ceil(len(self.panels) / self.across)
        looks: dict[str, Look] = {}
        boards: list[Shape] = []
        for number, (panel, row, column) in enumerate(self._placed()):
            looks |= {f"{self._set(number)}/board": Look(*self._own(panel.ground.shapes, number))}
            looks |= {f"{self._set(number)}/{name}": self._look(look, number) for name, look in self._looks(number)}
            boards += [At(row, column, f"{self._set(number)}/board"), *self._words(panel, row, column)]
        size = self._letters
        rows, columns = down * (height + GAP) - GAP, self.across * (width + GAP) - GAP
        grain = self.panels[0].ground.grain
        return Ground(rows, columns, looks | dict(MARKS), boards, margin=max(0.4, size), grain=grain)

    def pieces(self) -> list[Piece]:
        """Return the pieces of all pictures and all marks, at their places on the whole sheet."""
        every: list[Piece] = []
        for number, (panel, row, column) in enumerate(self._placed()):
            own = self._set(number)
            every += [(f"{own}/{look}", row + down, column + right, kind) for look, down, right, kind in panel.pieces]
            for look, cells in ((AREA, panel.area), (MOVED, panel.moved), (STUCK, panel.stuck)):
                every += [(look, row + down, column + right, look) for down, right in cells]
        return every

    @property
    def _letters(self) -> float:
        return LETTERS * max(1.0, max(panel.ground.columns for panel in self.panels) / WIDE)

    def _lines(self, panel: Panel) -> list[str]:
        most = max(int(self._size_of_boards()[0] / (self._letters * WIDTH_OF_LETTER)), 8)
        return [line for text in panel.caption for line in wrap(text, most) or [""]]

    def _size_of_boards(self) -> tuple[float, float]:
        grounds = [panel.ground for panel in self.panels]
        return max(NARROWEST, *(each.columns for each in grounds)), max(each.rows for each in grounds)

    def _heading(self) -> float:
        """Return the height of the highest caption, in cells."""
        most = max(len(self._lines(panel)) for panel in self.panels)
        return (most * LINE_HEIGHT + 0.4) * self._letters if most else 0.0

    def _size(self) -> tuple[float, float]:
        """Return the width and height in cells that each picture with its caption takes on the sheet."""
        width, height = self._size_of_boards()
        return width, height + self._heading()

    def _placed(self) -> Iterator[tuple[Panel, float, float]]:
        """Yield each picture with the row and column of its upper left corner on the sheet."""
        (width, height), heading, across = self._size(), self._heading(), self.across
        for number, panel in enumerate(self.panels):
            down, right = divmod(number, across)
            yield panel, down * (height + GAP) + heading, right * (width + GAP)

    def _words(self, panel: Panel, row: float, column: float) -> list[Shape]:
        size = self._letters
        top = row - self._heading() + 0.5 * LINE_HEIGHT * size
        lines = self._lines(panel)
        return [
            Text(column, top + number * LINE_HEIGHT * size, line, size, left=True) for number, line in enumerate(lines)
        ]

    def _set(self, number: int) -> int:
        """Return the number of the first picture whose fixed part (ground) is the same as that of picture `number`."""
        return next(first for first, panel in enumerate(self.panels) if panel.ground == self.panels[number].ground)

    def _looks(self, number: int) -> Sequence[tuple[str, Look]]:
        return [*self.panels[number].ground.looks.items()] if self._set(number) == number else []

    def _look(self, look: Look, number: int) -> Look:
        return Look(*self._own(look.shapes, number), text=look.text, role=look.role, label=look.label)

    def _own(self, shapes: Sequence[Shape], number: int) -> list[Shape]:
        """Return the shapes of picture `number`, with the names of looks replaced by their names on the whole sheet."""
        own = self._set(number)
        return [At(each.row, each.column, f"{own}/{each.look}") if isinstance(each, At) else each for each in shapes]


def beside(pictures: Sequence[tuple[str, str]], gap: int = 3) -> str:
    """Return text pictures side by side as one text, each below its heading."""
    columns = [[heading, *picture.rstrip("\n").split("\n")] for heading, picture in pictures]
    widths = [max(map(len, lines)) for lines in columns]
    rows = zip_longest(*columns, fillvalue="")
    padded = [[part.ljust(width) for part, width in zip(row, widths, strict=True)] for row in rows]
    return "\n".join([(" " * gap).join(row).rstrip() for row in padded])


def rows_of(pictures: Sequence[tuple[str, str]], most: int = 100, gap: int = 3) -> str:
    """Return text pictures in rows of at most `most` characters, each picture below its heading."""
    rows: list[list[tuple[str, str]]] = [[]]
    used = 0
    for heading, picture in pictures:
        width = max(map(len, [heading, *picture.split("\n")])) + gap
        if rows[-1] and used + width > most + gap:
            rows.append([])
            used = 0
        rows[-1].append((heading, picture))
        used += width
    return "\n\n".join([beside(row, gap) for row in rows if row])
