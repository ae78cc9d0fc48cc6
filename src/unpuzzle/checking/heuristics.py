"""check_heuristic(): is a heuristic what it says it is? Looks at every position that can be reached from a level.

    admissible   no estimate is more than the least cost from there to a goal (so 0 at goals)
    consistent   no move lowers the estimate by more than it costs: estimate ≤ cost + estimate of the successor

(P. E. Hart, N. J. Nilsson and B. Raphael, A formal basis for the heuristic determination of minimum cost paths, 1968.)
The least costs are Dijkstra's, backwards from the goals over the moves that were found. Of the counterexamples, the
one that is fewest moves from the level is reported. Where not all can be looked at, a counterexample still holds, since
what is left out can only make costs less; but that there is none remains unknown.
"""

from __future__ import annotations

from unpuzzle.checking.heuristic_reports import HeuristicCheck, Inconsistency, Overestimate
from unpuzzle.limits import Deadline, ticked
from unpuzzle.puzzle.capabilities import heuristic_of
from unpuzzle.spaces.by_rules import POSITIONS_PER_CALL, explored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from unpuzzle.limits import Limits
    from unpuzzle.puzzle.heuristic import Heuristic
    from unpuzzle.puzzle.position import Position
    from unpuzzle.spaces.by_rules import RulesSpace

TOLERANCE = 1e-9
"""By so much, sums of square roots may miss."""


def check_heuristic(
    level: Position,
    heuristic: Heuristic | str,
    limits: Limits | Deadline | None = None,
    *,
    max_states: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> HeuristicCheck:
    """Whether a heuristic is admissible and consistent on a level, compared with what it claims.

    Args:
        level: the position to start from; its rules say what can be reached.
        heuristic: an object, or the name of one of the puzzle's.
        limits: of time and memory.
        max_states: the most positions to look at, breadth first; None is all.
        progress: called now and then with the number of positions seen.

    Raises ParseError for an unknown name or a heuristic that does not fit the level, LimitReached at a limit.
    """
    if max_states is not None and max_states < 1:
        raise ValueError(f"max_states must be at least 1, not {max_states}")
    if isinstance(heuristic, str):
        heuristic = heuristic_of(level, heuristic)
    watch = Deadline.of(limits, "checking a heuristic")

    def told(positions: int) -> None:
        if progress is not None and positions % POSITIONS_PER_CALL == 0:
            progress(positions)

    return judged(explored(level, watch, max_states, told, partial=True), heuristic, watch)


def judged(space: RulesSpace, heuristic: Heuristic, watch: Deadline) -> HeuristicCheck:
    """The same on a space that was explored, for several heuristics on one level."""
    estimates = _estimates(space, heuristic, watch)
    return HeuristicCheck(
        heuristic,
        space.states,
        space.transitions,
        space.complete,
        _inconsistency(space, estimates, watch),
        _overestimate(space, estimates, watch),
    )


def _estimates(space: RulesSpace, heuristic: Heuristic, watch: Deadline) -> list[float]:
    estimate = heuristic.watched(watch.look)
    estimates = []
    for position in space.positions:
        watch()
        estimates.append(estimate(position))
    return estimates


def _inconsistency(space: RulesSpace, estimates: list[float], watch: Deadline) -> Inconsistency | None:
    """The first edge that shows that the heuristic is not consistent."""
    for state, before in ticked(enumerate(estimates), watch):
        for edge in range(space.offsets[state], space.offsets[state + 1]):
            operator, after = space.operators[edge], estimates[space.targets[edge]]
            cost = space.costs[operator]
            if not before <= cost + after + TOLERANCE:
                move, position = space.actions[operator], space.positions[state]
                return Inconsistency(space.path(state), position, move, cost, (before, after))
    return None


def _overestimate(space: RulesSpace, estimates: list[float], watch: Deadline) -> Overestimate | None:
    """The first position that shows that the heuristic is not admissible."""
    for state, (estimate, cost) in ticked(enumerate(zip(estimates, space.goal_distance, strict=True)), watch):
        if cost >= 0 and not estimate <= cost + TOLERANCE:
            return Overestimate(space.path(state), space.positions[state], estimate, cost, space.plan(state) or ())
    return None
