"""count_solutions(): how many solutions a level has, up to a number, and what to do about it.

Exactly one: the level is as puzzles should be. Several: two of them, and where they differ. None: a few givens or words
that contradict each other. For games that state their constraints; each solution is replayed on the rules.
"""

from __future__ import annotations

from time import perf_counter

from unpuzzle.errors import LimitReached, ParseError, PlannerFailed
from unpuzzle.limits import Deadline, Limits
from unpuzzle.planning import registry
from unpuzzle.puzzle.capabilities import Constrained, required
from unpuzzle.puzzle.replaying import replay
from unpuzzle.result import SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE, Result
from unpuzzle.solving import default_planner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable

    from unpuzzle.planning.planner import Planner
    from unpuzzle.puzzle.position import Position

    Values = dict[str, Hashable]

PURPOSE = "cannot have its solutions counted"


class Count:
    """What counting found.

    Attributes:
        result: for the first solution, with the status of the whole: `timeout` where the time ended the counting.
        solutions: values of the constraints' variables, of each solution found.
        positions: the solved positions that they lead to.
        most: how many were to be found at most.
        conflict: where there is no solution, names of givens or words that contradict each other, none of which could
            be left out; None if there is a solution, or that was not found out in time.
    """

    def __init__(self, result: Result, most: int) -> None:
        self.result = result
        self.most = most
        self.solutions: list[Values] = []
        self.positions: list[Position] = []
        self.conflict: tuple[str, ...] | None = None

    @property
    def unique(self) -> bool | None:
        """Whether there is exactly one solution; None if that was not found out."""
        if len(self.solutions) > 1:
            return False
        certain = self.result.status in (SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE)
        return len(self.solutions) == 1 if certain and self.most > 1 else None

    def differences(self) -> dict[str, tuple[Hashable, Hashable]]:
        """By variable, the values of the first two solutions, where they differ."""
        if len(self.solutions) < 2:
            return {}
        one, other = self.solutions[:2]
        return {name: (one[name], other[name]) for name in one if one[name] != other[name]}


def count_solutions(
    position: Position, most: int = 2, planner: str | Planner | None = None, limits: Limits | None = None
) -> Count:
    """Find up to `most` solutions of a position.

    Without a planner named, it is the game's own or the first one here that counts.

    Raises ParseError for a game that states no constraints, a planner that cannot count, and a `most` below 1;
    DependencyMissing for a planner that is not installed; PlannerFailed where the constraints are not the game.
    """
    clock = perf_counter()
    constrained = required(position, Constrained, PURPOSE)
    if most < 1:
        raise ParseError(f"the number of solutions to look for must be at least 1, not {most}")
    chosen = _chosen(position, planner)
    limits = Limits() if limits is None else limits
    count = Count(Result(UNSOLVABLE, chosen.name, message=position.impossible() or ""), most)
    try:
        if not count.result.message:
            for values in chosen.solutions(position, most, limits):
                count.solutions.append(values)
                count.positions.append(_solved(position, tuple(constrained.moves_to(values)), count))
        if not count.solutions:
            rest = None if limits.time is None else max(limits.time - (perf_counter() - clock), 0.001)
            count.conflict = _conflict(constrained, limits.lasting(rest))
    except LimitReached as reached:
        count.result.status, count.result.message = reached.status, str(reached)
    count.result.seconds = {"search": perf_counter() - clock, "total": perf_counter() - clock}
    return count


def _chosen(position: Position, planner: str | Planner | None) -> Planner:
    if planner is None:
        able = (default_planner(position), *(kind for kind in registry.COUNTING if registry.missing(kind) is None))
        planner = next(name for name in able if registry.find(name).counts)
    chosen = registry.find(planner) if isinstance(planner, str) else planner
    if not chosen.counts:
        others = ", ".join(registry.COUNTING)
        raise ParseError(f"planner '{chosen.name}' finds one solution only; these count solutions: {others}")
    return chosen


def _solved(position: Position, moves: tuple[str, ...], count: Count) -> Position:
    """The position after the moves; the first solution becomes the result."""
    played = replay(position, moves)
    if not played.solved:
        said = (
            f"the constraints are not the game: {played.reason} (moves {' '.join(moves)}); `check` finds the difference"
        )
        raise PlannerFailed(said, planner=count.result.planner)
    if len(count.solutions) == 1:
        constraints = required(position, Constrained, PURPOSE).constraints()
        result = count.result
        result.status = SOLVED_OPTIMALLY if constraints.costs is None else SOLVED
        result.moves, result.cost, result.valid = moves, played.cost, True
    return played.position


def _conflict(constrained: Constrained, limits: Limits) -> tuple[str, ...] | None:
    """A small conflict; None if finding one takes too long, which changes nothing about the answer."""
    from unpuzzle.constraints import conflict

    try:
        return conflict(constrained.constraints(), Deadline(limits, "looking for a conflict").look)
    except LimitReached:
        return None
