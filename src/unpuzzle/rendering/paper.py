"""Pictures on paper: PDF by reportlab (the extra `pictures`), vectors throughout, black on white.

A page is measured in points (1/72 inch) from its upper left corner, as pictures are; PDF itself counts from the lower
left one. Text is in the bundled font, of which a file has only the characters that it needs.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from unpuzzle.drawing import At, Circle, Ground, Path, Pixels, Rect, Shape, Text, picture_of
from unpuzzle.errors import ParseError
from unpuzzle.rendering.fonts import FONT
from unpuzzle.rendering.svg import frame
from unpuzzle.rendering.themes import AUTO, THEMES
from unpuzzle.words import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from unpuzzle.drawing import Piece
    from unpuzzle.rendering.saving import Scene

SIZES = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}
"""Of paper, in points."""
MARGIN = 48.0
TEXT, HEADING = 9.0, 18.0
"""Sizes of letters, in points."""
_NAME = "unpuzzle"


def size_of(name: str) -> tuple[float, float]:
    """Width and height of a paper, in points. Raises ParseError for a name that is none."""
    if name.lower() not in SIZES:
        raise ParseError(f"there is no paper {shorten(name)}: {', '.join(SIZES)}")
    return SIZES[name.lower()]


class Paper:
    """Pages that are drawn on. Attributes: `width` and `height` of a page, and the number of the `page`."""

    def __init__(self, size: str = "a4", title: str = "", theme: str = "print") -> None:
        """Raises ParseError for a size that is none."""
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfbase.ttfonts import TTFont
        from reportlab.pdfgen.canvas import Canvas

        self.width, self.height = size_of(size)
        self.page = 1
        self._colours = THEMES[theme]
        self._file = BytesIO()
        if _NAME not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(_NAME, FONT))
        self._measure: Callable[[str, str, float], float] = pdfmetrics.stringWidth
        self._canvas = Canvas(self._file, pagesize=(self.width, self.height), invariant=1)
        self._canvas.setTitle(title)
        self._canvas.setLineJoin(1)
        self._canvas.setLineCap(1)

    def finished(self) -> bytes:
        """The file."""
        self._canvas.save()
        return self._file.getvalue()

    def turn(self) -> None:
        """Begin another page."""
        self._canvas.showPage()
        self._canvas.setLineJoin(1)
        self._canvas.setLineCap(1)
        self.page += 1

    # ---- text

    def write(self, x: float, y: float, words: str, size: float = TEXT, right: bool = False) -> None:
        """A line of text whose letters stand on `y`, and begin at `x`, or end there."""
        self._canvas.setFillColor("#000000")
        self._canvas.setFont(_NAME, size)
        (self._canvas.drawRightString if right else self._canvas.drawString)(x, self.height - y, words)

    def lines(self, words: str, width: float, size: float = TEXT) -> list[str]:
        """A text in lines that are not wider than `width`."""
        lines, line = [], ""
        for word in _broken(words.split(), lambda part: self._measure(part, _NAME, size) <= width):
            longer = f"{line} {word}".strip()
            if line and self._measure(longer, _NAME, size) > width:
                lines.append(line)
                line = word
            else:
                line = longer
        return [*lines, line] if line else lines

    # ---- pictures

    def picture(self, ground: Ground, pieces: Iterable[Piece], x: float, y: float, width: float, height: float) -> None:
        """A picture in the upper middle of a rectangle, as large as fits, but no cell larger than 60 points."""
        left, top, columns, rows = frame(ground)
        scale = min(width / columns, height / rows, 60.0)
        self._canvas.saveState()
        self._canvas.translate(x + (width - columns * scale) / 2 - left * scale, self.height - y + top * scale)
        self._canvas.scale(scale, -scale)
        self._shapes(ground.shapes, ground)
        layers = ground.layers()
        for look, row, column, _ in sorted(pieces, key=lambda piece: layers[piece[0]]):
            self._shapes([At(row, column, look)], ground)
        self._canvas.restoreState()

    def _shapes(self, shapes: Iterable[Shape], ground: Ground) -> None:
        for shape in shapes:
            if isinstance(shape, At):
                self._canvas.saveState()
                self._canvas.translate(shape.column, shape.row)
                self._shapes(ground.looks[shape.look].shapes, ground)
                self._canvas.restoreState()
            else:
                painted = self._paint(shape)
                _DRAWN[type(shape)](self._canvas, shape, painted)

    def _paint(self, shape: Shape) -> dict[str, int]:
        """Set the colours; returns which of outline and inside are painted."""
        if shape.fill:
            self._canvas.setFillColor(self._colours[shape.fill])
        if shape.line:
            self._canvas.setStrokeColor(self._colours[shape.line])
            self._canvas.setLineWidth(shape.thick)
        return {"stroke": int(bool(shape.line)), "fill": int(bool(shape.fill))}


def _broken(words: Iterable[str], fits: Callable[[str], bool]) -> Iterable[str]:
    """The words; those that fit on no line in parts."""
    for word in words:
        rest = word
        while rest and not fits(rest):
            most = max(1, next((n for n in range(len(rest), 0, -1) if fits(rest[:n])), 1))
            yield rest[:most]
            rest = rest[most:]
        if rest:
            yield rest


# ---- shapes


def _rect(canvas: Any, shape: Any, painted: dict[str, int]) -> None:
    if shape.radius:
        canvas.roundRect(shape.x, shape.y, shape.width, shape.height, shape.radius, **painted)
    else:
        canvas.rect(shape.x, shape.y, shape.width, shape.height, **painted)


def _circle(canvas: Any, shape: Any, painted: dict[str, int]) -> None:
    canvas.circle(shape.x, shape.y, shape.radius, **painted)


def _path(canvas: Any, shape: Any, painted: dict[str, int]) -> None:
    path = canvas.beginPath()
    for (x, y), *rest in shape.trains:
        path.moveTo(x, y)
        for point in rest:
            path.lineTo(*point)
        if shape.closed:
            path.close()
    canvas.drawPath(path, **painted)


def _text(canvas: Any, shape: Any, painted: dict[str, int]) -> None:
    canvas.saveState()
    canvas.translate(shape.x, shape.y + 0.365 * shape.size)
    canvas.scale(1, -1)
    canvas.setFont(_NAME, shape.size)
    (canvas.drawString if shape.left else canvas.drawCentredString)(0, 0, shape.words)
    canvas.restoreState()


def _pixels(canvas: Any, shape: Any, painted: dict[str, int]) -> None:
    across, down = shape.width / len(shape.rows[0]), shape.height / len(shape.rows)
    for colour, boxes in shape.runs().items():
        canvas.setFillColor(colour)
        for x, y, width, height in boxes:
            canvas.rect(shape.x + x * across, shape.y + y * down, width * across, height * down, stroke=0, fill=1)


_DRAWN: Mapping[type[Shape], Callable[[Any, Any, dict[str, int]], None]] = {
    Rect: _rect,
    Circle: _circle,
    Path: _path,
    Text: _text,
    Pixels: _pixels,
}


# ---- files


def pdf(scene: Scene) -> bytes:
    """A page with a position; of moves, pages with the position after each of them."""
    title = scene.positions[0].game.title
    paper = Paper(title=title, theme="print" if scene.theme == AUTO else scene.theme)
    paper.write(MARGIN, MARGIN + TEXT, title)
    top, width, height = MARGIN + 3 * TEXT, paper.width - 2 * MARGIN, paper.height - 2 * MARGIN - 3 * TEXT
    if not scene.moves:
        paper.picture(*picture_of(scene.positions[0]), MARGIN, top, width, height)
        return paper.finished()
    columns, rows = (3, 4) if len(scene.moves) < 12 else (4, 6)
    for number, position in enumerate(scene.positions):
        row, column = divmod(number % (columns * rows), columns)
        if number and not (row or column):
            paper.turn()
        x, y = MARGIN + column * width / columns, top + row * height / rows
        paper.write(x + 4, y + TEXT, f"{number}. {scene.moves[number - 1]}" if number else "start")
        paper.picture(*picture_of(position), x + 4, y + 1.5 * TEXT, width / columns - 8, height / rows - 2.5 * TEXT)
    return paper.finished()
