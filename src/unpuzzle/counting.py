"""Count the solutions of a level, and find out why a level has no solution or several solutions.

Exactly one solution is right for a puzzle. If there are several, two of them can be compared; if there is none, a few
contradicting givens or words are named. Games must state their constraints; each solution is replayed on the rules.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from time import perf_counter

from unpuzzle.base.errors import LimitReached, ModelMismatch, UsageError
from unpuzzle.base.outcomes import SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.base.run import Limits, Run, phase
from unpuzzle.base.values import Record, field
from unpuzzle.constraints import conflict
from unpuzzle.model.capabilities import Constrained, required
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import replay
from unpuzzle.planning import registry
from unpuzzle.planning.planner import Planner
from unpuzzle.planning.result import Result
from unpuzzle.planning.running import timed
from unpuzzle.solving import planner_for

Values = Mapping[str, Hashable]

PURPOSE = "cannot have its solutions counted"


class Count(Record):
    """The result of counting the solutions of a level.

    Attributes:
        result: the first solution, with the status of the whole: `timeout` if the time ended the counting.
        most: the most solutions to find.
        solutions: values of the constraints' variables, of each solution.
        positions: the solved positions after their moves.
        conflict: without a solution, a minimal set of names of contradicting givens or words; None if there is a
            solution, or the time did not suffice.
    """

    schema = "count"

    result: Result
    most: int
    solutions: list[Values] = field(default_factory=list)
    positions: list[Position] = field(default_factory=list)
    conflict: tuple[str, ...] | None = None

    @property
    def unique(self) -> bool | None:
        """Whether there is exactly one solution; None if unknown."""
        if len(self.solutions) > 1:
            return False
        certain = self.result.status in (SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE)
        return len(self.solutions) == 1 if certain and self.most > 1 else None

    def differences(self) -> dict[str, tuple[Hashable, Hashable]]:
        """Return the variables whose values differ in the first two solutions, each with both values."""
        if len(self.solutions) < 2:
            return {}
        one, other = self.solutions[:2]
        return {name: (one[name], other[name]) for name in one if one[name] != other[name]}


def count_solutions(
    position: Position, most: int = 2, *, planner: str | Planner | None = None, limits: Limits | None = None
) -> Count:
    """Count the solutions of a position, up to `most`.

    Raises UsageError for a game that states no constraints, a planner that cannot count, and a `most` below 1;
    DependencyMissing for a planner that is not installed; ModelMismatch if the constraints are not the game.
    """
    clock, run = perf_counter(), Run(limits, "counting solutions")
    constrained = required(position, Constrained, PURPOSE)
    if not isinstance(most, int) or most < 1:
        raise UsageError(f"the number of solutions to look for must be at least 1, not {most!r}")
    counter = _counter(position, planner)
    solutions: list[Values] = []
    positions: list[Position] = []
    reason = position.impossible()
    condition = None if reason is None else "impossible() is right"
    result = Result(UNSOLVABLE, counter.name, message=reason or "", condition=condition)
    reasons: tuple[str, ...] | None = None
    try:
        with run:
            for values in () if result.message else counter.solutions(position, most):
                moves = tuple(constrained.moves_to(values))
                end = _play(position, moves)  # which checks the solution by the rules
                if not solutions:  # without costs in the constraints, all solutions cost the same
                    status = SOLVED_OPTIMALLY if constrained.constraints().costs is None else SOLVED
                    result = result.replace(status=status, moves=moves, cost=replay(position, moves).cost, valid=True)
                solutions.append(values)
                positions.append(end)
            if not solutions:
                reasons = _conflict(constrained)
    except LimitReached as reached:
        result = result.replace(status=reached.status, message=str(reached))
    result = timed(result.lasting(search=perf_counter() - clock), clock)
    return Count(result, most, solutions, positions, reasons)


def _counter(position: Position, planner: str | Planner | None) -> Planner:
    """Return the planner that counts solutions. Raises UsageError if the chosen planner cannot count."""
    if planner is None:
        counting = (registry.find(kind) for kind in registry.COUNTING if registry.missing(kind) is None)
        return next(able for able in (planner_for(position), *counting) if able.counts)
    chosen = registry.find(planner)
    if not chosen.counts:
        others = ", ".join(registry.COUNTING)
        raise UsageError(f"planner '{chosen.name}' finds one solution only; these planners count solutions: {others}")
    return chosen


def _play(position: Position, moves: tuple[str, ...]) -> Position:
    """Return the solved position after the moves. Raises ModelMismatch if the rules forbid the moves."""
    replayed = replay(position, moves)
    if not replayed.solved:
        reason = f"{replayed.reason} (moves {' '.join(moves)}); `check` finds the difference"
        raise ModelMismatch(f"the constraints differ from the rules: {reason}")
    return replayed.position


def _conflict(constrained: Constrained) -> tuple[str, ...] | None:
    """Return a small set of relations that contradict each other; None if a limit ended the search for it."""
    try:
        with phase("looking for a conflict"):
            return conflict(constrained.constraints())
    except LimitReached:
        return None
