"""Explore a position by the rules of its puzzle alone, in plain Python, without the compiled core.

State s is the position `space.positions[s]`, and the actions are the moves.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from itertools import accumulate
from typing import Any

from unpuzzle.base.distances import distances
from unpuzzle.base.errors import LimitReached, UnsupportedFeature
from unpuzzle.base.outcomes import GAVE_UP
from unpuzzle.base.run import checkpoint, phase, within_limits
from unpuzzle.base.text import count
from unpuzzle.puzzle.faults import after, attributes_of, require_cost, require_once, require_same, require_unchanged
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
    exploring = _Exploring(position, max_states, partial)
    try:
        with phase("exploring"):
            exploring.run(progress)
            space = exploring.space()
            space.compute()
            return space
    except LimitReached as reached:
        error = SpaceLimitError(reached.status, len(exploring.edges), max_states)
        return exploring.space(error.status, str(error))


class _Exploring:
    """One search, with its results so far."""

    def __init__(self, start: Position, max_states: int | None, partial: bool) -> None:
        self.positions = [start]
        self.edges: Edges = []
        self._operators: dict[tuple[str, int], int] = {}
        self._numbers = {start: 0}
        self._max_states, self._partial, self._whole = max_states, partial, True
        self._alike = attributes_of(type(start))

    def run(self, progress: Callable[[int], None] | None) -> None:
        """Expand all positions. Raises LimitReached."""
        for expanded, position in enumerate(within_limits(self.positions), 1):  # the list grows meanwhile
            self._expand(position)
            if progress is not None and expanded % POSITIONS_PER_CALL == 0:
                progress(expanded)
        for move, cost in self._operators:
            require_cost(self.positions[0], move, cost)

    def _expand(self, position: Position) -> None:
        """Add the moves of a position, and the positions after them while there is room."""
        positions, operators, numbers, alike = self.positions, self._operators, self._numbers, self._alike
        steps: list[tuple[int, int]] = []
        self.edges.append(steps)
        moves, known = [], hash(position)
        for move in position.moves():
            moves.append(move)
            following = position.apply(move)
            require_unchanged(position, known)
            target = numbers.get(following)
            if target is None:
                if len(positions) == self._max_states:
                    if not self._partial:
                        raise LimitReached(GAVE_UP, "there are more states")
                    self._whole = False
                    continue
                target = numbers[following] = len(positions)
                positions.append(following)
            elif not alike(positions[target], following):
                require_same(positions[target], following, partial(self._ways, target, move))
            steps.append((operators.setdefault((move, position.cost(move)), len(operators)), target))
        require_once(position, moves)

    def _ways(self, known: int, move: str) -> tuple[str, str]:
        """Return in words how a position was reached first, and how by a move from the position expanded last."""
        space = self.space()
        return after(space.path(known)), after([*space.path(len(self.edges) - 1), move])

    def space(self, status: str = COMPLETE, message: str = "") -> RulesSpace:
        """Return the space of the positions and moves so far."""
        if status == COMPLETE and not self._whole:
            status, message = GAVE_UP, f"there are more than {count(self._max_states or 0, 'state')}"
        unexpanded: list[tuple[int, int]] = []  # one for all, since memory may be short
        edges = self.edges + [unexpanded] * (len(self.positions) - len(self.edges))
        return RulesSpace(self.positions, edges, list(self._operators), status, message)


class RulesSpace(Space[str]):
    """A `Space` with positions as states: `positions[s]`. Distances and plans are computed when first used."""

    positions: tuple[Position, ...]
    _edges: Edges

    def __init__(
        self,
        positions: Iterable[Position],
        edges: Edges,
        operators: Iterable[tuple[str, int]],
        status: str = COMPLETE,
        message: str = "",
    ) -> None:
        """Take `edges`, by position pairs (operator, target), and `operators`, moves with their costs."""
        values = {
            "positions": tuple(positions),
            "offsets": _view("Q", accumulate(map(len, edges), initial=0)),
            "operators": _view("I", (operator for steps in edges for operator, _ in steps)),
            "targets": _view("I", (target for steps in edges for _, target in steps)),
            "_edges": edges,
        }
        moves, costs = [move for move, _ in operators], [cost for _, cost in operators]
        super().__init__(tuple(moves), tuple(costs), values, status, message)

    def compute(self) -> None:
        """Compute all arrays now, while the limits are checked."""
        for name in FORMATS:
            getattr(self, name)
        vars(self)["_edges"] = []

    @cached_property
    def goals(self) -> memoryview:  # type: ignore[override]
        return memoryview(bytes([position.solved() for position in within_limits(self.positions)]))

    @cached_property
    def depth(self) -> memoryview:  # type: ignore[override]
        def targets(state: int) -> list[int]:
            checkpoint()
            return [target for _, target in self._edges[state]]

        steps = distances([0], targets)
        return _view("I", [steps[state] for state in range(self.states)])

    @cached_property
    def distance(self) -> memoryview:  # type: ignore[override]
        return _view("q", _least_costs([0], self._steps()))

    @cached_property
    def goal_distance(self) -> memoryview:  # type: ignore[override]
        goals = [state for state, goal in enumerate(self.goals) if goal]
        return _view("q", _least_costs(goals, _reversed(self._steps())))

    @cached_property
    def plans(self) -> memoryview:  # type: ignore[override]
        """The number of plans of least cost from each state: the sum of these numbers over the next states.

        States are taken in topological order (Kahn 1962); a state that never gets its turn can reach a cycle.
        """
        rest = self.goal_distance.tolist()
        tight = [
            [(cost, target) for cost, target in steps if own == cost + rest[target] and rest[target] >= 0]
            for own, steps in zip(rest, self._steps(), strict=True)
        ]
        before, waiting = _reversed(tight), list(map(len, tight))
        plans = [ENDLESS] * len(tight)
        ready = [state for state, number in enumerate(waiting) if not number]
        for state in within_limits(ready):  # which grows meanwhile
            plans[state] = min(MANY, self.goals[state] + sum([plans[target] for _, target in tight[state]]))
            for _, previous in before[state]:
                waiting[previous] -= 1
                if not waiting[previous]:
                    ready.append(previous)
        return _view("Q", plans)

    def _steps(self) -> Edges:
        """Return the cost and target of each transition, by state."""
        costs = self.costs
        return [[(costs[operator], target) for operator, target in steps] for steps in self._edges]

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_edges": []}


def _view(kind: str, numbers: Iterable[int]) -> memoryview:
    try:
        return memoryview(array(kind, numbers)).toreadonly()
    except OverflowError:
        message = "the least cost of a position is more than 2^63 - 1, the most that a state space takes"
        raise UnsupportedFeature(message, feature="costs of 2^63 and more") from None


def _reversed(edges: Edges) -> Edges:
    backward: Edges = [[] for _ in edges]
    for state, steps in enumerate(edges):
        for cost, target in steps:
            backward[target].append((cost, state))
    return backward


def _least_costs(sources: Iterable[int], edges: Edges) -> list[int]:
    """Return the least cost from any source to each state, -1 if it cannot be reached (Dijkstra 1959)."""
    costs = dict.fromkeys(sources, 0)
    queue = [(0, source) for source in sources]
    while queue:
        checkpoint()
        cost, state = heapq.heappop(queue)
        if cost == costs[state]:
            for step, target in edges[state]:
                if target not in costs or cost + step < costs[target]:
                    costs[target] = cost + step
                    heapq.heappush(queue, (cost + step, target))
    return [costs.get(state, -1) for state in range(len(edges))]
