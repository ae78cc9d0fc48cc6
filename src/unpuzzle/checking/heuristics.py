"""Find out whether a heuristic is what it says it is, on every position that can be reached from a level.

    admissible   no estimate is more than the least cost from there to a goal (so 0 at goals)
    consistent   no move lowers the estimate by more than it costs: estimate ≤ cost + estimate of the successor

(P. E. Hart, N. J. Nilsson and B. Raphael, A formal basis for the heuristic determination of minimum cost paths, 1968.)
The least costs are Dijkstra's, backwards from the goals. Reported is the counterexample after the fewest moves. Where
only a part is looked at, a counterexample holds, since what is left out only lowers costs; its absence proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from unpuzzle.checking.heuristic_reports import HeuristicCheck, Inconsistency, Overestimate
from unpuzzle.errors import LimitReached, UsageError
from unpuzzle.limits import Deadline, Limits, ticked
from unpuzzle.puzzle.capabilities import heuristic_of
from unpuzzle.puzzle.heuristic import Heuristic
from unpuzzle.puzzle.position import Position
from unpuzzle.result import GAVE_UP
from unpuzzle.spaces.by_rules import RulesSpace, reachable_by_rules
from unpuzzle.spaces.space import COMPLETE

TOLERANCE = 1e-9
"""By so much, sums of square roots may miss."""


def check_heuristic(
    position: Position,
    heuristic: Heuristic | str,
    *,
    limits: Limits | Deadline | None = None,
    max_states: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> HeuristicCheck:
    """Find out whether a heuristic is admissible and consistent on a level, and compare that with what it claims.

    `heuristic` is an object or a name; `max_states` are the most positions to look at, breadth first; `progress` is
    called now and then with the number of positions seen. Where one of the limits is reached, `status` names it.

    Raises UsageError for an unknown name, ParseError for a heuristic that does not fit the level.
    """
    if not isinstance(position, Position):
        raise UsageError(f"check_heuristic() takes a position, not a {type(position).__name__}")
    if max_states is not None and max_states < 1:
        raise UsageError(f"max_states must be at least 1, not {max_states}")
    if isinstance(heuristic, str):
        heuristic = heuristic_of(position, heuristic)
    deadline = Deadline.of(limits, "checking a heuristic")
    space = reachable_by_rules(position, limits=deadline, max_states=max_states, partial=True, progress=progress)
    return judge_heuristic(space, heuristic, deadline)


def judge_heuristic(space: RulesSpace, heuristic: Heuristic, deadline: Deadline) -> HeuristicCheck:
    """Check a heuristic on a space that was explored, for several heuristics on one level."""
    claims = {"admissible": heuristic.admissible, "consistent": heuristic.consistent}
    head = heuristic.name, claims, space.states, space.transitions
    if space.status not in (COMPLETE, GAVE_UP):
        return HeuristicCheck(*head, False, status=space.status)
    try:
        estimates = _estimates(space, heuristic, deadline)
        examples = _inconsistency(space, estimates, deadline), _overestimate(space, estimates, deadline)
    except LimitReached as reached:
        return HeuristicCheck(*head, False, status=reached.status)
    return HeuristicCheck(*head, space.complete, *examples, status=space.status)


def _estimates(space: RulesSpace, heuristic: Heuristic, watch: Deadline) -> list[float]:
    estimate = heuristic.watched(watch.look)
    estimates = []
    for position in space.positions:
        watch()
        estimates.append(estimate(position))
    return estimates


def _inconsistency(space: RulesSpace, estimates: list[float], watch: Deadline) -> Inconsistency | None:
    """Return the first edge that shows that the heuristic is not consistent."""
    for state, before in ticked(enumerate(estimates), watch):
        for edge in range(space.offsets[state], space.offsets[state + 1]):
            operator, after = space.operators[edge], estimates[space.targets[edge]]
            cost = space.costs[operator]
            if not before <= cost + after + TOLERANCE:
                move, position = space.actions[operator], space.positions[state]
                return Inconsistency(space.path(state), position, move, position.apply(move), cost, before, after)
    return None


def _overestimate(space: RulesSpace, estimates: list[float], watch: Deadline) -> Overestimate | None:
    """Return the first position that shows that the heuristic is not admissible."""
    for state, (estimate, cost) in ticked(enumerate(zip(estimates, space.goal_distance, strict=True)), watch):
        if cost >= 0 and not estimate <= cost + TOLERANCE:
            return Overestimate(space.path(state), space.positions[state], estimate, cost, space.plan(state) or ())
    return None
