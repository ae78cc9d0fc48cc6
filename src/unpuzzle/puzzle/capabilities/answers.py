"""What capabilities answer with, where that is an object of some class: a state space in arrays, a play of inputs."""

from __future__ import annotations

from typing import Any, Protocol


class StateArrays(Protocol):
    """A state space in arrays of bytes, as in `spaces/space.py`; `status` is `complete` or the limit after so many
    `expanded`.
    """

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
    """Inputs that are played on a level, one after the other; it can be asked at any time."""

    @property
    def ended(self) -> bool:
        """Whether the play was over before all inputs were played."""

    def run(self) -> None:
        """Play the inputs. Raises ParseError for what is no level, and what ends the running work (`limits.tick`)."""

    def place(self) -> str:
        """Return what is being played, in words."""

    def lines(self) -> list[str]:
        """Return what there is to see so far, in lines for people."""

    def to_dict(self) -> dict[str, Any]:
        """Return the same as data for JSON."""
