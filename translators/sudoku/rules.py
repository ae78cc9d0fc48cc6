"""Sudoku (H. Garns, 1979): fill the grid so that each row, column and box has each value once.

    1.3.    values 1 to 4, 9 or 16 (beyond 9 come A to G), `.` is empty; boxes of 2x2, 3x3 or 4x4
    .4.2    a move places a value that its row, column and box do not have yet: `r1c2=2`
    .1..    a sudoku should have one solution; a sudoku with none or several is still a position
    4..1

Given and placed values are not distinguished. Contradicting values are read, too: such a sudoku is unsolvable, and
`impossible` says why.

The picture: values between the borders of the boxes.

┌─────┬─────┐
│ 1 · │ 3 · │
│ · · │ · 2 │
├─────┼─────┤
│ · 1 │ · · │
│ 4 · │ · 1 │
└─────┴─────┘
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache
from itertools import product
from random import Random
from typing import Any, ClassVar, Self

from unpuzzle.base.errors import IllegalMove, ParseError, UnsupportedFeature
from unpuzzle.base.text import shorten
from unpuzzle.constraints import Constraints, Relation
from unpuzzle.drawing import Ground, Look, Path, Piece, Rect, Shape, Text
from unpuzzle.model.capabilities import Constrained, Explaining, ForComponents, HasHeuristics, ModelFinding, Pictured
from unpuzzle.model.collection import Collected, CollectedSolution, Collection
from unpuzzle.model.heuristic import NULL, Heuristic
from unpuzzle.model.options import Option
from unpuzzle.model.position import Fact, Generating, Position, Puzzle
from unpuzzle.pddl.nodes import Atom
from unpuzzle.translators.shared.text import levels_beside
from unpuzzle.translators.sudoku.board import EMPTY, SIDES, SYMBOLS, SudokuBoard, board_of
from unpuzzle.translators.sudoku.collecting import WRITERS, read, read_collection
from unpuzzle.translators.sudoku.making import ANY, OPTIONS, random_cells, sample
from unpuzzle.translators.sudoku.techniques import explain, grade

EMPTY_CELLS = Heuristic("empty", "how many cells", lambda p: p.cells.count(EMPTY), admissible=True, consistent=True)
_SIDE_BY_CELLS = {side * side: side for side in SIDES}


class Sudoku(
    Puzzle, Generating, HasHeuristics, Pictured, Constrained, Explaining, ModelFinding, ForComponents, Collected
):
    """A position of Sudoku: the value of each cell, or none."""

    __slots__ = ("board", "cells")

    name = "sudoku"
    title = "Sudoku: each value once in every row, column and box"
    levels: ClassVar[Mapping[str, str]] = levels_beside(__file__)
    planner = "cp-sat"
    one_letter_moves = False
    heuristics: Mapping[str, Heuristic] = {"empty": EMPTY_CELLS, "null": NULL}
    options: Mapping[str, Option] = OPTIONS
    endings: Mapping[str, str] = {".sdm": "notes and solutions", ".sdk": "solutions", ".csv": "notes on the file"}

    def __init__(self, cells: str) -> None:
        """Make a position from the symbols of its cells, row by row."""
        self.cells: str = cells
        self.board: SudokuBoard = board_of(_SIDE_BY_CELLS[len(cells)])

    def _key(self) -> str:
        return self.cells

    @classmethod
    def parse(cls, text: str, source: str | None = None) -> Self:
        return cls(read(text, source))

    def __str__(self) -> str:
        return self.cells + "\n"

    read_collection = staticmethod(read_collection)

    @classmethod
    def write_collection(cls, collection: Collection, ending: str = "") -> str:
        return WRITERS[ending or ".csv"](collection)

    @classmethod
    def moves_of(cls, position: Position, solution: CollectedSolution) -> tuple[str, ...]:
        """Return the moves in a text: a list of moves, or a solved grid that they fill in. They may be illegal."""
        if not isinstance(position, cls) or "=" in solution.moves or not solution.moves.strip():
            return super().moves_of(position, solution)
        try:
            changes = [*zip(position.board.names, position.cells, read(solution.moves, None), strict=True)]
        except (ParseError, UnsupportedFeature, ValueError):
            return (solution.moves,)
        return tuple([f"{name}={value}" for name, before, value in changes if value not in (EMPTY, before)])

    def line(self) -> str:
        return self.cells

    def plain(self) -> list[list[int | None]]:
        """Return rows of values; None is an empty cell."""
        side = self.board.side
        values = [None if symbol == EMPTY else SYMBOLS.index(symbol) + 1 for symbol in self.cells]
        return [values[start : start + side] for start in range(0, len(values), side)]

    def ground(self) -> Ground:
        return ground(self.board)

    def pieces(self) -> list[Piece]:
        side = self.board.side
        return [(value, i // side, i % side, value) for i, value in enumerate(self.cells) if value != EMPTY]

    def moves(self) -> tuple[str, ...]:
        names = self.board.names
        empty = [cell for cell, symbol in enumerate(self.cells) if symbol == EMPTY]
        return tuple([f"{names[cell]}={symbol}" for cell in empty for symbol in self.fitting(cell)])

    def fitting(self, cell: int) -> list[str]:
        """Return the values that can be put into a cell, because its row, column and box do not have them yet."""
        near = {self.cells[peer] for peer in self.board.peers[cell]}
        return [symbol for symbol in self.board.symbols if symbol not in near]

    def apply(self, move: str) -> Self:
        name, _, symbol = move.partition("=")
        if name not in self.board.names or symbol not in tuple(self.board.symbols):
            values = f"{self.board.symbols[0]} to {self.board.symbols[-1]}"
            message = f"{shorten(move)} is not a move: a move is a cell and a value, {values}, such as r1c2=3"
            raise IllegalMove(message, move=move)
        cell = self.board.names.index(name)
        obstacle = self._obstacle(cell, symbol)
        if obstacle:
            raise IllegalMove(f"{move} is not legal: {obstacle}", move=move)
        return type(self)(self.cells[:cell] + symbol + self.cells[cell + 1 :])

    def _obstacle(self, cell: int, symbol: str) -> str | None:
        """Return why a value cannot be put into a cell; None if it can."""
        board = self.board
        if self.cells[cell] != EMPTY:
            return f"{board.names[cell]} has {self.cells[cell]}"
        for unit in board.units_of[cell]:
            for other in board.units[unit]:
                if self.cells[other] == symbol:
                    return f"{board.unit_names[unit]} has {symbol} at {board.names[other]}"
        return None

    def solved(self) -> bool:
        return EMPTY not in self.cells and self._contradiction() is None

    def impossible(self) -> str | None:
        return self._contradiction() or self._dead_end()

    def _contradiction(self) -> str | None:
        """Return a sentence about a value that a unit has twice; None if there is none."""
        board, cells = self.board, self.cells
        for unit, name in zip(board.units, board.unit_names, strict=True):
            places: dict[str, int] = {}
            for cell in unit:
                symbol = cells[cell]
                if symbol != EMPTY and symbol in places:
                    return f"{name} has {symbol} twice, at {board.names[places[symbol]]} and {board.names[cell]}"
                places[symbol] = cell
        return None

    def _dead_end(self) -> str | None:
        """Return a sentence about a cell or unit that has no possible value left; None if there is none."""
        board, cells = self.board, self.cells
        left = {cell: self.fitting(cell) for cell, symbol in enumerate(cells) if symbol == EMPTY}
        for cell, symbols in left.items():
            if not symbols:
                return f"no value fits {board.names[cell]}: its row, column and box have all of them"
        for unit, name in zip(board.units, board.unit_names, strict=True):
            there = {symbol for cell in unit for symbol in left.get(cell, cells[cell])}
            missing = [symbol for symbol in board.symbols if symbol not in there]
            if missing:
                return f"{name} has no cell left for {missing[0]}"
        return None

    def grade(self) -> tuple[int, str] | None:
        return grade(self.cells)

    def explain(self) -> tuple[str, dict[str, Any]]:
        return explain(self.cells, self.impossible())

    def constraints(self) -> Constraints:
        """Return the constraint model: a value for each cell, and different values in each unit."""
        board = self.board
        domains = dict.fromkeys(board.names, tuple(range(1, board.side + 1)))
        units = [Relation("all_different", [board.names[cell] for cell in unit]) for unit in board.units]
        values = [
            Relation("table", (name,), ((SYMBOLS.index(symbol) + 1,),), f"{name}={symbol}")
            for name, symbol in zip(board.names, self.cells, strict=True)
            if symbol != EMPTY
        ]
        return Constraints(domains, [*units, *values])

    def moves_to(self, solution: Mapping[str, Any]) -> list[str]:
        empty = [name for name, symbol in zip(self.board.names, self.cells, strict=True) if symbol == EMPTY]
        return [f"{name}={SYMBOLS[solution[name] - 1]}" for name in empty]

    def mace4_input(self) -> str:
        return formulas_of_mace4(self.board, self.cells)

    def from_mace4(self, text: str) -> list[dict[str, Hashable]]:
        return models_of_mace4(self.board, text)

    def objects(self) -> Mapping[str, Iterable[str]]:
        return self.board.pddl.objects

    def statics(self) -> Iterable[Fact]:
        return self.board.pddl.lies

    def atoms(self) -> frozenset[Atom]:
        return self.board.pddl.atoms(self.cells)

    def goal_condition(self) -> Iterable[Fact]:
        return self.board.pddl.goal

    def _move_of(self, cell: str, row: str, column: str, box: str, value: str) -> str:
        """Return the move that a PDDL action means. Raises LookupError or ValueError for unknown arguments."""
        names = self.board.pddl
        if names.units[self.board.names.index(cell)] != [row, column, box]:
            raise ValueError(cell)
        return f"{cell}={SYMBOLS[names.objects['value'].index(value)]}"

    actions: ClassVar[Mapping[str, str | Callable[..., str]]] = {"place": _move_of}

    @classmethod
    def sample(cls, rng: Random) -> Self:
        return cls(sample(rng))

    @classmethod
    def generate(cls, rng: Random, options: Mapping[str, Any]) -> Self:
        return cls(random_cells(rng, options))

    @classmethod
    def fits(cls, position: Position, options: Mapping[str, Any]) -> bool:
        if options["grade"] == ANY or not isinstance(position, Sudoku):
            return True
        clues = len(position.cells) - position.cells.count(EMPTY)
        grade = position.grade()
        return grade is not None and grade[1] == options["grade"] and options["clues"] in (0, clues)


@cache
def ground(board: SudokuBoard) -> Ground:
    """Return the fixed part of the picture: an empty grid with lines around cells and boxes."""
    side, box = board.side, board.box
    thin, strong = ([n for n in range(1, side) if (n % box == 0) is at_box] for at_box in (False, True))
    shapes: list[Shape] = [Rect(0, 0, side, side, fill="floor")]
    for lines, role, thick in ((thin, "grid", 0.02), (strong, "ink", 0.05)):
        across, down = [[(0, n), (side, n)] for n in lines], [[(n, 0), (n, side)] for n in lines]
        shapes.append(Path(*across, *down, line=role, thick=thick))
    shapes.append(Rect(0, 0, side, side, 0.04, line="ink", thick=0.07))
    looks = {symbol: Look(Text(0.5, 0.5, symbol, 0.6), text=symbol, label=symbol) for symbol in board.symbols}
    places: dict[tuple[float, float], tuple[int, int]] = {
        (row, column): (1 + row + row // box, 2 + 2 * column + 2 * (column // box))
        for row, column in product(range(side), repeat=2)
    }
    return Ground(side, side, looks, shapes, _text(side, box), role="grid", places=places)


def _text(side: int, box: int) -> str:
    line = "─" * (2 * box + 1)
    top, middle, bottom = (left + mark.join([line] * box) + right for left, mark, right in ("┌┬┐", "├┼┤", "└┴┘"))
    cells = "│ " + " │ ".join([" ".join("·" * box)] * box) + " │"
    lines = [line for row in range(side) for line in ([middle] if row and row % box == 0 else []) + [cells]]
    return "\n".join([top, *lines, bottom])


# Sudoku for Mace4, a finder of finite models (W. McCune, 2003): formulas are written, models read.
#
# The domain has a number for each row, column and value, from 0. Rows and columns 0, 1, ... are the first, the second,
# and so on; values are themselves, except the last one, which is 0: on 9x9, f(0,3) = 0 says that r1c4 is 9.
# `same_interval` is true of rows, or columns, of the same band of boxes.
#
#     f(x,y) = f(x,z) -> y = z.                                    the values of a row differ
#     same_interval(x,u) & same_interval(y,z) & f(x,y) = f(u,z) -> x = u & y = z.         the values of a box differ
#
# A model is printed as
#
#     interpretation( 4, [number=1, seconds=0], [ function(f(_,_), [ 1, 2, 3, 0, 3, 0, ... ]), ... ]).

_RULES = """\
  f(x,y) = f(x,z) -> y = z.
  f(x,z) = f(y,z) -> x = y.
  same_interval(x,u) & same_interval(y,z) & f(x,y) = f(u,z) -> x = u & y = z.
"""
_MODEL = re.compile(r"interpretation\(\s*(\d+)\s*,\s*\[[^\]]*\]\s*,\s*\[(.*?)\]\s*\)\s*\.", re.S)
_FUNCTION = re.compile(r"\bfunction\(\s*f\(\s*_\s*,\s*_\s*\)\s*,\s*\[([^\]]*)\]")


def formulas_of_mace4(board: SudokuBoard, cells: str) -> str:
    """Return first-order formulas for Mace4; each of their models is a solution of the position."""
    side, values = board.side, []
    for cell, symbol in enumerate(cells):
        if symbol != EMPTY:
            value = (board.symbols.index(symbol) + 1) % side
            values.append(f"  f({cell // side},{cell % side}) = {value}.\n")
    pairs = product(range(side), repeat=2)
    signs = ((one, other, "" if one // board.box == other // board.box else "-") for one, other in pairs)
    bands = "".join(f"  {sign}same_interval({one},{other}).\n" for one, other, sign in signs)
    lists = {"rules": _RULES, "bands": bands, "given": "".join(values)}
    parts = [f"formulas({name}).\n{lines}end_of_list.\n" for name, lines in lists.items() if lines]
    return "\n".join([f"assign(domain_size, {side}).\n", *parts])


def models_of_mace4(board: SudokuBoard, text: str) -> list[dict[str, Hashable]]:
    """Return the models that Mace4 has printed, each as a value (from 1) for each name of a cell.

    An incomplete model, after the program was ended, is left out. Raises ParseError for a model of another size, or
    with numbers impossible on the board.
    """
    return [_solution(board, *match.groups()) for match in _MODEL.finditer(text)]


def _solution(board: SudokuBoard, size: str, body: str) -> dict[str, Hashable]:
    """Return one printed model of Mace4 as a value for each name of a cell. Raises ParseError."""
    if int(size) != board.side:
        raise ParseError(f"a model of Mace4 has the size {size}, but size {board.side} was requested")
    function = _FUNCTION.search(body)
    if function is None:
        raise ParseError("a model of Mace4 has no function f(_,_)")
    words = function[1].replace(",", " ").split()
    wrong = [word for word in words if not (word.isascii() and word.isdigit() and int(word) < board.side)]
    if wrong:
        raise ParseError(
            f"a model of Mace4 contains {shorten(wrong[0])}, but the numbers must be from 0 to {board.side - 1}"
        )
    if len(words) != len(board.names):
        raise ParseError(f"a model of Mace4 has {len(words)} values of the function f, not {len(board.names)}")
    return {name: int(word) or board.side for name, word in zip(board.names, words, strict=True)}
