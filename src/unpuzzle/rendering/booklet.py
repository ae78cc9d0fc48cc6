"""A booklet of levels: numbered, with their difficulty, and with solutions at its end.

A game may add notes to a level, such as the questions of a crossword. The solution of a puzzle that is filled in is the
filled puzzle; other puzzles show their last position and the moves to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from unpuzzle.puzzle.capabilities import Constrained, Pictured, offered
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.puzzle.replaying import joined_moves, replay
from unpuzzle.rendering.paper import HEADING, MARGIN, TEXT, Box, Paper
from unpuzzle.rendering.scenes import picture_of

GAP = 20.0
LINE = TEXT * 1.35
Notes = Sequence[tuple[str, Sequence[str]]]
"""Headings that stand beside a picture, each with its lines."""


@dataclass(frozen=True, slots=True)
class BookletEntry:
    """A level of the booklet: its `position`, words about its `difficulty`, and `moves` that solve it, if known."""

    position: Position
    difficulty: str
    moves: Sequence[str] | None

    def __reduce__(self) -> tuple[Any, ...]:
        # Positions hold hashes, which differ from process to process: they travel as text.
        return _again, (self.position.game, str(self.position), self.difficulty, self.moves)


def _again(game: Game, text: str, difficulty: str, moves: Sequence[str] | None) -> BookletEntry:
    return BookletEntry(game.parse(text), difficulty, moves)


def booklet(entries: Sequence[BookletEntry], title: str, size: str = "a4") -> bytes:
    """Return a booklet as PDF, on paper of a size (`a4` or `letter`). Raises UsageError for an unknown size."""
    paper = Paper(size, title)
    grid = (1, 2) if any(notes_of(entry.position) for entry in entries) else (2, 3)
    top = MARGIN + 2.2 * HEADING
    boxes = paper.cells(len(entries), grid, top, GAP, lambda: _heading(paper, title))
    for number, (entry, box) in enumerate(zip(entries, boxes, strict=True), 1):
        _level(paper, number, entry, box)
    solved = [(number, entry) for number, entry in enumerate(entries, 1) if entry.moves is not None]
    if solved:
        paper.turn()
        boxes = paper.cells(len(solved), (3, 5), top, GAP, lambda: _heading(paper, "Solutions"))
        for (number, entry), box in zip(solved, boxes, strict=True):
            _solution(paper, number, entry, box)
    return paper.to_bytes()


def notes_of(position: Position) -> Notes:
    """Return the notes of a game on a position."""
    pictured = offered(position, Pictured)
    return pictured.notes() if pictured else ()


def _heading(paper: Paper, title: str) -> None:
    """Write the title, large up to a colon and small below it, and the number of the page."""
    name, _, about = title.partition(": ")
    paper.write(MARGIN, MARGIN + HEADING * 0.75, name, HEADING * 0.75)
    for number, line in enumerate(paper.lines(about, paper.width - 2 * MARGIN)[:1]):
        paper.write(MARGIN, MARGIN + HEADING * 0.75 + (number + 1) * LINE, line)
    paper.write(paper.width - MARGIN, paper.height - MARGIN * 0.6, str(paper.page), right=True)


def _level(paper: Paper, number: int, entry: BookletEntry, box: Box) -> None:
    """Draw a level below its number and difficulty, with its notes beside it."""
    x, y, width, height = box
    paper.write(x, y + TEXT * 1.2, f"{number}.", TEXT * 1.2)
    paper.write(x + width, y + TEXT * 1.2, entry.difficulty, TEXT, right=True)
    notes = notes_of(entry.position)
    top, rest, picture_width = y + 2.4 * TEXT, height - 2.4 * TEXT, width * (0.5 if notes else 1)
    paper.picture(*picture_of(entry.position), x, top, picture_width, rest)
    beside, size = width - picture_width - GAP, TEXT
    while size > 4 and len(list(_note_lines(paper, notes, beside, size))) * size * 1.35 > rest:
        size -= 0.5  # until the notes fit
    for line, (words, indent) in enumerate(_note_lines(paper, notes, beside, size), 1):
        paper.write(x + picture_width + GAP + indent, top + line * size * 1.35, words, size)


def _note_lines(paper: Paper, notes: Notes, width: float, size: float) -> Iterator[tuple[str, float]]:
    """Yield the lines of notes, each with its indent."""
    for heading, texts in notes:
        yield heading, 0
        for text in texts:
            for number, line in enumerate(paper.lines(text, width - 20, size)):
                yield line, 20 if number else 8
        yield "", 0


def _solution(paper: Paper, number: int, entry: BookletEntry, box: Box) -> None:
    """Draw the solved position and, unless the puzzle is just filled in, the moves to it."""
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
    paper.picture(*picture_of(replay(entry.position, moves).position), x, top, width, y + height - top)


def _grouped(position: Position, moves: Sequence[str]) -> str:
    """Return moves as text, in groups of five where each is one letter."""
    if not position.game.one_letter_moves:
        return joined_moves(position.game, moves)
    return " ".join("".join(moves[start : start + 5]) for start in range(0, len(moves), 5))
