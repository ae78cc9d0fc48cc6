"""Pictures in a terminal: characters laid over each other."""

from __future__ import annotations

from collections.abc import Iterable

from unpuzzle.drawing.parts import Ground, Look, Piece

Line = list[tuple[str, str]]
"""Characters, each with its role."""

COVER = "\u00a0"
"""In the text of a look: a blank that hides what is below. A plain blank lets it show."""

ANSI = {"wall": 90, "grid": 90, "box": 33, "goal": 32, "hero": 95, "tile": 94, "home": 32, "food": 33, "mark": 36}
"""By role: its colour, one of the sixteen of a terminal. Other roles have the colour of the terminal's text."""


def terminal(ground: Ground, pieces: Iterable[Piece], colours: bool = False) -> str:
    """Return a picture as lines of text without blanks at their ends; `colours` adds escape sequences."""
    lines = [[(symbol, ground.role) for symbol in line] for line in ground.text.split("\n")]
    for name, row, column, _ in ground.in_order(pieces):
        _write(lines, ground.looks[name], *_place(ground, row, column))
    texts = [_coloured(line) if colours else "".join([symbol for symbol, _ in line]) for line in lines]
    return "\n".join([text.rstrip() for text in texts])


def _place(ground: Ground, row: float, column: float) -> tuple[int, int]:
    """Return the line and the character at which a cell begins."""
    if ground.places:
        return ground.places[row, column]
    return ground.start[0] + round(row * ground.step[0]), ground.start[1] + round(column * ground.step[1])


def _write(lines: list[Line], look: Look, down: int, right: int) -> None:
    """Write the text of a look over lines; its plain blanks let show what is below."""
    for number, text in enumerate(look.text.split("\n"), down):
        lines += [[] for _ in range(number + 1 - len(lines))]
        line = lines[number]
        line += [(" ", "")] * (right + len(text) - len(line))
        for place, symbol in enumerate(text, right):
            if symbol != " ":
                line[place] = (" " if symbol == COVER else symbol), look.role


def _coloured(line: Line) -> str:
    """Return a line with escape sequences where the colour changes."""
    parts, now = [], 0
    for symbol, role in line:
        code = now if symbol == " " else ANSI.get(role, 0)
        parts += [f"\033[{code}m{symbol}" if code != now else symbol]
        now = code
    return "".join(parts).rstrip() + ("\033[0m" if now else "")
