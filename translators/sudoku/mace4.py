"""Sudoku for Mace4, a finder of finite models (W. McCune, 2003): formulas are written, models read.

The domain has a number for each row, column and value, from 0. Rows and columns 0, 1, ... are the first, the second,
and so on; values are themselves, except the last one, which is 0: on 9x9, f(0,3) = 0 says that r1c4 is 9.
`same_interval` is true of rows, or columns, of the same band of boxes.

    f(x,y) = f(x,z) -> y = z.                                    the values of a row differ
    same_interval(x,u) & same_interval(y,z) & f(x,y) = f(u,z) -> x = u & y = z.         the values of a box differ

A model is printed as

    interpretation( 4, [number=1, seconds=0], [ function(f(_,_), [ 1, 2, 3, 0, 3, 0, ... ]), ... ]).
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from itertools import product

from unpuzzle.base.errors import ParseError
from unpuzzle.base.text import shorten
from unpuzzle.translators.sudoku.board import EMPTY, SudokuBoard

_RULES = """\
  f(x,y) = f(x,z) -> y = z.
  f(x,z) = f(y,z) -> x = y.
  same_interval(x,u) & same_interval(y,z) & f(x,y) = f(u,z) -> x = u & y = z.
"""
_MODEL = re.compile(r"interpretation\(\s*(\d+)\s*,\s*\[[^\]]*\]\s*,\s*\[(.*?)\]\s*\)\s*\.", re.S)
_FUNCTION = re.compile(r"\bfunction\(\s*f\(\s*_\s*,\s*_\s*\)\s*,\s*\[([^\]]*)\]")


def formulas(board: SudokuBoard, cells: str) -> str:
    """Return the formulas of a position: their models are its solutions."""
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


def read(board: SudokuBoard, text: str) -> list[dict[str, Hashable]]:
    """Return the complete models of a printed text, as values from 1 by the names of cells.

    An incomplete model, after the program was ended, is left out. Raises ParseError for a model of another size, or
    with numbers impossible on the board.
    """
    return [_solution(board, *match.groups()) for match in _MODEL.finditer(text)]


def _solution(board: SudokuBoard, size: str, body: str) -> dict[str, Hashable]:
    if int(size) != board.side:
        raise ParseError(f"a model of size {size}, where {board.side} was requested")
    function = _FUNCTION.search(body)
    if function is None:
        raise ParseError("a model without the function f(_,_)")
    words = function[1].replace(",", " ").split()
    wrong = [word for word in words if not (word.isascii() and word.isdigit() and int(word) < board.side)]
    if wrong:
        raise ParseError(f"{shorten(wrong[0])} in a model, where the numbers are from 0 to {board.side - 1}")
    if len(words) != len(board.names):
        raise ParseError(f"a model with {len(words)} values of f, not {len(board.names)}")
    return {name: int(word) or board.side for name, word in zip(board.names, words, strict=True)}
