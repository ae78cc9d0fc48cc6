"""States of play and levels of a game, and their conversion to text and back.

The text of a state is the board, rows joined by `/`, cells by `,`, a cell the names of its objects in alphabetical
order, joined by a blank; then lines for the rest:

    won                 the last move has won
    restart BOARD       the board to which the command `restart` leads, in games that have it
    seed SEED DRAWN     random numbers come from a seed, after some draws
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

from unpuzzle.base.errors import ParseError
from unpuzzle.puzzlescript.compiling.compiled import Compiled, bits
from unpuzzle.puzzlescript.compiling.sections import MOST_CELLS, cells_of, with_background

MOST_DRAWN = 1_000_000
"""The largest number of draws in a state; they have to be repeated."""
_AFTER_A_BOARD: tuple[list[str], ...] = ([], ["won"], ["restart"], ["seed"], ["ticks"])
BYTES = 7


class State(NamedTuple):
    """The state of a level in play; its cells are numbered column by column."""

    width: int
    height: int
    cells: tuple[int, ...]
    won: bool = False
    target: tuple[int, ...] | None = None
    seed: str | None = None
    drawn: int = 0


class StateText:
    """A converter of the states of one game to text and back."""

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
        """Return a state as text, from which `read` makes an equal state."""
        lines = [self.board(state.cells, state.width, state.height)]
        if state.won:
            lines.append("won")
        if state.target is not None:
            lines.append(f"restart {self.board(state.target, state.width, state.height)}")
        if state.seed is not None:
            lines.append(f"seed {state.seed} {state.drawn}")
        return "\n".join(lines) + "\n"

    def picture(self, state: State) -> str:
        """Return a board as rows of level characters; `?` is a cell that no character describes."""
        cells = [self._glyph(objects) for objects in state.cells]
        return "\n".join(["".join(cells[y :: state.height]) for y in range(state.height)])

    def _glyph(self, objects: int) -> str:
        ground = self.game.background_layer
        single = [1 << number for number in reversed(list(bits(objects)))]
        masks = (objects, objects & ~ground, *single)
        return next((glyph for mask in masks for glyph, its in self._glyphs.items() if its == mask), "?")

    def read(self, text: str, source: str | None) -> tuple[State, bool]:
        """Read a state, or a level in rows of characters; return the state, and True if it is a level.

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
        """Return whether a text begins with a board written as names of objects, not as rows of level characters.

        A game may have objects called 1 and 11, so that rows of glyphs look like names; but a board has a ground.
        """
        words = {word for cell in lines[0].replace("/", ",").split(",") for word in cell.split()}
        if not words <= self.numbers.keys() or (len(lines) > 1 and lines[1].split()[:1] not in _AFTER_A_BOARD):
            return False
        ground = {self.game.objects[number] for number in bits(self.game.background_layer)}
        return bool(words & ground) or not all(char in self._glyphs for char in lines[0].strip())

    def _state(self, board: str, line: int, source: str | None) -> State:
        """Read a board that is written as names of objects. Raises ParseError."""
        rows = [row.split(",") for row in board.split("/")]
        for row in rows:
            if len(row) != len(rows[0]):
                message = f"a row of the board is {len(row)} wide, but the first row is {len(rows[0])}"
                raise ParseError(message, file=source, line=line + 1, column=1)
        sets = {cell: self._objects(cell.split(), line, source) for cell in dict.fromkeys(chain.from_iterable(rows))}
        return State(len(rows[0]), len(rows), tuple([sets[row[x]] for x in range(len(rows[0])) for row in rows]))

    def _objects(self, names: Sequence[str], line: int, source: str | None) -> int:
        """Return the set of the named objects. Raises ParseError for unknown objects and for two in one layer."""
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
        """Read a board that is written as rows of level characters. Raises ParseError."""
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
        """Return a state with one more attribute, which a line of its text describes, such as the seed."""
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


class LevelTexts(dict[str, str]):
    """The texts of a game's levels by number (messages are counted, too); `states` has the state of each text.

    A level can be asked for by the message before it, too.
    """

    def __init__(self, game: Compiled) -> None:
        super().__init__({str(n): f"{level.text}\n" for n, level in enumerate(game.levels) if level.width})
        self.states: dict[str, State] = {level.text: State(*level[:3]) for level in game.levels if level.width}
        self._numbers: dict[str, str] = {}
        for number, level in enumerate(game.levels[:-1]):
            if not level.width and str(number + 1) in self:
                self._numbers.setdefault(_simplified(level.text), str(number + 1))

    def number(self, name: str) -> int | None:
        """Return the number of a level, given by number or name; None if there is no such level."""
        number = name if dict.__contains__(self, name) else self._numbers.get(_simplified(name))
        return None if number is None else int(number)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.number(name) is not None

    def __missing__(self, name: str) -> str:
        number = self.number(name)
        if number is None:
            raise KeyError(name)
        return self[str(number)]


def _simplified(message: str) -> str:
    """Return a message as the name of a level: in lower case, without punctuation at the end."""
    return message.lower().rstrip(" .!?")


class Glyphs:
    """A converter of boards to rows of level characters; if several characters fit a cell, the most frequent is used.

    Not every board can be written: a cell needs a glyph for exactly its objects. A background object need not be
    written if it is the one that every cell without a background gets, which depends on the rest of the board; so the
    result is read again, and is used only if it gives the same board.
    """

    def __init__(self, game: Compiled) -> None:
        self.game = game
        used = Counter("".join([level.text for level in game.levels if level.width]))
        self._order = sorted(game.glyphs, key=lambda glyph: -used[glyph[0]])
        self.table: Callable[[int], dict[int, str]] = cache(self._table)
        """A function that returns the glyphs by their objects, given the filler for cells without a background."""

    def rows(self, cells: Sequence[int], height: int) -> list[str] | None:
        """Return a board as rows of level characters; None if a cell has no character."""
        ground = self.game.background_layer
        fillers = sorted({cell & ground for cell in cells}, key=lambda filler: filler != self.game.background)
        return next((rows for rows in (self._rows(cells, height, filler) for filler in fillers) if rows), None)

    def _rows(self, cells: Sequence[int], height: int, filler: int) -> list[str] | None:
        """Return a board as rows of level characters, or None; `filler` is the background that characters imply."""
        table = self.table(filler)
        chars = [table.get(cell, "") for cell in cells]
        if not all(chars):
            return None
        rows = ["".join(chars[row::height]) for row in range(height)]
        again = cells_of(rows, dict(self.game.glyphs), lambda *_: None)
        same = with_background(again, self.game.background_layer, self.game.background) == tuple(cells)
        other = any("(" in row or row.startswith("message") or set(row) == {"="} for row in rows)
        return rows if same and not other else None  # comments and messages are read as something else

    def _table(self, filler: int) -> dict[int, str]:
        table: dict[int, str] = {}
        for glyph, objects in self._order:
            table.setdefault(objects if objects & self.game.background_layer else objects | filler, glyph)
        return table


class Draws:
    """A random number generator (RC4), which repeats the same numbers for the same seed.

    A draw takes seven bytes, the most significant first, as a fraction of 2^56 - 1 in double precision.
    """

    __slots__ = ("_boxes", "_i", "_j", "drawn")

    def __init__(self, seed: str) -> None:
        key = seed_bytes(seed) or b"\0"
        boxes = list(range(256))
        j = 0
        for i in range(256):
            j = (j + boxes[i] + key[i % len(key)]) % 256
            boxes[i], boxes[j] = boxes[j], boxes[i]
        self._boxes = boxes
        self._i = self._j = 0
        self.drawn: int = 0
        """The number of draws so far."""

    def copy(self) -> Draws:
        """Return a copy of the generator, which produces the same numbers from now on."""
        other = Draws.__new__(Draws)
        other._boxes, other._i, other._j, other.drawn = list(self._boxes), self._i, self._j, self.drawn
        return other

    def below(self, count: int) -> int:
        """Return a random number from 0 to `count` - 1."""
        self.drawn += 1
        boxes, i, j, part = self._boxes, self._i, self._j, 0.0
        for _ in range(BYTES):
            i = (i + 1) % 256
            j = (j + boxes[i]) % 256
            boxes[i], boxes[j] = boxes[j], boxes[i]
            part = part * 256 + boxes[(boxes[i] + boxes[j]) % 256]
        self._i, self._j = i, j
        return int(part / (2.0 ** (8 * BYTES) - 1) * count)


def seed_bytes(seed: str) -> bytes:
    """Convert the text of a seed to bytes, the key of the random number generator."""
    codes = [ord(char) for char in seed]
    return b"".join([code.to_bytes(max(1, (code.bit_length() + 7) // 8), "big") for code in codes])


@lru_cache(maxsize=1024)
def draws_at(seed: str, drawn: int) -> Draws:
    """Return a random number generator from which `drawn` numbers were drawn; copy it before use.

    It is computed from the source at the next lower multiple of 100, or of a higher power of ten.
    """
    if not drawn:
        return Draws(seed)
    unit = 100
    while drawn % unit == 0:
        unit *= 10
    draws = draws_at(seed, drawn - drawn % unit).copy()
    while draws.drawn < drawn:
        draws.below(1)
    return draws
