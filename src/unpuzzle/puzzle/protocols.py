"""Protocols for the results of capabilities, used only for type checking."""

from __future__ import annotations

from unpuzzle.base.type_hints import Any, Protocol
from unpuzzle.drawing import Ground
from unpuzzle.puzzle.position import Position


class StateArrays(Protocol):
    """A state space as byte arrays (see `spaces/space.py`), or only the limit (`status`) after `expanded` states."""

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
    """A replay of inputs on levels, one input after the other; the replay can be read at any time."""

    @property
    def ended(self) -> bool:
        """Whether the replay ended before all inputs were played."""

    @property
    def valid(self) -> bool | None:
        """Whether the inputs are legal and solve the level; None for a replay that only shows boards."""

    def run(self) -> None:
        """Play the inputs. Raises ParseError for an invalid level, and LimitReached at a limit."""

    def picture(self) -> Ground | None:
        """Return a picture of the replay so far; None for games without pictures."""

    def place(self) -> str:
        """Return in words which part is being played."""

    def lines(self) -> list[str]:
        """Return the replay so far as lines for people."""

    def to_dict(self) -> dict[str, Any]:
        """Return the replay so far as data for JSON."""


class Debugger(Protocol):
    """A debugger that finds, for display on a page, the rules that fire with each move in a position."""

    def turns(self, position: Position) -> dict[str, list[Any]]:
        """Return, for each move, the turns that the move causes, including moves that change nothing."""

    def boards(self, position: Position, move: str, turn: int, step: int) -> tuple[Ground, Ground]:
        """Return pictures of the board before and after a step of a turn, both counted from 0.

        Raises IndexError if there is no such step.
        """

    def head(self) -> dict[str, Any]:
        """Return the shared data that all turns so far refer to."""


class Covering(Protocol):
    """A search of levels for the rules that fire; the results so far can be read at any time."""

    def run(self) -> None:
        """Explore the levels. Raises ParseError for an invalid level."""

    def lines(self) -> list[str]:
        """Return the results so far as lines for people."""

    def to_dict(self) -> dict[str, Any]:
        """Return the results so far as data for JSON."""
