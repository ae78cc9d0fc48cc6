"""The state of a level in play, with everything that future moves depend on; and its text.

The text is the board, rows joined by `/`, cells by `,`, a cell the names of its objects in alphabetical order, joined
by a blank; then lines for the rest:

    won                 the last move has won
    restart BOARD       the board to which the command `restart` leads, in games that have it
    seed SEED DRAWN     random numbers come from a seed, after some draws
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from unpuzzle.base.errors import ParseError
from unpuzzle.puzzlescript.compiling.compiled import Compiled
from unpuzzle.puzzlescript.compiling.sections import MOST_CELLS, cells_of, with_background
from unpuzzle.puzzlescript.playing.sets import bits

MOST_DRAWN = 1_000_000
"""The largest number of draws in a state; they have to be repeated."""
_AFTER_A_BOARD: tuple[list[str], ...] = ([], ["won"], ["restart"], ["seed"], ["ticks"])


class State(NamedTuple):
    """The state of a level in play, described in the module's docstring. Cells are numbered column by column."""

    width: int
    height: int
    cells: tuple[int, ...]
    won: bool = False
    target: tuple[int, ...] | None = None
    seed: str | None = None
    drawn: int = 0


class StateText:
    """A writer and reader of the states of a game as text."""

    def __init__(self, game: Compiled) -> None:
        self.game = game
        self.numbers: dict[str, int] = {name: number for number, name in enumerate(game.objects)}
        self._glyphs = dict(game.glyphs)
        self._names: dict[int, str] = {}

    def board(self, cells: Sequence[int], width: int, height: int) -> str:
        """Return a board as one line of text."""
        names = self._names
        for objects in set(cells).difference(names):
            names[objects] = " ".join(sorted(self.game.objects[number] for number in bits(objects)))
        texts = [names[objects] for objects in cells]
        return "/".join([",".join(texts[y::height]) for y in range(height)])

    def write(self, state: State) -> str:
        lines = [self.board(state.cells, state.width, state.height)]
        if state.won:
            lines.append("won")
        if state.target is not None:
            lines.append(f"restart {self.board(state.target, state.width, state.height)}")
        if state.seed is not None:
            lines.append(f"seed {state.seed} {state.drawn}")
        return "\n".join(lines) + "\n"

    def picture(self, state: State) -> str:
        """Return the board in glyphs, row by row; `?` for a cell without a glyph."""
        cells = [self._glyph(objects) for objects in state.cells]
        return "\n".join(["".join(cells[y :: state.height]) for y in range(state.height)])

    def _glyph(self, objects: int) -> str:
        ground = self.game.background_layer
        single = [1 << number for number in reversed(list(bits(objects)))]
        masks = (objects, objects & ~ground, *single)
        return next((glyph for mask in masks for glyph, its in self._glyphs.items() if its == mask), "?")

    def read(self, text: str, source: str | None) -> tuple[State, bool]:
        """Return the state of a text, and whether it is a level in rows of glyphs, which must still be started.

        Rows of glyphs end with a blank line, followed by the rest.
        """
        lines = text.removeprefix("\ufeff").split("\n")
        first = next((number for number, line in enumerate(lines) if line.strip()), None)
        if first is None:
            raise ParseError("there is no board: the text is empty", file=source, line=1, column=1)
        board = self._is_board(lines[first:])
        if board:
            rows, rest = lines[first : first + 1], first + 1
            state = self._state(rows[0].strip(), first, source)
        else:
            rest = next((n for n in range(first, len(lines)) if not lines[n].strip()), len(lines))
            state = self._level(lines[first:rest], first, source)
        for number in range(rest, len(lines)):
            if lines[number].strip():
                state = self._extended(state, lines[number], number, source)
        return state, not board

    def _is_board(self, lines: Sequence[str]) -> bool:
        """Return whether a text begins with a board (only names, and no similar line below), not with rows of glyphs.

        A game may have objects called 1 and 11, so that rows of glyphs look like names; but a board has a ground.
        """
        words = {word for cell in lines[0].replace("/", ",").split(",") for word in cell.split()}
        if not words <= self.numbers.keys() or (len(lines) > 1 and lines[1].split()[:1] not in _AFTER_A_BOARD):
            return False
        ground = {self.game.objects[number] for number in bits(self.game.background_layer)}
        return bool(words & ground) or not all(char in self._glyphs for char in lines[0].strip())

    def _state(self, board: str, line: int, source: str | None) -> State:
        rows = [row.split(",") for row in board.split("/")]
        for row in rows:
            if len(row) != len(rows[0]):
                message = f"a row of the board is {len(row)} wide, but the first row is {len(rows[0])}"
                raise ParseError(message, file=source, line=line + 1, column=1)
        sets = {cell: self._objects(cell.split(), line, source) for cell in dict.fromkeys(chain.from_iterable(rows))}
        return State(len(rows[0]), len(rows), tuple([sets[row[x]] for x in range(len(rows[0])) for row in rows]))

    def _objects(self, names: Sequence[str], line: int, source: str | None) -> int:
        objects = 0
        for name in names:
            if name not in self.numbers:
                raise ParseError(f"the game has no object {name}", file=source, line=line + 1, column=1)
            objects |= 1 << self.numbers[name]
        for layer in self.game.layers:
            if (objects & layer).bit_count() > 1:
                both = " and ".join(self.game.objects[number] for number in bits(objects & layer))
                message = f"{both} are in one layer, so they can never be in one cell"
                raise ParseError(message, file=source, line=line + 1, column=1)
        return objects

    def _level(self, lines: Sequence[str], line: int, source: str | None) -> State:
        rows = [text.strip().lower() for text in lines]

        def unknown(char: str, row: int, _: int) -> None:
            raise ParseError(
                f"the character {char} is not a glyph of this game; the glyphs are {' '.join(sorted(self._glyphs))}",
                file=source,
                line=line + row + 1,
                column=lines[row].lower().index(char) + 1,
                text=lines[row],
            )

        if len(rows) * len(rows[0]) > MOST_CELLS:
            message = f"a board of {len(rows):,} x {len(rows[0]):,} cells: at most {MOST_CELLS:,} are allowed"
            raise ParseError(message, file=source, line=line + 1, column=1)
        cells = cells_of(rows, self._glyphs, unknown)
        ground = (self.game.background_layer, self.game.background)
        return State(len(rows[0]), len(rows), with_background(cells, *ground))

    def _extended(self, state: State, line: str, number: int, source: str | None) -> State:
        """Return the state extended by the content of one more line."""
        word, _, rest = line.strip().partition(" ")
        if word == "won" and not rest:
            return state._replace(won=True)
        if word == "ticks" and not rest and self.game.options.realtime:
            return state  # as levels were written when ticks were no moves without it
        if word == "restart":
            target = self._state(rest, number, source)
            if (target.width, target.height) == (state.width, state.height):
                return state._replace(target=target.cells)
        values = rest.split()
        if word == "seed" and len(values) in (1, 2):
            drawn = [*values, "0"][1]
            if drawn.isdecimal() and len(drawn) < 12 and int(drawn) <= MOST_DRAWN:
                return state._replace(seed=values[0], drawn=int(drawn))
        raise ParseError(
            "after the board, only these lines are allowed: `won`, `restart BOARD` of the same size, and "
            f"`seed SEED DRAWN` with at most {MOST_DRAWN:,} drawn",
            file=source,
            line=number + 1,
            column=1,
            text=line,
        )
