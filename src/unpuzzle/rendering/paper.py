"""Pictures and booklets of levels as PDF vector graphics, made with reportlab (in the extra `pictures`).

Paper is black on white. A page is measured in points (1/72 inch) from its upper left corner, as pictures are; PDF
itself counts from the lower left one. Text is in the bundled font, of which a file has only the characters it needs.

A booklet has an optional cover, numbered levels with their difficulty, and solutions at the end: a fill-in puzzle is
shown filled, of others the last position and the moves to it. A game may add notes, such as a crossword's questions.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any

from unpuzzle.base.availability import require
from unpuzzle.base.errors import UsageError
from unpuzzle.base.text import shorten
from unpuzzle.base.values import Record
from unpuzzle.drawing import At, Circle, Ground, Painted, Path, Piece, Pixels, Rect, Shape, Text
from unpuzzle.model.capabilities import Constrained, Pictured, offered
from unpuzzle.model.position import Game, Position
from unpuzzle.model.replaying import joined_moves, replay
from unpuzzle.rendering.scenes import Scene, label_of, picture_of
from unpuzzle.rendering.svg import frame
from unpuzzle.rendering.themes import AUTO, FONT, THEMES

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
GAP = 20.0
COVER, RULES, LEAST_RULES, PICTURE_ROOM = 30.0, 11.0, 6.0, 100.0
"""For the cover, in points: sizes of the title, the rules, the smallest rules, and the least height of a picture."""
LINE = TEXT * 1.35
Notes = Sequence[tuple[str, Sequence[str]]]
"""Headings beside a picture, each with its lines."""


def scale_of(ground: Ground, width: float, height: float, most: float = MOST_SCALE) -> float:
    """Return the largest cell size in points, up to `most`, at which a picture fits into a rectangle."""
    _, _, columns, rows = frame(ground)
    return min(width / columns, height / rows, most)


def size_of(name: str) -> tuple[float, float]:
    """Return the width and height of a paper size, in points. Raises UsageError for an unknown name."""
    if name.lower() not in SIZES:
        raise UsageError(f"there is no paper size {shorten(name)}; the sizes are {', '.join(SIZES)}")
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
        """Yield `count` boxes in a grid on each page, `top` points below its edge; `begin` is called for each page.

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
        """Draw a picture at the upper middle of a rectangle, as large as possible; `most` limits the size of a cell."""
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


class BookletEntry(Record):
    """A level of a booklet: the `position`, a text on the `difficulty`, and `moves` that solve the level, if known."""

    position: Position
    difficulty: str
    moves: Sequence[str] | None

    def __reduce__(self) -> tuple[Any, ...]:
        # Hashes in positions differ between processes, so positions are pickled as text.
        return _again, (self.position.game, str(self.position), self.difficulty, self.moves)


def _again(game: Game, text: str, difficulty: str, moves: Sequence[str] | None) -> BookletEntry:
    return BookletEntry(game.parse(text), difficulty, moves)


class Front(Record):
    """The title page's data: the `author`, the `rules` of the game in words, and whether there is a `cover`."""

    author: str = ""
    rules: str = ""
    cover: bool = False


def booklet(entries: Sequence[BookletEntry], title: str, size: str = "a4", front: Front | None = None) -> bytes:
    """Return a booklet as PDF, on paper of a size (`a4` or `letter`). Raises UsageError for an unknown size.

    Title and author head every page of levels. Rules have a separate page, the cover, with the first level.
    """
    front = front or Front()
    paper = Paper(size, title)
    if front.cover or front.rules:
        _cover(paper, entries, title, front)
        paper.turn()
    grid = (1, 2) if any(notes_of(entry.position) for entry in entries) else (2, 3)
    top = MARGIN + 2.2 * HEADING
    boxes = paper.cells(len(entries), grid, top, GAP, lambda: _heading(paper, title, front.author))
    least: dict[float, float] = {}  # pictures of the same height are drawn at the same scale
    for number, (entry, box) in enumerate(zip(entries, boxes, strict=True), 1):
        if not least:
            least = _scales(entries, box)
        _level(paper, number, entry, box, least)
    solved = [(number, entry) for number, entry in enumerate(entries, 1) if entry.moves is not None]
    if solved:
        paper.turn()
        boxes = paper.cells(len(solved), (3, 5), top, GAP, lambda: _heading(paper, "Solutions"))
        for (number, entry), box in zip(solved, boxes, strict=True):
            _solution(paper, number, entry, box)
    return paper.to_bytes()


def notes_of(position: Position) -> Notes:
    pictured = offered(position, Pictured)
    return pictured.notes() if pictured else ()


def _cover(paper: Paper, entries: Sequence[BookletEntry], title: str, front: Front) -> None:
    """Draw the first page: title, author, the first level as a picture, and the rules below it."""
    name, _, about = title.partition(": ")
    width = paper.width - 2 * MARGIN
    y = MARGIN * 2
    for size, text in ((COVER, name), (HEADING * 0.7, about), (HEADING * 0.7, front.author)):
        for line in paper.lines(text, width, size):
            y += size * 1.4
            paper.write(MARGIN, y, line, size)
    y += GAP
    paragraphs = [part for part in re.split(r"\n\s*\n", front.rules.strip()) if part]
    size = RULES  # made smaller until the rules fit on this page; if they never do, they continue on others
    while size > LEAST_RULES and _height(paper, paragraphs, width, size) > paper.height - y - MARGIN - GAP:
        size -= 0.5
    room = paper.height - y - MARGIN - 2 * GAP - _height(paper, paragraphs, width, size)
    if entries and room > PICTURE_ROOM:
        height = min(room, paper.height * 0.45)
        paper.picture(*picture_of(entries[0].position), MARGIN, y, width, height)
        y += height + GAP
    for part in paragraphs:
        for line in paper.lines(part, width, size):
            y += size * 1.4
            if y > paper.height - MARGIN:
                paper.turn()
                y = MARGIN + size
            paper.write(MARGIN, y, line, size)
        y += size * 0.7


def _height(paper: Paper, paragraphs: Sequence[str], width: float, size: float) -> float:
    return sum([(len(paper.lines(part, width, size)) * 1.4 + 0.7) * size for part in paragraphs])


def _heading(paper: Paper, title: str, author: str = "") -> None:
    """Write the title (in two sizes if it has a colon), the author, and the page number."""
    name, _, about = title.partition(": ")
    paper.write(paper.width - MARGIN, MARGIN + HEADING * 0.75, author, right=True)
    most = paper.width - 2 * MARGIN - (paper.extent(author) + GAP if author else 0)
    paper.write(MARGIN, MARGIN + HEADING * 0.75, *_fitted(paper, name, most, HEADING * 0.75))
    for number, line in enumerate(paper.lines(about, paper.width - 2 * MARGIN)[:1]):
        paper.write(MARGIN, MARGIN + HEADING * 0.75 + (number + 1) * LINE, line)
    paper.write(paper.width - MARGIN, paper.height - MARGIN * 0.6, str(paper.page), right=True)


def _fitted(paper: Paper, words: str, width: float, size: float) -> tuple[str, float]:
    """Return a text and a font size at which the text fits a line; a text that is far too long is cut."""
    while size > TEXT and paper.extent(words, size) > width:
        size -= 0.5
    lines = paper.lines(words, width, size)
    return (lines[0] if lines else "") + ("…" if len(lines) > 1 else ""), size


def _scales(entries: Sequence[BookletEntry], box: Box) -> dict[float, float]:
    """Return, by the height of pictures in rows, the largest scale at which all pictures of that height fit."""
    least: dict[float, float] = {}
    for entry in entries:
        ground, _ = picture_of(entry.position)
        _, _, width, height = _place_of_picture(entry, box)
        rows = ground.rows
        least[rows] = min(scale_of(ground, width, height), least.get(rows, math.inf))
    return least


def _place_of_picture(entry: BookletEntry, box: Box) -> Box:
    x, y, width, height = box
    return x, y + 2.4 * TEXT, width * (0.5 if notes_of(entry.position) else 1), height - 2.4 * TEXT


def _level(paper: Paper, number: int, entry: BookletEntry, box: Box, scales: Mapping[float, float]) -> None:
    """Draw a level's picture, with its number and difficulty above and its notes beside it."""
    x, y, width, _height = box
    paper.write(x, y + TEXT * 1.2, f"{number}.", TEXT * 1.2)
    words, size = _fitted(paper, entry.difficulty, width - paper.extent(f"{number}. ", TEXT * 1.2), TEXT)
    paper.write(x + width, y + TEXT * 1.2, words, size, right=True)
    notes = notes_of(entry.position)
    _left, top, picture_width, rest = _place_of_picture(entry, box)
    ground, pieces = picture_of(entry.position)
    paper.picture(ground, pieces, x, top, picture_width, rest, scales[ground.rows])
    beside, size = width - picture_width - GAP, TEXT
    while size > 4 and len(list(_note_lines(paper, notes, beside, size))) * size * 1.35 > rest:
        size -= 0.5  # until the notes fit
    for line, (words, indent) in enumerate(_note_lines(paper, notes, beside, size), 1):
        paper.write(x + picture_width + GAP + indent, top + line * size * 1.35, words, size)


def _note_lines(paper: Paper, notes: Notes, width: float, size: float) -> Iterator[tuple[str, float]]:
    for heading, texts in notes:
        yield heading, 0
        for text in texts:
            for number, line in enumerate(paper.lines(text, width - 20, size)):
                yield line, 20 if number else 8
        yield "", 0


def _solution(paper: Paper, number: int, entry: BookletEntry, box: Box) -> None:
    """Draw the solved position and, except for a fill-in puzzle, the moves of the solution."""
    x, y, width, height = box
    moves = entry.moves or ()
    lines: list[str] = []
    if offered(entry.position, Constrained) is None:
        lines = paper.lines(_grouped(entry.position, moves), width, TEXT * 0.8)
        most = int(height * 0.45 / LINE)
        lines = [*lines[: most - 1], "…"] if len(lines) > most else lines
    paper.write(x, y + TEXT, f"{number}.")
    for place, line in enumerate(lines, 1):
        paper.write(x, y + TEXT + place * LINE, line, TEXT * 0.8)
    top = y + TEXT * 1.8 + len(lines) * LINE
    own = None if moves else entry.position.own_answer()
    end = own or replay(entry.position, moves).position
    paper.picture(*picture_of(end), x, top, width, y + height - top)


def _grouped(position: Position, moves: Sequence[str]) -> str:
    """Return moves as text, in groups of five if each move is a single letter."""
    if not position.game.one_letter_moves:
        return joined_moves(position.game, moves)
    return " ".join("".join(moves[start : start + 5]) for start in range(0, len(moves), 5))
