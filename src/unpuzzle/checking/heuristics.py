"""Find out whether a heuristic keeps its claims, on every position that can be reached from a level.

    admissible   no estimate is more than the least cost from there to a goal (so 0 at goals)
    consistent   no move lowers the estimate by more than it costs: estimate ≤ cost + estimate of the successor

(P. E. Hart, N. J. Nilsson and B. Raphael, A formal basis for the heuristic determination of minimum cost paths, 1968.)

The least costs are computed by Dijkstra's algorithm, backwards from the goals. The counterexample after the fewest
moves is reported. If only a part of the positions is explored, a counterexample still holds, since further positions
can only lower costs; without one, nothing is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from unpuzzle.checking.report import Judgement, verdict
from unpuzzle.errors import GameFault, LimitReached, UsageError
from unpuzzle.limits import Deadline, Limits, ticked
from unpuzzle.puzzle.capabilities import heuristic_of
from unpuzzle.puzzle.heuristic import NO_ESTIMATE, Heuristic, Overestimate, after_moves, exceeds, number_text
from unpuzzle.puzzle.position import Position
from unpuzzle.record import Plain, plain, schema_name
from unpuzzle.result import GAVE_UP
from unpuzzle.spaces.by_rules import RulesSpace, reachable_by_rules
from unpuzzle.spaces.space import COMPLETE
from unpuzzle.words import count


@dataclass(frozen=True, slots=True)
class Inconsistency(Plain):
    """A move, made in `position`, that lowers the estimate by more than it costs; `moves` lead there from the start."""

    moves: tuple[str, ...]
    position: Position
    move: str
    successor: Position
    cost: int
    estimate: float
    estimate_after: float

    def __str__(self) -> str:
        return (
            f"not consistent: {after_moves(self.moves)}, the move {self.move} costs {self.cost} "
            f"and lowers the estimate from {number_text(self.estimate)} to {number_text(self.estimate_after)}\n"
            f"{self.position.draw().rstrip()}\n{self.move}\n{self.successor.draw().rstrip()}"
        )


@dataclass(frozen=True, slots=True)
class NoEstimate(Plain):
    """A position for which the heuristic gives no estimate, or different ones; `message` says which."""

    moves: tuple[str, ...]
    position: Position
    message: str

    def __str__(self) -> str:
        return f"no estimate {after_moves(self.moves)}: {self.message}"


@dataclass(frozen=True, slots=True)
class HeuristicCheck(Judgement):
    """The report on a heuristic.

    Attributes:
        heuristic: the name of the heuristic.
        claims: whether it claims to be `admissible` and `consistent`.
        states, transitions: the numbers of positions, and of moves out of them, that were explored.
        exhaustive: whether these are all that can be reached.
        inconsistency, overestimate: the counterexamples, or None.
        no_estimate: the position with a value that is no estimate, or None; the heuristic then keeps no claim.
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
    no_estimate: NoEstimate | None = None

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
        """Whether the heuristic keeps its claims on this level; None if unknown."""
        verdicts = [getattr(self, name) for name, claimed in self.claims.items() if claimed]
        return False if False in verdicts or self.no_estimate else None if None in verdicts else True

    def to_dict(self) -> dict[str, Any]:
        """Return the report as data for JSON; None means unknown, but for estimates infinite."""
        names = "heuristic holds claims admissible consistent exhaustive states transitions overestimate inconsistency"
        names += " no_estimate"
        fields = {name: plain(getattr(self, name)) for name in (*names.split(), "status")}
        return {"schema": schema_name(self.schema), **fields}

    def __str__(self) -> str:
        more = "there are more" if self.complete else "there may be more"
        which = "all that can be reached" if self.exhaustive else more
        verdicts = [f"{name}: {_verdict(getattr(self, name), claimed)}" for name, claimed in self.claims.items()]
        found = (self.no_estimate, self.overestimate, self.inconsistency)
        examples = [str(example) for example in found if example is not None]
        looked = f"{count(self.states, 'state')} and {count(self.transitions, 'transition')} looked at, {which}"
        return "\n\n".join(["\n".join([f"{self.heuristic}: {looked}", *verdicts]), *examples])


def _verdict(answer: bool | None, claimed: bool) -> str:
    if answer is False and claimed:
        return "no, though it claims to be"
    return {True: "yes", False: "no", None: "no counterexample found"}[answer]


def check_heuristic(
    position: Position,
    heuristic: Heuristic | str,
    *,
    limits: Limits | Deadline | None = None,
    max_states: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> HeuristicCheck:
    """Find out whether a heuristic is admissible and consistent on a level, and compare that with its claims.

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
    deadline = Deadline.of(limits, "checking a heuristic")
    space = reachable_by_rules(position, limits=deadline, max_states=max_states, partial=True, progress=progress)
    return judge_heuristic(space, heuristic, deadline)


def judge_heuristic(space: RulesSpace, heuristic: Heuristic, deadline: Deadline) -> HeuristicCheck:
    """Check a heuristic on a space that is already explored, to compare several heuristics on one level."""
    claims = {"admissible": heuristic.admissible, "consistent": heuristic.consistent}
    head = heuristic.name, claims, space.states, space.transitions
    if space.status not in (COMPLETE, GAVE_UP):
        return HeuristicCheck(*head, False, status=space.status)
    try:
        estimate = heuristic.watched(deadline.look)
        estimates: list[float] = []
        wrong = _no_estimate(space, estimate, estimates, deadline)
        if wrong is not None:
            return HeuristicCheck(*head, space.complete, status=space.status, no_estimate=wrong)
        examples = _inconsistency(space, estimates, deadline), _overestimate(space, estimates, deadline)
    except LimitReached as reached:
        return HeuristicCheck(*head, False, status=reached.status)
    return HeuristicCheck(*head, space.complete, *examples, status=space.status)


def _no_estimate(
    space: RulesSpace, estimate: Callable[[Any], float], estimates: list[float], watch: Deadline
) -> NoEstimate | None:
    """Fill in the estimates of all positions, and return the first position without one, or with two."""
    states = range(len(space.positions))
    for state in ticked((*states, *reversed(states)), watch):  # again, in another order: nothing may be remembered
        position = space.positions[state]
        try:
            value = estimate(position)
        except GameFault as fault:
            if fault.code != NO_ESTIMATE:
                raise
            return NoEstimate(space.path(state), position, fault.message)
        if len(estimates) < len(states):
            estimates.append(value)
        elif exceeds(value, estimates[state]) or exceeds(estimates[state], value):
            said = f"{number_text(estimates[state])} at first, and then {number_text(value)}, for\n{position}"
            return NoEstimate(space.path(state), position, said)
    return None


def _inconsistency(space: RulesSpace, estimates: list[float], watch: Deadline) -> Inconsistency | None:
    """Return the first edge that violates consistency."""
    for state, before in ticked(enumerate(estimates), watch):
        for edge in space.edges(state):
            operator, after = space.operators[edge], estimates[space.targets[edge]]
            cost = space.costs[operator]
            if exceeds(before, cost + after):
                move, position = space.actions[operator], space.positions[state]
                return Inconsistency(space.path(state), position, move, position.apply(move), cost, before, after)
    return None


def _overestimate(space: RulesSpace, estimates: list[float], watch: Deadline) -> Overestimate | None:
    """Return the first position that violates admissibility."""
    for state, (estimate, cost) in ticked(enumerate(zip(estimates, space.goal_distance, strict=True)), watch):
        if cost >= 0 and exceeds(estimate, cost):
            return Overestimate(space.path(state), space.positions[state], estimate, cost, space.plan(state) or ())
    return None
