"""What the check of a heuristic found, and how it reads: counterexamples with the pictures of their positions."""

from __future__ import annotations

from unpuzzle.words import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from unpuzzle.puzzle.heuristic import Heuristic
    from unpuzzle.puzzle.position import Position


class Inconsistency:
    """A move that lowers the estimate by more than it costs; `way` has the moves from the level to `position`."""

    __slots__ = ("cost", "estimate", "estimate_after", "move", "position", "successor", "way")

    def __init__(
        self,
        way: tuple[str, ...],
        position: Position,
        move: str,
        cost: int,
        estimates: tuple[float, float],
    ) -> None:
        self.way = way
        self.position = position
        self.move = move
        self.successor = position.apply(move)
        self.cost = cost
        self.estimate, self.estimate_after = estimates

    def __str__(self) -> str:
        return (
            f"not consistent: {_after(self.way)}, the move {self.move} costs {self.cost} "
            f"and lowers the estimate from {_shown(self.estimate)} to {_shown(self.estimate_after)}\n"
            f"{_picture(self.position)}\n{self.move}\n{_picture(self.successor)}"
        )


class Overestimate:
    """A position from which `solution` costs less than the estimate; `way` has the moves from the level to it."""

    __slots__ = ("cost", "estimate", "position", "solution", "way")

    def __init__(
        self, way: tuple[str, ...], position: Position, estimate: float, cost: int, solution: tuple[str, ...]
    ) -> None:
        self.way = way
        self.position = position
        self.estimate = estimate
        self.cost = cost
        self.solution = solution

    def __str__(self) -> str:
        moves = f" (moves {' '.join(self.solution)})" if self.solution else ""
        return (
            f"not admissible: {_after(self.way)}, the estimate is {_shown(self.estimate)}, "
            f"but the goal costs {self.cost}{moves}\n{_picture(self.position)}"
        )


class HeuristicCheck:
    """What was found.

    Attributes:
        heuristic: the one that was checked, with what it claims.
        states, transitions: how many positions, and moves out of them, were looked at.
        exhaustive: whether these are all that can be reached.
        inconsistency, overestimate: the counterexamples, or None.
    """

    __slots__ = ("exhaustive", "heuristic", "inconsistency", "overestimate", "states", "transitions")

    def __init__(
        self,
        heuristic: Heuristic,
        states: int,
        transitions: int,
        exhaustive: bool,
        inconsistency: Inconsistency | None,
        overestimate: Overestimate | None,
    ) -> None:
        self.heuristic = heuristic
        self.states = states
        self.transitions = transitions
        self.exhaustive = exhaustive
        self.inconsistency = inconsistency
        self.overestimate = overestimate

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
        claims = (self.heuristic.consistent, self.consistent), (self.heuristic.admissible, self.admissible)
        verdicts = [verdict for claimed, verdict in claims if claimed]
        return False if False in verdicts else None if None in verdicts else True

    def __str__(self) -> str:
        heuristic, all_of_them = self.heuristic, "all that can be reached" if self.exhaustive else "there are more"
        verdicts = [
            f"admissible: {_verdict(self.admissible, heuristic.admissible)}",
            f"consistent: {_verdict(self.consistent, heuristic.consistent)}",
        ]
        found = [str(example) for example in (self.overestimate, self.inconsistency) if example is not None]
        looked = f"{count(self.states, 'state')} and {count(self.transitions, 'transition')} looked at, {all_of_them}"
        return "\n\n".join(["\n".join([f"{heuristic.name}: {looked}", *verdicts]), *found])

    def __repr__(self) -> str:
        return (
            f"HeuristicCheck({self.heuristic!r}, states={self.states}, exhaustive={self.exhaustive}, "
            f"admissible={self.admissible}, consistent={self.consistent})"
        )


def _verdict(found: bool | None, claimed: bool) -> str:
    if found is False and claimed:
        return "no, though it claims to be"
    return {True: "yes", False: "no", None: "no counterexample found"}[found]


def _after(way: Iterable[str]) -> str:
    moves = tuple(way)
    return f"after {count(len(moves), 'move')} ({' '.join(moves)})" if moves else "at the start"


def _shown(estimate: float) -> str:
    return f"{estimate:g}" if abs(estimate) < 1e5 else str(estimate)


def _picture(position: Position) -> str:
    return position.draw().rstrip()
