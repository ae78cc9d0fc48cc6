"""Pictures on paper: PDF by reportlab (the extra `pictures`), all vector graphics, black on white.

A page is measured in points (1/72 inch) from its upper left corner, as pictures are; PDF itself counts from the lower
left one. Text is in the bundled font, of which a file has only the characters that it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO

from unpuzzle.base.errors import UsageError
from unpuzzle.base.extras import require
from unpuzzle.base.text import shorten
from unpuzzle.drawing import At, Circle, Ground, Painted, Path, Piece, Pixels, Rect, Shape, Text
from unpuzzle.rendering.fonts import FONT
from unpuzzle.rendering.scenes import Scene, label_of, picture_of
from unpuzzle.rendering.svg import frame
from unpuzzle.rendering.themes import AUTO, THEMES

SIZES = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}
"""The width and height of each paper, in points."""
MARGIN = 48.0
TEXT, HEADING = 9.0, 18.0
"""Sizes of letters, in points."""
MOST_SCALE = 60.0
"""The largest size of a cell, in points."""
_NAME = "unpuzzle"
Box = tuple[float, float, float, float]
"""Left, top, width, height, in points."""


def scale_of(ground: Ground, width: float, height: float, most: float = MOST_SCALE) -> float:
    """Return the largest cell size in points, up to `most`, at which a picture fits into a rectangle."""
    _, _, columns, rows = frame(ground)
    return min(width / columns, height / rows, most)


def size_of(name: str) -> tuple[float, float]:
    """Return the width and height of a paper size, in points. Raises UsageError for an unknown name."""
    if name.lower() not in SIZES:
        raise UsageError(f"there is no paper {shorten(name)}; the papers are {', '.join(SIZES)}")
    return SIZES[name.lower()]


class Paper:
    """A PDF in progress: the `width` and `height` of its pages, and the current page number `page`."""

    def __init__(self, size: str = "a4", title: str = "", theme: str = "print") -> None:
        """Begin the first page. Raises UsageError for an unknown size, DependencyMissing without reportlab."""
        require("pictures", "PDF needs", "reportlab")
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfbase.ttfonts import TTFont
        from reportlab.pdfgen.canvas import Canvas

        sides = size_of(size)
        self.width: float = sides[0]
        self.height: float = sides[1]
        self.page: int = 0
        self._colours = THEMES[theme]
        self._file = BytesIO()
        if _NAME not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(_NAME, FONT))
        self._measure: Callable[[str, str, float], float] = pdfmetrics.stringWidth
        self._canvas = Canvas(self._file, pagesize=sides, invariant=1)
        self._canvas.setTitle(title)
        self.turn()

    def to_bytes(self) -> bytes:
        """End the last page and return the bytes of the PDF."""
        self._canvas.save()
        return self._file.getvalue()

    def turn(self) -> None:
        """Begin a new page."""
        if self.page:
            self._canvas.showPage()
        self.page += 1
        self._canvas.setLineJoin(1)
        self._canvas.setLineCap(1)

    def cells(
        self, count: int, grid: tuple[int, int], top: float, gap: float = 0, begin: Callable[[], None] = lambda: None
    ) -> Iterator[Box]:
        """Yield boxes in a grid of columns and rows on each page, below `top`; `begin` is called for each page.

        All pages get about the same number, so that the last one does not have a single box.
        """
        columns, rows = grid
        width = (self.width - 2 * MARGIN - (columns - 1) * gap) / columns
        height = (self.height - MARGIN - top - (rows - 1) * gap) / rows
        pages = -(-count // (columns * rows))
        for page in range(pages):
            if page:
                self.turn()
            begin()
            for number in range(count // pages + (page < count % pages)):
                row, column = divmod(number, columns)
                yield MARGIN + column * (width + gap), top + row * (height + gap), width, height

    def write(self, x: float, y: float, words: str, size: float = TEXT, right: bool = False) -> None:
        """Write a line of text at the height `y`; the line begins at `x` or, with `right`, ends there."""
        self._canvas.setFillColor("#000000")
        self._canvas.setFont(_NAME, size)
        (self._canvas.drawRightString if right else self._canvas.drawString)(x, self.height - y, words)

    def extent(self, words: str, size: float = TEXT) -> float:
        return self._measure(words, _NAME, size)

    def lines(self, words: str, width: float, size: float = TEXT) -> list[str]:
        """Return a text broken into lines that are at most `width` wide."""
        lines: list[str] = []
        for word in words.split():
            if lines and self._measure(f"{lines[-1]} {word}", _NAME, size) <= width:
                lines[-1] += f" {word}"
            else:
                lines += self._parts(word, width, size)
        return lines

    def _parts(self, word: str, width: float, size: float) -> Iterator[str]:
        """Yield the parts of a word, as few as possible, that each fit on a line."""
        while word:
            most = next((n for n in range(len(word), 0, -1) if self._measure(word[:n], _NAME, size) <= width), 1)
            yield word[:most]
            word = word[most:]

    def picture(
        self,
        ground: Ground,
        pieces: Iterable[Piece],
        x: float,
        y: float,
        width: float,
        height: float,
        most: float = MOST_SCALE,
    ) -> None:
        """Draw a picture at the upper middle of a rectangle, as large as fits, with cells no larger than `most`."""
        left, top, columns, _ = frame(ground)
        scale = scale_of(ground, width, height, most)
        self._canvas.saveState()
        self._canvas.translate(x + (width - columns * scale) / 2 - left * scale, self.height - y + top * scale)
        self._canvas.scale(scale, -scale)
        looks = [At(row, column, look) for look, row, column, _ in ground.in_order(pieces)]
        for shape in (*ground.shapes, *looks):
            self._draw(shape, ground)
        self._canvas.restoreState()

    def _draw(self, shape: Shape, ground: Ground) -> None:
        match shape:
            case At():
                self._canvas.saveState()
                self._canvas.translate(shape.column, shape.row)
                for part in ground.looks[shape.look].shapes:
                    self._draw(part, ground)
                self._canvas.restoreState()
            case Rect(radius=0):
                self._canvas.rect(shape.x, shape.y, shape.width, shape.height, **self._paint(shape))
            case Rect():
                sides = shape.x, shape.y, shape.width, shape.height
                self._canvas.roundRect(*sides, shape.radius, **self._paint(shape))
            case Circle():
                self._canvas.circle(shape.x, shape.y, shape.radius, **self._paint(shape))
            case Path():
                self._path(shape)
            case Text():
                self._text(shape)
            case Pixels():
                self._pixels(shape)

    def _paint(self, shape: Painted) -> dict[str, int]:
        """Set the colours of a shape; return whether to paint the outline and the inside."""
        if shape.fill:
            self._canvas.setFillColor(self._colours[shape.fill])
        if shape.line:
            self._canvas.setStrokeColor(self._colours[shape.line])
            self._canvas.setLineWidth(shape.thick)
        return {"stroke": int(bool(shape.line)), "fill": int(bool(shape.fill))}

    def _path(self, shape: Path) -> None:
        path = self._canvas.beginPath()
        for (x, y), *rest in shape.trains:
            path.moveTo(x, y)
            for point in rest:
                path.lineTo(*point)
            if shape.closed:
                path.close()
        self._canvas.drawPath(path, **self._paint(shape))

    def _text(self, text: Text) -> None:
        self._canvas.setFillColor(self._colours[text.fill])
        self._canvas.saveState()
        self._canvas.translate(text.x, text.y + 0.365 * text.size)
        self._canvas.scale(1, -1)
        self._canvas.setFont(_NAME, text.size)
        (self._canvas.drawString if text.left else self._canvas.drawCentredString)(0, 0, text.words)
        self._canvas.restoreState()

    def _pixels(self, bitmap: Pixels) -> None:
        across, down = bitmap.width / len(bitmap.rows[0]), bitmap.height / len(bitmap.rows)
        for colour, boxes in bitmap.boxes().items():
            self._canvas.setFillColor(colour)
            for x, y, width, height in boxes:
                place = bitmap.x + x * across, bitmap.y + y * down
                self._canvas.rect(*place, width * across, height * down, stroke=0, fill=1)


def pdf(scene: Scene) -> bytes:
    """Return a page with a scene's position or, if the scene has moves, pages with the position after each move."""
    title = label_of(scene.start)
    paper = Paper(title=title, theme="print" if scene.theme == AUTO else scene.theme)
    paper.write(MARGIN, MARGIN + TEXT, title)
    top = MARGIN + 3 * TEXT
    if not scene.moves:
        paper.picture(*picture_of(scene.start), *next(paper.cells(1, (1, 1), top)))
        return paper.to_bytes()
    boxes = paper.cells(len(scene.subjects), (3, 4) if len(scene.moves) < 12 else (4, 6), top)
    for number, (picture, (x, y, width, height)) in enumerate(zip(scene.pictures(), boxes, strict=True)):
        paper.write(x + 4, y + TEXT, f"{number}. {scene.moves[number - 1]}" if number else "start")
        paper.picture(*picture, x + 4, y + 1.5 * TEXT, width - 8, height - 2.5 * TEXT)
    return paper.to_bytes()
