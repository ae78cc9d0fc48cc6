"""Protocols for the results of capabilities, used only for type checking."""

from __future__ import annotations

from unpuzzle.base.type_hints import Any, Protocol
from unpuzzle.drawing import Ground
from unpuzzle.puzzle.position import Position


class StateArrays(Protocol):
    """A state space in arrays of bytes (`spaces/space.py`), or a limit's `status` after `expanded` states."""

    @property
    def status(self) -> str: ...
    @property
    def expanded(self) -> int: ...
    def depth(self) -> bytes: ...
    def offsets(self) -> bytes: ...
    def targets(self) -> bytes: ...
    def operators(self) -> bytes: ...
    def goals(self) -> bytes: ...
    def distance(self) -> bytes: ...
    def goal_distance(self) -> bytes: ...
    def plans(self) -> bytes: ...


class Tracing(Protocol):
    """Inputs that are played on a level, one after the other; it can be read at any time."""

    @property
    def ended(self) -> bool:
        """Whether the play was over before all inputs were played."""

    @property
    def valid(self) -> bool | None:
        """Whether the inputs are legal and solve the level; None for traces that only show boards."""

    def run(self) -> None:
        """Play the inputs. Raises ParseError for an invalid level, and LimitReached."""

    def picture(self) -> Ground | None:
        """Return a picture of the plays so far, or None for games without pictures."""

    def place(self) -> str:
        """Return the part that is being played, in words."""

    def lines(self) -> list[str]:
        """Return the plays so far as lines for people."""

    def to_dict(self) -> dict[str, Any]:
        """Return the same as data for JSON."""


class Debugger(Protocol):
    """Finds the rules that fire with each move in positions of a game, for a page to show."""

    def turns(self, position: Position) -> dict[str, list[Any]]:
        """Return the turns that each move causes, also for moves that change nothing."""

    def boards(self, position: Position, move: str, turn: int, step: int) -> tuple[Ground, Ground]:
        """Return pictures of the board before and after a step of a turn, both counted from 0.

        Raises IndexError if there is no such step.
        """

    def head(self) -> dict[str, Any]:
        """Return the data that the turns so far refer to."""


class Covering(Protocol):
    """An exploration of levels for the rules that fire; it can be read at any time."""

    def run(self) -> None:
        """Explore the levels. Raises ParseError for an invalid level."""

    def lines(self) -> list[str]:
        """Return the results so far, in lines for people."""

    def to_dict(self) -> dict[str, Any]:
        """Return the same as data for JSON."""
