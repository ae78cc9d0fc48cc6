"""What levels may be asked to be: the options of `unpuzzle generate PUZZLE`.

A game declares them as its `options`, and the command line builds its arguments from that, without knowing games:

    options = by_name(Size("size", "rows x columns", (3, 3), most=9), Number("walls", "how many", 0, most=20))
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from unpuzzle.errors import ParseError
from unpuzzle.words import cut, suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random
    from typing import Any, Protocol, TypeVar

    class Named(Protocol):
        """Whatever has a name, such as an option or a heuristic."""

        name: str

    Thing = TypeVar("Thing", bound=Named)


def by_name(*things: Thing) -> dict[str, Thing]:
    """Options, or heuristics, by their names: what a game has as `options` and as `heuristics`."""
    return {thing.name: thing for thing in things}


class Option(ABC):
    """A named choice of the one who wants levels.

    Attributes: `name` (on the command line `--name`), `about` (one line for people), `default` (a value); `several`:
    it may be given more than once, and a value is a tuple of what was given.
    """

    __slots__ = ("about", "default", "name")
    several = False

    def __init__(self, name: str, about: str, default: Any) -> None:
        self.name = name
        self.about = about
        self.default = default

    @property
    @abstractmethod
    def wanted(self) -> str:
        """What a value must be, for people, e.g. `a whole number from 0 to 20`."""

    @abstractmethod
    def read(self, text: str) -> Any:
        """The value that a text stands for. Raises ValueError if none."""

    @abstractmethod
    def fits(self, value: Any) -> bool:
        """Whether a value, not a text, is one of this option's."""

    @abstractmethod
    def small(self, rng: Random) -> Any:
        """A random value, none that makes levels larger than the default does."""

    def show(self, value: Any) -> str:
        """The text of a value, as `read` reads it."""
        return str(value)

    def value(self, given: object) -> Any:
        """A value, given as such or as text. Raises ParseError for what is none, with what is wanted."""
        try:
            value = self.read(given) if isinstance(given, str) else given
            if self.fits(value):
                return value
        except ValueError:
            pass
        text = cut(given if isinstance(given, str) else repr(given), 40)
        raise ParseError(f"{self.name}: '{text}' is not {self.wanted}{self._hint(text)}")

    def _hint(self, shown: str) -> str:
        return ""


class Number(Option):
    """A whole number from `least` to `most`."""

    __slots__ = ("least", "most")

    def __init__(self, name: str, about: str, default: int, *, least: int = 0, most: int) -> None:
        super().__init__(name, about, default)
        self.least = least
        self.most = most

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

    __slots__ = ("most",)

    def __init__(self, name: str, about: str, default: tuple[int, int], *, most: int) -> None:
        super().__init__(name, about, default)
        self.most = most

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

    __slots__ = ("words",)

    def __init__(self, name: str, about: str, default: str, words: Iterable[str]) -> None:
        super().__init__(name, about, default)
        self.words = tuple(words)

    @property
    def wanted(self) -> str:
        return f"one of {', '.join(self.words)}"

    def read(self, text: str) -> str:
        return text

    def fits(self, value: Any) -> bool:
        return value in self.words

    def small(self, rng: Random) -> str:
        return rng.choice(self.words)

    def _hint(self, shown: str) -> str:
        return suggestion(shown, self.words)


class Levels(Option):
    """Levels to start from: names of bundled ones, or texts; none stands for all that are bundled."""

    __slots__ = ()
    several = True
    _ALL = "all"

    def __init__(self, name: str, about: str) -> None:
        super().__init__(name, about, ())

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
    """A number of at most nine plain digits: no blanks, signs or other alphabets."""
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise ValueError(text)
    return int(text)
