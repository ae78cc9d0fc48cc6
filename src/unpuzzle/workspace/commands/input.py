"""Input, the base class of the inputs of commands; and the rows that remain after an interruption."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from unpuzzle.base.errors import WorkersFailed
from unpuzzle.base.type_hints import Any, ClassVar, Self
from unpuzzle.base.values import Record
from unpuzzle.puzzle.position import Game, Position

Show = Callable[..., None] | None
"""A function that shows figures about the progress, or None."""


class Input(Record):
    """The input of a command: all files have been read, and impossible requests refused."""

    shows: ClassVar[str] = "{}"
    """The sentence about the progress, with a place for each figure."""
    limits_of_each: ClassVar[bool] = False
    """Whether the limits are for each part of the call, which enforces them itself."""

    @classmethod
    def of(cls, options: object, **others: Any) -> Self:
        """Return the input with the values of options of the same names, and other fields."""
        given = vars(options) | others
        return cls(**{name: given[name] for name in cls._fields if name in given})

    def call(self, show: Show = None) -> Any:
        """Do the work, if there is any, and return the outcome; `show` gets the figures of `shows` now and then."""
        return None

    def played(self) -> tuple[Game | None, Iterable[tuple[str, str]]]:
        """Return the game whose code runs in the call, and its levels, as texts with their names."""
        return None, ()


class Question(Input):
    """An input that is answered by calling a function without arguments."""

    asks: Callable[[], Any]

    def call(self, show: Show = None) -> Any:
        return self.asks()


class GameInput(Input):
    """An input about a `game`, whose code runs in the call."""

    game: Game

    def played(self) -> tuple[Game, Iterable[tuple[str, str]]]:
        return self.game, ()


class ReadLevel(Record):
    """A level that has been read.

    Attributes:
        puzzle: the name of its game, or the game's file.
        position: its position.
        text, source: its text, and the name of the file for messages.
    """

    puzzle: str
    position: Position
    text: str
    source: str

    def played(self) -> tuple[Game, list[tuple[str, str]]]:
        """Return the game, and the level's text with its name, to find the fault behind an exception."""
        return self.position.game, [(self.text, self.source)]


class LevelInput(Input):
    """An input about a level."""

    level: ReadLevel

    @property
    def position(self) -> Position:
        return self.level.position

    def played(self) -> tuple[Game, list[tuple[str, str]]]:
        return self.level.played()


class RowsSoFar:
    """A context in which `rows` are collected; an interruption, or the loss of workers, ends it early.

    `ended_by` is then the error; it is raised if there are no rows yet.
    """

    def __init__(self, rows: list[Any] | None = None) -> None:
        self.rows: list[Any] = [] if rows is None else rows
        self.ended_by: KeyboardInterrupt | WorkersFailed | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if isinstance(error, KeyboardInterrupt | WorkersFailed) and self.rows:
            self.ended_by = error
        return self.ended_by is not None
