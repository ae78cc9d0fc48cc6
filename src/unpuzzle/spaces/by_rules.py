"""Exploration of a position by the rules of its puzzle, in plain Python, without the compiled core.

State s is the position `space.positions[s]`, and the actions are the moves.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import accumulate

from unpuzzle.base.distances import Explorer, distances, least_costs
from unpuzzle.base.errors import LimitReached, UnsupportedFeature
from unpuzzle.base.outcomes import GAVE_UP
from unpuzzle.base.run import checkpoint, phase, within_limits
from unpuzzle.base.text import count
from unpuzzle.pddl.nodes import Atom
from unpuzzle.puzzle.faults import require_cost, require_once, require_same_after, require_unchanged
from unpuzzle.puzzle.position import Position
from unpuzzle.spaces.space import COMPLETE, ENDLESS, FORMATS, MANY, Space, SpaceLimitError

Edges = list[list[tuple[int, int]]]
"""For each state, pairs of a number and a neighbour."""
POSITIONS_PER_CALL = 1024


def reachable_by_rules(
    position: Position,
    *,
    max_states: int | None = None,
    partial: bool = False,
    progress: Callable[[int], None] | None = None,
) -> RulesSpace:
    """Explore a position breadth-first by the rules; the arguments are as for `by_task.reachable`.

    Beyond `max_states` it ends at once or, if `partial`, continues among the nearest states, leaving out moves to
    others. At a limit, the space has all states seen so far. Raises ParseError for equal positions that are not the
    same.
    """
    explorer, whole = Explorer(position, steps_by_rules, require_same_after), True
    try:
        with phase("exploring"):
            while explorer.depth is not None:
                checkpoint()
                whole &= explorer.expand(max_states)
                if not whole and not partial:
                    raise LimitReached(GAVE_UP, "there are more states")
                if progress is not None and len(explorer.edges) % POSITIONS_PER_CALL == 0:
                    progress(len(explorer.edges))
            message = "" if whole else f"there are more than {count(max_states or 0, 'state')}"
            space = space_of(explorer, COMPLETE if whole else GAVE_UP, message)
            for move, cost in zip(space.actions, space.costs, strict=True):
                require_cost(position, move, cost)
            space.compute()
            return space
    except LimitReached as reached:
        error = SpaceLimitError(reached.status, len(explorer.edges), max_states)
        return space_of(explorer, error.status, str(error))


def steps_by_rules(position: Position) -> Iterator[tuple[int, Position, str]]:
    """Yield the cost, the resulting position and the name of each move.

    Raises GameFault for a move that changes the position, or is offered twice.
    """
    moves, known = [], hash(position)
    for move in position.moves():
        moves.append(move)
        following = position.apply(move)
        require_unchanged(position, known)
        yield position.cost(move), following, move
    require_once(position, moves)


def space_of(explorer: Explorer, status: str, message: str = "") -> RulesSpace:
    """Return the state space of the positions and moves found so far."""
    operators: dict[tuple[str, int], int] = {}
    edges: Edges = [
        [(operators.setdefault((move, cost), len(operators)), target) for cost, target, move in steps]
        for steps in explorer.edges
    ]
    unexpanded: list[tuple[int, int]] = []  # one for all, since memory may be short
    edges += [unexpanded] * (len(explorer.states) - len(edges))
    return RulesSpace(explorer.states, edges, operators, status, message)


class RulesSpace(Space[str]):
    """A `Space` with positions as states (`positions[s]`). Distances and plans are computed when first used."""

    positions: tuple[Position, ...]

    def __init__(
        self,
        positions: Iterable[Position],
        edges: Edges,
        operators: Iterable[tuple[str, int]],
        status: str = COMPLETE,
        message: str = "",
    ) -> None:
        """Store, for each position, `edges` as pairs (operator, target), and `operators` as moves with their costs."""
        values = {
            "positions": tuple(positions),
            "offsets": _view("Q", accumulate(map(len, edges), initial=0)),
            "operators": _view("I", (operator for steps in edges for operator, _ in steps)),
            "targets": _view("I", (target for steps in edges for _, target in steps)),
        }
        moves, costs = [move for move, _ in operators], [cost for _, cost in operators]
        super().__init__(tuple(moves), tuple(costs), values, status, message)

    def atoms(self, state: int) -> frozenset[Atom]:
        """Return the fluents that are true in a state."""
        return self.positions[state].atoms()

    def compute(self) -> None:
        """Compute all arrays now, while limits are still checked."""
        for name in FORMATS:
            getattr(self, name)

    @cached_property
    def goals(self) -> memoryview:  # type: ignore[override]
        return memoryview(bytes([position.solved() for position in within_limits(self.positions)]))

    @cached_property
    def depth(self) -> memoryview:  # type: ignore[override]
        steps = distances([0], self.following)
        return _view("I", [steps[state] for state in range(self.states)])

    @cached_property
    def distance(self) -> memoryview:  # type: ignore[override]
        return self._least_costs([0], self._steps)

    @cached_property
    def goal_distance(self) -> memoryview:  # type: ignore[override]
        backward: Edges = [[] for _ in self.positions]
        for state in within_limits(range(self.states)):
            for cost, target in self._steps(state):
                backward[target].append((cost, state))
        return self._least_costs([state for state, goal in enumerate(self.goals) if goal], backward.__getitem__)

    def _least_costs(self, starts: Iterable[int], steps: Callable[[int], list[tuple[int, int]]]) -> memoryview:
        """Return the least cost from any of some states to each state; -1 for an unreachable state."""
        costs = least_costs(dict.fromkeys(starts, 0), steps)
        return _view("q", [costs.get(state, -1) for state in range(self.states)])

    def _steps(self, state: int) -> list[tuple[int, int]]:
        """Return the cost and the target of each transition of a state."""
        return [(self.costs[self.operators[edge]], self.targets[edge]) for edge in self.edges(state)]

    @cached_property
    def plans(self) -> memoryview:  # type: ignore[override]
        """Return, for each state, the number of cheapest plans, which is the sum over the best next states.

        A state that never gets its turn after the next ones can reach a cycle.
        """
        onward = [self._onward(state) for state in within_limits(range(self.states))]
        order = TopologicalSorter(dict(enumerate(onward)))
        with suppress(CycleError):
            order.prepare()
        plans = [ENDLESS] * self.states
        while ready := order.get_ready():
            for state in within_limits(ready):
                plans[state] = min(MANY, self.goals[state] + sum([plans[target] for target in onward[state]]))
            order.done(*ready)
        return _view("Q", plans)


def _view(kind: str, numbers: Iterable[int]) -> memoryview:
    try:
        return memoryview(array(kind, numbers)).toreadonly()
    except OverflowError:
        message = "the least cost of a position is more than 2^63 - 1, the most that a state space takes"
        raise UnsupportedFeature(message, feature="costs of 2^63 and more") from None
