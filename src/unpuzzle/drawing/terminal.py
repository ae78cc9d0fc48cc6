"""Pictures in a terminal: characters laid over each other."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from unpuzzle.drawing.parts import Ground, Look, Piece

COVER = "\u00a0"
"""In the text of a look: a blank that hides what is below. A plain blank lets it show."""

ANSI = {"wall": 90, "grid": 90, "box": 33, "goal": 32, "hero": 95, "tile": 94, "home": 32, "food": 33, "mark": 36}
"""By role: its colour in a terminal, of the sixteen. Other roles have the terminal's own."""


def terminal(ground: Ground, pieces: Iterable[Piece], colours: bool = False) -> str:
    """The picture as text; with the terminal's colours, if wanted. No line ends with blanks."""
    canvas = _Canvas(ground)
    layers = ground.layers()
    for name, row, column, _ in sorted(pieces, key=lambda piece: layers[piece[0]]):
        canvas.put(ground.looks[name], row, column)
    lines = [_coloured(line) if colours else "".join([symbol for symbol, _ in line]) for line in canvas.lines]
    return "\n".join([line.rstrip() for line in lines])


class _Canvas:
    """Lines of characters with their roles."""

    def __init__(self, ground: Ground) -> None:
        self.lines = [[(symbol, ground.role) for symbol in line] for line in ground.text.split("\n")]
        self.step, self.start, self.places = ground.step, ground.start, ground.places

    def put(self, look: Look, row: float, column: float) -> None:
        """Write a look into a cell; plain blanks let show what is below."""
        if self.places:
            down, right = self.places[row, column]
        else:
            down = self.start[0] + round(row * self.step[0])
            right = self.start[1] + round(column * self.step[1])
        for number, text in enumerate(look.text.split("\n"), down):
            self.lines += [[] for _ in range(number + 1 - len(self.lines))]
            line = self.lines[number]
            line += [(" ", "")] * (right + len(text) - len(line))
            for place, symbol in enumerate(text, right):
                if symbol != " ":
                    line[place] = (" " if symbol == COVER else symbol), look.role


def _coloured(line: Iterable[tuple[str, str]]) -> str:
    """A line with escape sequences where the colour changes."""
    parts, now = [], 0
    for symbol, role in line:
        code = now if symbol == " " else ANSI.get(role, 0)
        parts += [f"\033[{code}m{symbol}" if code != now else symbol]
        now = code
    return "".join(parts).rstrip() + ("\033[0m" if now else "")
