r"""The class `Puzzle`: a game and the game's positions in one class, for simple puzzles.

    class Corridor(Puzzle):
        name = "corridor"
        title = "Corridor: walk to the right end"
        levels = {"1": "@..\n"}

        def __init__(self, place, length): ...

        @classmethod
        def parse(cls, text, source=None): ...
        def __str__(self): ...
        def moves(self): ...
        def apply(self, move): ...
        def solved(self): ...

Instances are positions. The class is the game: its metaclass gives it the members of `Game`, so `Corridor.parse`,
`Corridor.sample` and `Corridor.domain` work on the class, and `position.game` is the class. Further features of the
game (`generate`, `every`, its own `sample`) are written as class methods.
"""

from __future__ import annotations

import copyreg
from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Mapping

from unpuzzle.base.type_hints import Any, ClassVar, Self
from unpuzzle.puzzle.position import Game, Position


class PuzzleType(ABCMeta, Game):
    """The metaclass of puzzles: a class with this metaclass is itself a game."""


def _reduced(puzzle: PuzzleType) -> str | tuple[Any, ...]:
    """Return the pickled form of a class: its name or, if a file defines it, how to find the class."""
    return vars(puzzle).get("home") or puzzle.__qualname__


copyreg.pickle(PuzzleType, _reduced)  # pickle does not ask a metaclass for `__reduce__`


class Puzzle(Position, metaclass=PuzzleType):
    """A position of a puzzle; the class of the position is the game."""

    __slots__ = ()

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    levels: ClassVar[Mapping[str, str]] = {}
    one_letter_moves: ClassVar[bool] = True
    actions: ClassVar[Mapping[str, str | Callable[..., str]]] = {}
    pddl: ClassVar[str] = ""

    @property
    def game(self) -> Game:
        return type(self)

    @classmethod
    @abstractmethod
    def parse(cls, text: str, source: str | None = None) -> Self:
        """Return the position that a text describes, as `Game.parse` does."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self)!r})"
