"""Check whether a heuristic is admissible and consistent at all reachable positions of a level.

    admissible   no estimate is more than the least cost from there to a goal (so 0 at goals)
    consistent   no move lowers the estimate by more than it costs: estimate ≤ cost + estimate of the successor

(P. E. Hart, N. J. Nilsson and B. Raphael, A formal basis for the heuristic determination of minimum cost paths, 1968.)

The least costs are computed by Dijkstra's algorithm, backwards from the goals. The counterexample after the fewest
moves is reported. If only a part of the positions is explored, a counterexample is still valid, since further positions
can only lower costs; without one, nothing is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from unpuzzle.base.errors import GameFault, LimitReached, UsageError
from unpuzzle.base.outcomes import GAVE_UP
from unpuzzle.base.run import Limits, Run, within_limits
from unpuzzle.base.text import count
from unpuzzle.base.values import Record, plain, schema_name
from unpuzzle.model.capabilities import heuristic_of
from unpuzzle.model.heuristic import NO_ESTIMATE, Heuristic, exceeds
from unpuzzle.model.position import Position
from unpuzzle.state_space.space import COMPLETE, RulesSpace, reachable_by_rules
from unpuzzle.verification.report import LevelReport, verdict


class Inconsistency(Record):
    """A move that lowers the estimate by more than its cost, which violates consistency."""

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


class Overestimate(Record):
    """A position whose estimate is more than the cost of a solution, which violates admissibility."""

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


class HeuristicCheck(LevelReport):
    """The result of checking a heuristic on one level.

    Attributes:
        heuristic: the name of the heuristic.
        claims: whether it claims to be `admissible` and `consistent`.
        states, transitions: the numbers of positions, and of moves out of them, that were explored.
        exhaustive: whether these are all that can be reached.
        inconsistency, overestimate: the counterexamples, or None.
        no_estimate: a sentence on the position with no number of 0 or more, or with two; None if each has one.
        status: `complete` if all positions were explored, `gave_up` if only a part was, or the limit that ended the
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
    no_estimate: str | None = None

    schema = "check-heuristic"

    @property
    def consistent(self) -> bool | None:
        """Whether the heuristic is consistent on this level; None if unknown."""
        return verdict(self.inconsistency or self.no_estimate, self.exhaustive)

    @property
    def admissible(self) -> bool | None:
        """Whether the heuristic is admissible on this level; None if unknown."""
        return verdict(self.overestimate or self.no_estimate, self.exhaustive)

    @property
    def holds(self) -> bool | None:
        """Whether the heuristic has the properties that it claims, on this level; None if unknown."""
        verdicts = [getattr(self, name) for name, claimed in self.claims.items() if claimed]
        return False if False in verdicts or self.no_estimate else None if None in verdicts else True

    def to_dict(self) -> dict[str, Any]:
        """Return the report as data for JSON; None means unknown or, for an estimate, infinite."""
        names = "heuristic holds claims admissible consistent exhaustive states transitions overestimate inconsistency"
        fields = {name: plain(getattr(self, name)) for name in (*names.split(), "no_estimate", "status")}
        return {"schema": schema_name(self.schema), **fields}

    def __str__(self) -> str:
        more = "there are more" if self.complete else "there may be more"
        which = "all that can be reached" if self.exhaustive else more
        verdicts = [f"{name}: {_verdict(getattr(self, name), claimed)}" for name, claimed in self.claims.items()]
        examples = [str(each) for each in (self.no_estimate, self.overestimate, self.inconsistency) if each is not None]
        looked = f"{count(self.states, 'state')} and {count(self.transitions, 'transition')} examined, {which}"
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


def check_heuristic(
    position: Position,
    heuristic: Heuristic | str,
    *,
    limits: Limits | None = None,
    max_states: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> HeuristicCheck:
    """Check whether a heuristic is admissible and consistent on a level, as it claims to be.

    `heuristic` is an object or a name; `max_states` limits the positions explored, breadth first; `progress` is called
    now and then with the number of positions seen. If one of the limits is reached, `status` names it.

    Raises UsageError for an unknown name, ParseError for a heuristic that does not fit the level.
    """
    if not isinstance(position, Position):
        raise UsageError(f"check_heuristic() takes a position, not a {type(position).__name__}")
    if max_states is not None and max_states < 1:
        raise UsageError(f"max_states must be at least 1, not {max_states}")
    if isinstance(heuristic, str):
        heuristic = heuristic_of(position, heuristic)
    with Run(limits, "checking a heuristic"):
        space = reachable_by_rules(position, max_states=max_states, partial=True, progress=progress)
        return judge_heuristic(space, heuristic)


def judge_heuristic(space: RulesSpace, heuristic: Heuristic) -> HeuristicCheck:
    """Check a heuristic on an explored state space; several heuristics can share the state space."""
    claims = {"admissible": heuristic.admissible, "consistent": heuristic.consistent}
    head = heuristic.name, claims, space.states, space.transitions
    if space.status not in (COMPLETE, GAVE_UP):
        return HeuristicCheck(*head, False, status=space.status)
    try:
        estimate = heuristic.watched()
        estimates: list[float] = []
        if wrong := _no_estimate(space, estimate, estimates):
            return HeuristicCheck(*head, space.complete, status=space.status, no_estimate=wrong)
        examples = _inconsistency(space, estimates), _overestimate(space, estimates)
    except LimitReached as reached:
        return HeuristicCheck(*head, False, status=reached.status)
    return HeuristicCheck(*head, space.complete, *examples, status=space.status)


def _no_estimate(space: RulesSpace, estimate: Callable[[Any], float], estimates: list[float]) -> str | None:
    """Estimate all positions, and return a sentence about the first estimate that is missing or ambiguous."""
    states = range(space.states)
    for state in within_limits((*states, *reversed(states))):  # twice, in different orders: nothing may be remembered
        position, where = space.positions[state], f"no estimate {_after(space.path(state))}"
        try:
            estimates.append(estimate(position))
        except GameFault as fault:
            if fault.code != NO_ESTIMATE:
                raise
            return f"{where}: {fault.message}"
        if len(estimates) > len(states) and (again := estimates.pop()) != (before := estimates[state]):
            return f"{where}: {_number(before)} at first, and then {_number(again)}\n{_picture(position)}"
    return None


def _inconsistency(space: RulesSpace, estimates: list[float]) -> Inconsistency | None:
    """Return the first move that violates consistency; None if there is none."""
    for state, before in within_limits(enumerate(estimates)):
        for edge in space.edges(state):
            operator, after = space.operators[edge], estimates[space.targets[edge]]
            cost = space.costs[operator]
            if exceeds(before, cost + after):
                move, position = space.actions[operator], space.positions[state]
                return Inconsistency(space.path(state), position, move, position.apply(move), cost, before, after)
    return None


def _overestimate(space: RulesSpace, estimates: list[float]) -> Overestimate | None:
    """Return the first position that violates admissibility; None if there is none."""
    for state, (estimate, cost) in within_limits(enumerate(zip(estimates, space.goal_distance, strict=True))):
        if cost >= 0 and exceeds(estimate, cost):
            return Overestimate(space.path(state), space.positions[state], estimate, cost, space.plan(state) or ())
    return None
