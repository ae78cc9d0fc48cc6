"""What levels may be asked to be: the options of `unpuzzle generate PUZZLE`.

A game declares them as its `options`, and the command line builds its arguments from that, without knowing games:

    options = by_name(Size("size", "rows x columns", (3, 3), most=9), Number("walls", "how many", 0, most=20))
"""

from __future__ import annotations

from abc import abstractmethod

from unpuzzle.errors import UsageError
from unpuzzle.record import Record
from unpuzzle.words import cut, suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random
    from typing import Any, TypeVar

    from unpuzzle.puzzle.heuristic import Heuristic

    Thing = TypeVar("Thing", bound="Option | Heuristic")


def by_name(*things: Thing) -> dict[str, Thing]:
    """Return options, or heuristics, by their names."""
    return {thing.name: thing for thing in things}


class Option(Record):
    """A choice of levels: `name` (`--name`), `about` (one line), `default`; `several`: values are tuples."""

    name: str
    about: str
    default: Any

    several = False

    @property
    @abstractmethod
    def wanted(self) -> str:
        """What a value must be, for people, e.g. `a whole number from 0 to 20`."""

    @abstractmethod
    def read(self, text: str) -> Any:
        """Return the value that a text stands for. Raises ValueError if it stands for none."""

    @abstractmethod
    def fits(self, value: Any) -> bool:
        """Return whether a value, not a text, is one of this option's."""

    @abstractmethod
    def small(self, rng: Random) -> Any:
        """Return a random value that makes levels no larger than the default does."""

    def show(self, value: Any) -> str:
        """Return the text of a value, as `read` reads it."""
        return str(value)

    def value(self, value: object) -> Any:
        """Return a value of this option, from such a value or its text. Raises UsageError, saying what it must be."""
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
    """A whole number from `least` to `most`."""

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
    """Rows and columns, each from 1 to `most`: as text `4x5`, as a value (4, 5)."""

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
    """One of some words."""

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
    """Levels to start from: names of bundled ones, or texts; none stands for all that are bundled."""

    default: tuple[str, ...] = ()

    several = True
    _ALL = "all"

    @property
    def wanted(self) -> str:
        return "levels, one or more"

    def read(self, text: str) -> tuple[str, ...]:
        return () if text == self._ALL else (text,)

    def fits(self, value: Any) -> bool:
        return isinstance(value, tuple) and all(isinstance(level, str) for level in value)

    def small(self, rng: Random) -> tuple[str, ...]:
        return ()

    def show(self, value: tuple[str, ...]) -> str:
        return ", ".join(["/".join(level.split()) if "\n" in level else level for level in value]) or self._ALL


def _digits(text: str) -> int:
    """Return a number of at most nine plain digits: no blanks, signs or other alphabets."""
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise ValueError(text)
    return int(text)
