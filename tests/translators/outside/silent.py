"""A game without PDDL: rules only."""

from unpuzzle import IllegalMove, ParseError, Puzzle


class Silent(Puzzle):
    """A heap; a move takes one, two or three."""

    name = "silent"
    title = "Silent: take the last one"
    levels = {"1": "7\n", "2": "11\n"}

    def __init__(self, heap):
        self.heap = heap

    @classmethod
    def parse(cls, text, source=None):
        line = text.removeprefix("\ufeff").rstrip("\r\n")
        if not (line.isascii() and line.isdigit() and len(line) < 4):
            raise ParseError("a level is a number", file=source, line=1, column=1)
        return cls(int(line))

    def __str__(self):
        return f"{self.heap}\n"

    def moves(self):
        return tuple("123"[: self.heap])

    def apply(self, move):
        if move not in self.moves():
            raise IllegalMove(f"{move!r} cannot be taken", move=move)
        return Silent(self.heap - int(move))

    def solved(self):
        return self.heap == 0
