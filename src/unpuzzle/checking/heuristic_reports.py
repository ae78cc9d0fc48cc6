"""What the check of a heuristic found, and how it reads: counterexamples with the pictures of their positions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from unpuzzle.puzzle.position import Position
from unpuzzle.record import Plain, plain, schema_name
from unpuzzle.result import GAVE_UP
from unpuzzle.spaces.space import COMPLETE
from unpuzzle.words import count


@dataclass(frozen=True, slots=True)
class Inconsistency(Plain):
    """A move that lowers the estimate by more than it costs; `moves` lead from the level to `position`."""

    moves: tuple[str, ...]
    position: Position
    move: str
    successor: Position
    cost: int
    estimate: float
    estimate_after: float

    def __str__(self) -> str:
        return (
            f"not consistent: {_after(self.moves)}, the move {self.move} costs {self.cost} "
            f"and lowers the estimate from {_number(self.estimate)} to {_number(self.estimate_after)}\n"
            f"{_picture(self.position)}\n{self.move}\n{_picture(self.successor)}"
        )


@dataclass(frozen=True, slots=True)
class Overestimate(Plain):
    """A position from which `solution` costs less than the estimate; `moves` lead from the level to it."""

    moves: tuple[str, ...]
    position: Position
    estimate: float
    cost: int
    solution: tuple[str, ...]

    def __str__(self) -> str:
        moves = f" (moves {' '.join(self.solution)})" if self.solution else ""
        return (
            f"not admissible: {_after(self.moves)}, the estimate is {_number(self.estimate)}, "
            f"but the goal costs {self.cost}{moves}\n{_picture(self.position)}"
        )


@dataclass(frozen=True, slots=True)
class HeuristicCheck(Plain):
    """What the check of a heuristic found.

    Attributes:
        heuristic: the name of the one that was checked.
        claims: whether it claims to be `admissible` and `consistent`.
        states, transitions: how many positions, and moves out of them, were looked at.
        exhaustive: whether these are all that can be reached.
        inconsistency, overestimate: the counterexamples, or None.
        status: `complete` where all positions were looked at, `gave_up` where a part was, or the limit that ended the
            check: `timeout`, `memout` or `cancelled`.
    """

    heuristic: str
    claims: Mapping[str, bool]
    states: int
    transitions: int
    exhaustive: bool
    inconsistency: Inconsistency | None = None
    overestimate: Overestimate | None = None
    status: str = COMPLETE

    schema = "check-heuristic"

    @property
    def consistent(self) -> bool | None:
        """Whether it is, on this level; None if that is not known."""
        return False if self.inconsistency is not None else True if self.exhaustive else None

    @property
    def admissible(self) -> bool | None:
        """Whether it is, on this level; None if that is not known."""
        return False if self.overestimate is not None else True if self.exhaustive else None

    @property
    def holds(self) -> bool | None:
        """Whether it is what it claims to be, on this level; None if that is not known."""
        verdicts = [getattr(self, name) for name, claimed in self.claims.items() if claimed]
        return False if False in verdicts else None if None in verdicts else True

    @property
    def complete(self) -> bool:
        """Whether the check came to its end before a limit of time or memory ended it."""
        return self.status in (COMPLETE, GAVE_UP)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as data for JSON; None is unknown, except for estimates, where it is infinite."""
        names = "heuristic holds claims admissible consistent exhaustive states transitions overestimate inconsistency"
        fields = {name: plain(getattr(self, name)) for name in (*names.split(), "status")}
        return {"schema": schema_name(self.schema), **fields}

    def __str__(self) -> str:
        which = "all that can be reached" if self.exhaustive else "there are more"
        which = which if self.complete else "there may be more"
        verdicts = [f"{name}: {_verdict(getattr(self, name), claimed)}" for name, claimed in self.claims.items()]
        examples = [str(example) for example in (self.overestimate, self.inconsistency) if example is not None]
        looked = f"{count(self.states, 'state')} and {count(self.transitions, 'transition')} looked at, {which}"
        return "\n\n".join(["\n".join([f"{self.heuristic}: {looked}", *verdicts]), *examples])


def _verdict(answer: bool | None, claimed: bool) -> str:
    if answer is False and claimed:
        return "no, though it claims to be"
    return {True: "yes", False: "no", None: "no counterexample found"}[answer]


def _after(moves: tuple[str, ...]) -> str:
    return f"after {count(len(moves), 'move')} ({' '.join(moves)})" if moves else "at the start"


def _number(estimate: float) -> str:
    return f"{estimate:g}" if abs(estimate) < 1e5 else str(estimate)


def _picture(position: Position) -> str:
    return position.draw().rstrip()
