"""Pictures in a terminal, made of characters that cover each other, or bitmaps made of half blocks.

A half block is a character that shows two pixels, one above the other. Its colours have 24 bits if the terminal
supports them (according to `COLORTERM`); otherwise each is the nearest of the 216 in the cube of 256-colour terminals.
"""

from __future__ import annotations

from collections.abc import Iterable

from unpuzzle.drawing.parts import Ground, Look, Piece
from unpuzzle.drawing.shapes import Pixels

Line = list[tuple[str, str]]
"""Characters, each with its role."""

COVER = "\u00a0"
"""In the text of a look: a blank that hides the characters below. A plain blank is transparent."""

ANSI = {"wall": 90, "grid": 90, "box": 33, "goal": 32, "hero": 95, "tile": 94, "home": 32, "food": 33, "mark": 36}
"""The colour of each role, one of the sixteen of a terminal. Other roles have the colour of the terminal's text."""
RESET = "\033[0m"
CUBE = (0, 95, 135, 175, 215, 255)
"""The brightness of the six levels of red, green and blue in the colour cube."""
UPPER, LOWER = "▀", "▄"


def terminal(ground: Ground, pieces: Iterable[Piece], colours: bool = False) -> str:
    """Return a picture as lines of text without trailing blanks; `colours` adds escape sequences."""
    lines = [[(symbol, ground.role) for symbol in line] for line in ground.text.split("\n")]
    for name, row, column, _ in ground.in_order(pieces):
        if ground.places:
            place = ground.places[row, column]
        else:
            place = ground.start[0] + round(row * ground.step[0]), ground.start[1] + round(column * ground.step[1])
        _write(lines, ground.looks[name], *place)
    texts = [_coloured(line) if colours else "".join([symbol for symbol, _ in line]) for line in lines]
    return "\n".join([text.rstrip() for text in texts])


def _write(lines: list[Line], look: Look, down: int, right: int) -> None:
    """Write the text of an appearance over lines; plain blanks in it are transparent."""
    for number, text in enumerate(look.text.split("\n"), down):
        lines += [[] for _ in range(number + 1 - len(lines))]
        line = lines[number]
        line += [(" ", "")] * (right + len(text) - len(line))
        for place, symbol in enumerate(text, right):
            if symbol != " ":
                line[place] = (" " if symbol == COVER else symbol), look.role


def _coloured(line: Line) -> str:
    """Return a line with escape sequences at changes of colour."""
    parts, now = [], 0
    for symbol, role in line:
        code = now if symbol == " " else ANSI.get(role, 0)
        parts += [f"\033[{code}m{symbol}" if code != now else symbol]
        now = code
    return "".join(parts).rstrip() + ("\033[0m" if now else "")


def blocks(ground: Ground, pieces: Iterable[Piece], full: bool = True) -> str:
    """Return a picture as lines of half blocks; the ground must have a `grain`; `full` means 24-bit colours."""
    width, height = round(ground.columns * ground.grain), round(ground.rows * ground.grain)
    rows = [[""] * width for _ in range(height + height % 2)]
    for shape, row, column in ground.all_shapes(pieces):
        if isinstance(shape, Pixels):
            _put(rows[:height], shape, row + shape.y, column + shape.x, ground.grain)
    return "\n".join([_line(rows[number], rows[number + 1], full) for number in range(0, height, 2)])


def _put(rows: list[list[str]], bitmap: Pixels, y: float, x: float, grain: int) -> None:
    """Write the colours of a bitmap into rows of pixels."""
    top, left = round(y * grain), round(x * grain)
    down = max(round(bitmap.height * grain) // len(bitmap.rows), 1)
    across = max(round(bitmap.width * grain) // len(bitmap.rows[0]), 1)
    for colour, boxes in bitmap.boxes().items():
        for column, row, width, height in boxes:
            start, end = left + column * across, left + (column + width) * across
            for line in rows[top + row * down : top + (row + height) * down]:
                line[start:end] = [colour] * len(line[start:end])


def _line(above: list[str], below: list[str], full: bool) -> str:
    """Return two rows of pixels as one line of half blocks, with escape sequences where the colours change."""
    parts, now = [], ("", "")
    for pair in zip(above, below, strict=True):
        if pair != now:
            upper, lower = pair  # a half block in one colour, its background in the other
            parts.append(RESET + (_select(38, upper or lower, full) if upper or lower else ""))
            parts.append(_select(48, lower, full) if upper and lower else "")
            now = pair
        parts.append(UPPER if pair[0] else LOWER if pair[1] else " ")
    return "".join(parts) + RESET


def _select(where: int, colour: str, full: bool) -> str:
    parts = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    if full:
        return "\033[{};2;{};{};{}m".format(where, *parts)
    red, green, blue = (min(range(6), key=lambda level: abs(CUBE[level] - part)) for part in parts)
    return f"\033[{where};5;{16 + 36 * red + 6 * green + blue}m"
