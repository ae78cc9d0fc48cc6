"""The base class of command inputs, and a collector of table rows that keeps them after an interruption.

An input is a record with all files read; its `call` does the work and returns the outcome, which has a `to_dict`. An
interface, such as `unpuzzle.cli`, makes the input from words, and presents the outcome as text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from unpuzzle.base.errors import WorkersFailed
from unpuzzle.base.type_hints import Any, ClassVar, Self
from unpuzzle.base.values import Record
from unpuzzle.model.position import Game, Position

Show = Callable[..., None] | None
"""A function that shows figures about the progress, or None."""


class Input(Record):
    """The input of a command; all files have been read, and impossible requests have been refused."""

    shows: ClassVar[str] = "{}"
    """The sentence about the progress, with a place for each figure."""
    limits_of_each: ClassVar[bool] = False
    """Whether the limits are for each part of the call, which enforces them itself."""

    @classmethod
    def of(cls, options: object, **others: Any) -> Self:
        """Return an input whose fields have the values of the options of the same names, or the given values."""
        given = vars(options) | others
        return cls(**{name: given[name] for name in cls._fields if name in given})

    def call(self, show: Show = None) -> Any:
        """Do the work, and return the outcome; `show` gets the present figures from time to time."""
        return None

    def played(self) -> tuple[Game | None, Iterable[tuple[str, str]]]:
        """Return the game whose code the call runs, and the texts and names of the levels, to explain exceptions."""
        return None, ()


class Question(Input):
    """An input for a command that only returns the result of a function without arguments."""

    asks: Callable[[], Any]

    def call(self, show: Show = None) -> Any:
        return self.asks()


class GameInput(Input):
    """The input of a command that concerns a `game`; the command's work runs code of the game."""

    game: Game

    def played(self) -> tuple[Game, Iterable[tuple[str, str]]]:
        return self.game, ()


class ReadLevel(Record):
    """A level that has been read, with its text and its source.

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
        """Return the game whose code the call runs, and the level's text and name, to explain exceptions."""
        return self.position.game, [(self.text, self.source)]


class LevelInput(Input):
    """The input of a command that concerns a level."""

    level: ReadLevel

    @property
    def position(self) -> Position:
        return self.level.position

    def played(self) -> tuple[Game, list[tuple[str, str]]]:
        return self.level.played()


class RowsSoFar:
    """A context manager that collects `rows`; an interruption, or the loss of workers, ends the block early.

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
