"""Options of generated levels, for `unpuzzle generate PUZZLE`.

A game declares them as its `options`, and the command line builds its arguments from them, without knowing games:

    options = by_name(Size("size", "rows x columns", (3, 3), most=9), Number("walls", "how many", 0, most=20))
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable

from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.text import cut, suggestion
from unpuzzle.base.type_hints import TYPE_CHECKING, Any, TypeVar
from unpuzzle.base.values import Record
from unpuzzle.model.heuristic import Heuristic

if TYPE_CHECKING:
    from random import Random

Thing = TypeVar("Thing", bound="Option | Heuristic")
Block = tuple[int, int, int, int]


def by_name(*things: Thing) -> dict[str, Thing]:
    """Return a dictionary of options or heuristics by name."""
    return {thing.name: thing for thing in things}


class Option(Record):
    """An option of generated levels; `about` describes it in one line; with `several`, its values are tuples."""

    name: str
    about: str
    default: Any

    several = False

    @property
    @abstractmethod
    def wanted(self) -> str:
        """A description of valid values, for people, e.g. `a whole number from 0 to 20`."""

    @abstractmethod
    def read(self, text: str) -> Any:
        """Return the value that a text denotes. Raises ValueError for an invalid text."""

    @abstractmethod
    def fits(self, value: Any) -> bool:
        """Return whether a value (already read, not a text) is valid for this option."""

    @abstractmethod
    def small(self, rng: Random) -> Any:
        """Return a random value that makes the level no larger than the default value does."""

    def show(self, value: Any) -> str:
        """Return a value as a text that `read` turns into the same value."""
        return str(value)

    def value(self, value: object) -> Any:
        """Return a valid value of this option from a value or a text. Raises UsageError, naming the valid values."""
        try:
            read = self.read(value) if isinstance(value, str) else value
            if self.fits(read):
                return read
        except ValueError:
            pass
        text = cut(value if isinstance(value, str) else repr(value), 40)
        raise UsageError(f"{self.name}: '{text}' is not {self.wanted}{self._hint(text)}")

    def _hint(self, text: str) -> str:
        return ""


class Number(Option):
    """An option whose value is a whole number from `least` to `most`."""

    default: int
    most: int
    least: int = 0

    @property
    def wanted(self) -> str:
        return f"a whole number from {self.least} to {self.most}"

    def read(self, text: str) -> int:
        return _digits(text)

    def fits(self, value: Any) -> bool:
        return type(value) is int and self.least <= value <= self.most

    def small(self, rng: Random) -> int:
        return rng.randint(self.least, max(self.default, self.least))


class Size(Option):
    """An option for rows and columns, each from 1 to `most`: the text `4x5` is the value (4, 5)."""

    default: tuple[int, int]
    most: int

    @property
    def wanted(self) -> str:
        return f"ROWSxCOLUMNS, such as {self.show(self.default)}, each from 1 to {self.most}"

    def read(self, text: str) -> tuple[int, int]:
        rows, _, columns = text.partition("x")
        return _digits(rows), _digits(columns)

    def fits(self, value: Any) -> bool:
        pair = isinstance(value, tuple) and len(value) == 2
        return pair and all(type(side) is int and 1 <= side <= self.most for side in value)

    def small(self, rng: Random) -> tuple[int, int]:
        rows, columns = self.default
        return rng.randint(1, rows), rng.randint(1, columns)

    def show(self, value: Any) -> str:
        return "{}x{}".format(*value)


class Choice(Option):
    """An option whose value is one of the given words."""

    default: str
    words: tuple[str, ...]

    def __init__(self, name: str, about: str, default: str, words: Iterable[str]) -> None:
        super(Option, self).__init__(name, about, default, tuple(words))

    @property
    def wanted(self) -> str:
        return f"one of {', '.join(self.words)}"

    def read(self, text: str) -> str:
        return text

    def fits(self, value: Any) -> bool:
        return value in self.words

    def small(self, rng: Random) -> str:
        return rng.choice(self.words)

    def _hint(self, text: str) -> str:
        return suggestion(text, self.words)


class Levels(Option):
    """An option whose values are levels to start from, given by bundled name or as text."""

    default: tuple[str, ...] = ()
    nothing: str = "all"
    """The word for an empty tuple, such as `all` for all bundled levels."""

    several = True

    @property
    def wanted(self) -> str:
        return "levels, one or more"

    def read(self, text: str) -> tuple[str, ...]:
        return () if text == self.nothing else (text,)

    def fits(self, value: Any) -> bool:
        return isinstance(value, tuple) and all(isinstance(level, str) for level in value)

    def small(self, rng: Random) -> tuple[str, ...]:
        return ()

    def show(self, value: tuple[str, ...]) -> str:
        return ", ".join(["/".join(level.split()) if "\n" in level else level for level in value]) or self.nothing


class Cells(Option):
    """An option whose values are cells, by row and column from 1: `r1c2,r3c4`, `r1c1-r2c9`, a row `r4`, a column `c2`.

    A value is a tuple of blocks: first row and column, last row and column; 0 means all of them.
    """

    default: tuple[Block, ...] = ()

    @property
    def wanted(self) -> str:
        return "cells such as r1c2,r3c4, blocks such as r1c1-r2c9, rows such as r4 or columns such as c2"

    def read(self, text: str) -> tuple[Block, ...]:
        return () if text == _NO_CELLS else tuple([_block(part) for part in text.replace(",", " ").split()])

    def fits(self, value: Any) -> bool:
        blocks = isinstance(value, tuple) and all(isinstance(block, tuple) and len(block) == 4 for block in value)
        return blocks and all(type(number) is int and number >= 0 for block in value for number in block)

    def small(self, rng: Random) -> tuple[Block, ...]:
        return ()

    def show(self, value: tuple[Block, ...]) -> str:
        return ",".join(map(block_name, value)) or _NO_CELLS


_NO_CELLS = "none"


def block_name(block: Block) -> str:
    first, last = (
        "".join([f"{letter}{number}" for letter, number in zip("rc", corner, strict=True) if number])
        for corner in (block[:2], block[2:])
    )
    return first if first == last else f"{first}-{last}"


def cells_in(blocks: Iterable[Block], rows: int, columns: int) -> set[tuple[int, int]]:
    """Return the cells of blocks such as `r1c1-r2c9`, as (row, column) from 1. Raises ParseError outside the level."""
    cells: set[tuple[int, int]] = set()
    for block in blocks:
        top, left, bottom, right = block
        if max(top, bottom) > rows or max(left, right) > columns:
            message = f"there is no cell {block_name(block)} in a level of {rows} rows and {columns} columns"
            raise ParseError(message)
        down = range(top or 1, (bottom or rows) + 1)
        cells |= {(row, column) for row in down for column in range(left or 1, (right or columns) + 1)}
    return cells


def _block(text: str) -> Block:
    """Return the first and last row and column of a block such as `r1c1-r2c9`; 0 for rows or columns that it omits."""
    corner = "(?:r([1-9][0-9]{0,3}))?(?:c([1-9][0-9]{0,3}))?"
    first, dash, last = text.partition("-")
    ends = [re.fullmatch(corner, part) for part in (first, last if dash else first)]
    numbers = [[int(number or 0) for number in end.groups()] for end in ends if end is not None]
    if len(numbers) < 2 or not all(map(any, numbers)) or [*map(bool, numbers[0])] != [*map(bool, numbers[1])]:
        raise ValueError(text)
    (top, left), (bottom, right) = numbers
    if top > bottom or left > right:
        raise ValueError(text)
    return top, left, bottom, right


def _digits(text: str) -> int:
    """Return the number that a text of at most nine digits means. Raises ValueError for any other text."""
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise ValueError(text)
    return int(text)
