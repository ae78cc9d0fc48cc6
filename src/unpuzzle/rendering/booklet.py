"""A booklet of levels: an optional cover, numbered levels with their difficulty, and solutions at the end.

A game may add notes to a level, such as the questions of a crossword. The solution of a fill-in puzzle is the filled
puzzle; other puzzles show their last position and the moves to it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unpuzzle.base.values import Record
from unpuzzle.puzzle.capabilities import Constrained, Pictured, offered
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.puzzle.replaying import joined_moves, replay
from unpuzzle.rendering.paper import HEADING, MARGIN, TEXT, Box, Paper, scale_of
from unpuzzle.rendering.scenes import picture_of

GAP = 20.0
COVER, RULES, LEAST_RULES, PICTURE_ROOM = 30.0, 11.0, 6.0, 100.0
"""For the cover, in points: sizes of the title, the rules, the smallest rules, and the least height of a picture."""
LINE = TEXT * 1.35
Notes = Sequence[tuple[str, Sequence[str]]]
"""Headings beside a picture, each with its lines."""


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
    size = RULES
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
    """Write the title (large up to a colon, small after the colon), the author, and the page number."""
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
    """Return, for each picture height, the largest scale at which all pictures of that height fit into a box."""
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
    """Draw a level with the number and difficulty above and the notes beside the picture."""
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
