"""A Gogen's picture: the grid, and beside it the words in columns; words that can be traced have a tick."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from unpuzzle.drawing import Ground, Look, Path, Piece, Rect, Shape, Text
from unpuzzle.translators.gogen.grid import LETTERS, SIDE, traceable

COLUMNS = 3
"""The largest number of columns of words in a terminal, unless they are longer than the grid."""
LINE, LETTER = 0.55, 0.34
"""The height of a line of words beside the grid, and the width of a letter there, in cells."""
TICK_SHAPE = Path([(-0.03, 0.28), (0.07, 0.38), (0.24, 0.15)], line="goal", thick=0.06)
TICK = Look(TICK_SHAPE, text="✓", role="goal", label="can be traced")
BESIDE = SIDE + 0.4
"""The column where the words begin."""


@lru_cache(maxsize=16)
def ground(words: tuple[str, ...]) -> Ground:
    """Return the empty grid, and the words without ticks."""
    across, down = [[(0, i), (SIDE, i)] for i in range(1, SIDE)], [[(i, 0), (i, SIDE)] for i in range(1, SIDE)]
    shapes: list[Shape] = [
        Rect(0, 0, SIDE, SIDE, 0.1, fill="floor", line="ink", thick=0.05),
        Path(*across, *down, line="grid", thick=0.02),
    ]
    columns, beside = _columns(words)
    for word, (row, column) in zip(words, beside, strict=True):
        shapes.append(Text(column + LETTER, row + LINE / 2, word, 0.36, left=True))
    looks = {letter: Look(Text(0.5, 0.5, letter, 0.56), text=letter, label=letter) for letter in LETTERS}
    rows = max([SIDE, *(row + LINE for row, _ in beside)])
    text, places = _text(words, beside)
    return Ground(rows, columns, {**looks, "✓": TICK}, shapes, text, role="ink", places=places)


def pieces(places: Mapping[str, int], words: tuple[str, ...]) -> list[Piece]:
    """Return the letters that are placed, and the ticks of words that can be traced."""
    letters: list[Piece] = [(letter, cell // SIDE, cell % SIDE, letter) for letter, cell in places.items()]
    beside = zip(words, _columns(words)[1], strict=True)
    traced = [(word, place) for word, place in beside if traceable(places, word)]
    return [*letters, *(("✓", row, column, f"tick of {word}") for word, (row, column) in traced)]


@lru_cache(maxsize=16)
def _columns(words: tuple[str, ...]) -> tuple[float, Sequence[tuple[float, float]]]:
    """Return the width of the picture with its words, and where the line of each word begins."""
    height = _height(len(words))
    column, places = BESIDE, []
    for start in range(0, len(words), height):
        part = words[start : start + height]
        places += [(number * LINE, column) for number in range(len(part))]
        column += LETTER * (max(map(len, part)) + 1.6)
    return max(column - 0.2, float(SIDE)), places


def _height(words: int) -> int:
    """Return the number of words in a column: columns are equally long, so that no word is alone in the last."""
    most = max(int(SIDE / LINE), -(-words // COLUMNS))
    return -(-words // max(-(-words // most), 1)) or 1


def _text(
    words: Sequence[str], beside: Sequence[tuple[float, float]]
) -> tuple[str, Mapping[tuple[float, float], tuple[int, int]]]:
    """Return the text, and the place in it of each place in the picture: of the cells and of the ticks."""
    height = max(SIDE, -(-len(words) // COLUMNS))
    lines = [" ".join("·" * SIDE)] * SIDE + [""] * (height - SIDE)
    places: dict[tuple[float, float], tuple[int, int]] = {(r, c): (r, 2 * c) for r in range(SIDE) for c in range(SIDE)}
    start = 2 * SIDE - 1 + 3
    for first in range(0, len(words), height):
        column = words[first : first + height]
        for number, word in enumerate(column):
            places[beside[first + number]] = number, start
            lines[number] = lines[number].ljust(start + 2) + word  # a tick and a blank come before each word
        start += max(map(len, column)) + 2 + 3
    return "\n".join(lines), places
