r"""GridPuzzle, the base class of puzzles with a symbol in each cell of a grid. An example of a puzzle:

    class Lonely(GridPuzzle):
        name = "lonely"
        title = "Lonely: walk to the flag"
        levels = {"1": "@.#\n..F\n"}
        symbols = {"#": "a wall", ".": "floor", "@": "the walker", "F": "the flag"}
        single = {"walker": "@"}
        directions = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}

        def following(self):
            walker = self.cells.index("@")
            steps = self.around[walker].items()
            return {move: self.changed({walker: ".", to: "@"}) for move, to in steps if self.cells[to] != "#"}

        def solved(self):
            return "F" not in self.cells

It has moves, text, errors that point at line and column, pictures, symmetries, equality. For PDDL it adds `predicates`,
the facts about a cell by its symbol, `actions`, `statics` and `goal_condition` (see `Position`); `names` has the names
of cells, except `solid` ones, such as walls.

If not every grid of right symbols is a level, `fault` says what is wrong and in which cell. Pieces of several cells,
such as cars, are declared by `joined`: `groups` gives their cells, and pictures and pages move them as one.

Cells are numbered row by row from 0. Rows may have different lengths if the class defines what fills them up
(`filler`). Besides the symbols, `keywords` distinguish positions: lines above the grid, such as `torus`.
Puzzles whose cells contain more than one character, or that are searched by the million, have their own class
and use the parts of this folder (Boxup, sliding tiles, Pacman).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, Self

from unpuzzle.base.errors import GameFault, ParseError
from unpuzzle.base.text import count
from unpuzzle.drawing import Ground, Piece, Shape
from unpuzzle.model.capabilities import Pictured, Symmetric
from unpuzzle.model.position import Fact, Position, Puzzle, by_text
from unpuzzle.translators.shared import pictures as picture
from unpuzzle.translators.shared.cells import cell_names, groups, neighbours, place, symmetries
from unpuzzle.translators.shared.text import Page, Word

MOST_CELLS = 250_000


class GridPuzzle(Puzzle, Pictured, Symmetric):
    """The base class of puzzles with a symbol in each cell; required: `symbols`, `following` and `solved`."""

    __slots__ = ("cells", "columns", "keywords")

    symbols: ClassVar[Mapping[str, str]] = {}
    """The symbols of cells: symbol → its meaning, for messages."""
    aliases: ClassVar[Mapping[str, str]] = {}
    """Other ways to write symbols: alias → symbol."""
    filler: ClassVar[str] = ""
    """The symbol that fills up short rows, and is not written at their end. Empty: rows are equally long."""
    single: ClassVar[Mapping[str, str]] = {}
    """The things of which there must be exactly one: noun → the symbols that show it, the first for messages."""
    known_keywords: ClassVar[Sequence[str]] = ()
    """Words that may be above the grid, each on a separate line."""
    directions: ClassVar[Mapping[str, tuple[int, int]]] = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}
    """The directions around a cell: direction → the change of row and column."""
    looks: ClassVar[Mapping[str, str]] = {}
    """The texts of symbols in a terminal, which also determine their look elsewhere."""
    drawn: ClassVar[Mapping[str, Sequence[Shape]]] = {}
    """The shapes of symbols with their own look; see `unpuzzle.drawing`."""
    joined: ClassVar[str] = ""
    """The symbols of pieces of several cells, such as cars: cells of one symbol that touch at their sides."""
    painted: ClassVar[Mapping[str, str]] = {}
    """The role in which such a piece is painted, by its symbol; by default `tile`."""
    below: ClassVar[Mapping[str, str]] = {}
    """By symbol of a thing that moves change, the symbol of its cell without the thing. By default floor."""
    predicates: ClassVar[Mapping[str, Sequence[str]]] = {}
    """The predicates that are true of a cell in the PDDL, by its symbol."""
    solid: ClassVar[str] = ""
    """The symbols of cells, such as walls, that the PDDL leaves out."""

    def __init__(self, cells: str, columns: int, keywords: frozenset[str] = frozenset()) -> None:
        self.cells: str = cells
        self.columns: int = columns
        self.keywords: frozenset[str] = keywords

    def _key(self) -> Hashable:
        return self.cells, self.columns, self.keywords

    @property
    def rows(self) -> int:
        """The number of rows of the grid."""
        return len(self.cells) // self.columns

    @property
    def around(self) -> Sequence[Mapping[str, int]]:
        """The neighbours of each cell by direction; with the keyword `torus`, also across the edges."""
        return neighbours(self.rows, self.columns, self.directions, "torus" in self.keywords)

    @property
    def names(self) -> Sequence[str]:
        """The names of the cells, as in PDDL and in moves."""
        return cell_names(self.rows, self.columns)

    def steps(self) -> list[tuple[int, str, int]]:
        """Return the steps between adjacent cells with their directions; a cell with a `solid` symbol has none."""
        free = {cell for cell, symbol in enumerate(self.cells) if symbol not in self.solid}
        return [(cell, side, to) for cell in sorted(free) for side, to in self.around[cell].items() if to in free]

    def place(self, cell: int) -> str:
        """Return a description of a cell in words, with row and column from 1."""
        return place(cell, self.columns)

    def where(self, symbols: str) -> list[int]:
        """Return the cells that contain one of the given symbols."""
        return [cell for cell, symbol in enumerate(self.cells) if symbol in symbols]

    def groups(self, symbols: str | None = None) -> Sequence[Sequence[int]]:
        """Return the sets of connected cells with the same symbol, one of `symbols` (by default, of `joined`)."""
        return groups(self.cells, self.columns, self.joined if symbols is None else symbols)

    def changed(self, changes: Mapping[int, str]) -> Self:
        """Return the position after some cells change; `changes` maps each of these cells to its new symbol."""
        cells = list(self.cells)
        for cell, symbol in changes.items():
            cells[cell] = symbol
        return type(self)("".join(cells), self.columns, self.keywords)

    @classmethod
    def parse(cls, text: str, source: str | None = None) -> Self:
        sheet = Sheet(text, source, cls)
        for noun, symbols in cls.single.items():
            sheet.require_one(noun, symbols)
        position = cls(sheet.cells, sheet.columns, sheet.keywords)
        fault = position.fault()
        if fault is not None:
            if not (isinstance(fault, tuple) and len(fault) == 2 and type(fault[1]) is int):
                raise GameFault(f"{cls.name}: fault() returned {fault!r}, not None or (sentence, number of a cell)")
            raise sheet.error(*fault)
        return position._normal()

    def fault(self) -> tuple[str, int] | None:
        """Return the reason why the grid is no level and the cell that is wrong, or None if it is a level.

        `parse` asks for it, so a position after moves never has one.
        """
        return None

    def _normal(self) -> Self:
        """Return the position without rows and columns at the edges that consist of the filler symbol alone."""
        filler, rows = self.filler, list(self._rows())
        if not filler or filler not in rows[0] + rows[-1]:
            return self
        for _ in range(4):  # each side in turn: the rows are turned by a quarter
            while len(rows) > 1 and not rows[0].strip(filler):
                del rows[0]
            rows = ["".join(column) for column in zip(*rows, strict=True)][::-1]
        return type(self)("".join(rows), len(rows[0]), self.keywords)

    def __str__(self) -> str:
        return "".join([f"{line}\n" for line in (*sorted(self.keywords), *self._lines())])

    def _lines(self) -> Iterator[str]:
        for row in self._rows():
            yield row.rstrip(self.filler) if self.filler else row

    def _rows(self) -> Iterator[str]:
        return (self.cells[start : start + self.columns] for start in range(0, len(self.cells), self.columns))

    def ground(self) -> Ground:
        looks = tuple(sorted({look for look, *_ in picture.joined_pieces(type(self), self.cells, self.columns)}))
        return picture.ground(type(self), self.cells.translate(picture.below(type(self))), self.columns, looks)

    def pieces(self) -> list[Piece]:
        kind, columns, joined = picture.kinds(type(self)), self.columns, self.joined
        cells = [(cell, symbol) for cell, symbol in enumerate(self.cells) if symbol in kind and symbol not in joined]
        single = [(symbol, cell // columns, cell % columns, kind[symbol]) for cell, symbol in cells]
        return [*single, *picture.joined_pieces(type(self), self.cells, columns)]

    def objects(self) -> Mapping[str, Iterable[str]]:
        return {"cell": [name for name, symbol in zip(self.names, self.cells, strict=True) if symbol not in self.solid]}

    def facts(self) -> Iterable[Fact]:
        cells = zip(self.names, self.cells, strict=True)
        return [(predicate, name) for name, symbol in cells for predicate in self.predicates.get(symbol, ())]

    def symmetries(self) -> Iterable[Self]:
        """Return the reflections and rotations of the grid; for games in which all directions are equivalent."""
        turns = symmetries(self.rows, self.columns)
        turned = [type(self)("".join(turn.moved(self.cells)), turn.columns, self.keywords) for turn in turns]
        return dict.fromkeys([position._normal() for position in turned])

    def canonical(self) -> Self:
        """Return one position for all that are symmetric to this one, if their moves are symmetric, too.

        So no level counts as a duplicate if a puzzle with one-way moves keeps the symmetries that it inherits.
        """
        own = _outlook(self)
        return min([self, *(each for each in self.symmetries() if _outlook(each) == own)], key=by_text)


def _outlook(position: Position) -> tuple[object, ...]:
    """Return features that are equal in symmetric positions: whether the position is solved, and the costs of moves."""
    after = [(position.cost(move), position.apply(move)) for move in position.moves()]
    return position.solved(), sorted((cost, each.solved(), len(tuple(each.moves()))) for cost, each in after)


class Sheet:
    """A grid read from a text, which knows the place of each cell in the text.

    A line is a row from its first to its last character; `;` begins a comment, unless it is a symbol. Empty lines
    before and after the grid do not count. If a blank is not a symbol, blanks around a row do not count either.

    Attributes: `cells` (the symbols, row by row), `columns`, `keywords` (words above the cells).
    """

    __slots__ = ("_lines", "_page", "cells", "columns", "keywords")

    def __init__(self, text: str, source: str | None, game: type[GridPuzzle]) -> None:
        """Parse the text of a level. Raises ParseError if it is not a grid of the puzzle's symbols."""
        self._page = Page(text, source)
        readable = {**game.symbols, **{alias: game.symbols[symbol] for alias, symbol in game.aliases.items()}}
        self._lines = self._rows(readable)
        self.keywords: frozenset[str] = self._taken(game.known_keywords)
        if not self._lines:
            raise self._page.error("the level is empty")
        self.columns: int = max(len(row.text) for row in self._lines)
        self._require_size(game.filler)
        self._require_symbols(readable)
        aliases = {ord(alias): symbol for alias, symbol in game.aliases.items()}
        rows = [row.text.translate(aliases) for row in self._lines]
        self.cells: str = "".join([row.ljust(self.columns, game.filler or " ") for row in rows])

    def _rows(self, symbols: Mapping[str, str]) -> list[Word]:
        """Return the lines of the grid with their places in the text, without empty lines above and below."""
        rows = []
        for number, line in enumerate(self._page.lines, 1):
            row = line if ";" in symbols else line.partition(";")[0]
            if row != line and not row.strip():
                continue  # a line that is a comment is not a row
            self._page.require_printable(row, number)
            text = row if " " in symbols else row.strip()
            rows.append(Word(text, number, 1 + len(row) - len(row.lstrip()) if text != row else 1))
        filled = [index for index, row in enumerate(rows) if row.text]
        tabs = min([len(rows[index].text) - len(rows[index].text.lstrip("\t")) for index in filled], default=0)
        rows = [Word(row.text[tabs:], row.line, row.column + tabs) for row in rows] if tabs else rows
        return rows[filled[0] : filled[-1] + 1] if filled else []

    def _taken(self, keywords: Sequence[str]) -> frozenset[str]:
        """Remove the lines with keywords above the grid, and return the keywords."""
        words: set[str] = set()
        while self._lines and ((word := self._lines[0].text.strip().lower()) in keywords or (words and not word)):
            if word in words:
                raise self._page.error_at(f"there is a second '{word}', but only one is allowed", self._lines[0])
            words.update([word] if word else ())
            del self._lines[0]
        return frozenset(words)

    def _require_size(self, filler: str) -> None:
        """Raise ParseError for rows of different lengths (if there is no filler) and for too large a grid."""
        for number, row in enumerate(self._lines, 1):
            if not filler and len(row.text) != len(self._lines[0].text):
                first = len(self._lines[0].text)
                message = f"row {number} has {count(len(row.text), 'cell')}, but row 1 has {first}"
                raise self._page.error_at(message, row, min(first, len(row.text)))
        rows = len(self._lines)
        if rows * self.columns > MOST_CELLS:
            message = f"{rows:,} rows of up to {count(self.columns, 'cell')}: more than {MOST_CELLS:,} in all"
            raise self._page.error_at(message, self._lines[0])

    def _require_symbols(self, symbols: Mapping[str, str]) -> None:
        for row in self._lines:
            strange = next((index for index, symbol in enumerate(row.text) if symbol not in symbols), None)
            if strange is not None:
                meanings = ", ".join(f"{symbol!r} {meaning}" for symbol, meaning in symbols.items())
                raise self._page.error_at(f"bad symbol {row.text[strange]!r}: a cell must be {meanings}", row, strange)

    def error(self, message: str, cell: int) -> ParseError:
        """Return an error that points to a cell of the text."""
        return self._page.error_at(message, self._word(cell))

    def require_one(self, noun: str, symbols: str) -> None:
        """Raise ParseError unless exactly one cell has a symbol in `symbols`."""
        places = [index for index, symbol in enumerate(self.cells) if symbol in symbols]
        words = [self._word(cell) for cell in places[:3]]
        self._page.require_one(words, noun, f"no {noun}: one cell needs {symbols[0]!r}", self._lines[0])

    def _word(self, cell: int) -> Word:
        row, column = divmod(cell, self.columns)
        line = self._lines[row]
        return Word(self.cells[cell], line.line, line.column + column)
