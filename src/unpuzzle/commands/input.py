"""Input: the base class of what a command is asked; and the rows that an interruption leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from unpuzzle.errors import WorkersFailed
from unpuzzle.puzzle.position import Game
from unpuzzle.record import Record
from unpuzzle.type_hints import Any, ClassVar, Self

Show = Callable[..., None] | None
"""A function that shows figures about the progress, or None."""


class Input(Record):
    """What a command is asked: all files are read, and what cannot be done is refused already."""

    shows: ClassVar[str] = "{}"
    """The sentence about the progress, with a place for each figure."""
    limits_of_each: ClassVar[bool] = False
    """Whether the limits are for each part of the call, which sees to them itself."""

    def call(self, show: Show = None) -> Any:
        """Return the outcome; `show` gets the figures of `shows` now and then."""
        raise TypeError(f"{type(self).__name__} does not define call()")

    def played(self) -> tuple[Game | None, Iterable[tuple[str, str]]]:
        """Return the game whose code runs in the call, and its levels, as texts with their names."""
        return None, ()


class Question(Input):
    """What a function without arguments tells."""

    asks: Callable[[], Any]

    def call(self, show: Show = None) -> Any:
        return self.asks()


class GameInput(Input):
    """What is asked about a `game`, whose code runs in the call."""

    game: Game

    def played(self) -> tuple[Game, Iterable[tuple[str, str]]]:
        return self.game, ()


class RowsSoFar:
    """A block that fills `rows`; an interruption, or the loss of workers, ends it early.

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
