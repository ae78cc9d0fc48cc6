"""Limits for moves that may take long: a game whose turns run rules looks at the deadline while a move is made."""

from __future__ import annotations

from unpuzzle.limits import Deadline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from unpuzzle.limits import Limits


class Within:
    """While it lasts, the moves of a game look at limits, if the game has any that may take long (`Interruptible`)."""

    __slots__ = ("_before", "_game", "_tick")

    def __init__(self, game: Any, tick: Callable[[], None] | None) -> None:
        self._game: Any = None
        self._tick = tick
        self._before: Callable[[], None] | None = None
        if game is not None:
            from unpuzzle.puzzle.capabilities import Interruptible, offered

            self._game = offered(game, Interruptible)

    def __enter__(self) -> None:
        if self._game is not None:
            self._before, self._game.interrupts = self._game.interrupts, self._tick

    def __exit__(self, *error: object) -> None:
        if self._game is not None:
            self._game.interrupts = self._before


def within(game: Any, limits: Limits | Deadline | None, phase: str) -> Within:
    """The same by limits, or by the deadline of a run; `phase` is what the game's moves are made for.

    Other games do not even start a clock.
    """
    if game is None:
        return Within(None, None)
    from unpuzzle.puzzle.capabilities import Interruptible, offered

    long = offered(game, Interruptible) is not None
    return Within(game, Deadline.of(limits, phase)) if long else Within(None, None)
