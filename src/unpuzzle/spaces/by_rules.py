"""Explore a position by the rules of its puzzle alone, in plain Python: where the core was not compiled.

State s is the position `space.positions[s]`, and the actions are the moves.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from itertools import accumulate
from typing import Any

from unpuzzle.errors import LimitReached
from unpuzzle.limits import Deadline, Limits, ticked, ticking
from unpuzzle.puzzle.equality import after, attributes_of, require_same
from unpuzzle.puzzle.faults import require_cost
from unpuzzle.puzzle.position import Position
from unpuzzle.result import GAVE_UP
from unpuzzle.spaces.space import COMPLETE, ENDLESS, FORMATS, MANY, Space, SpaceLimitError

Edges = list[list[tuple[int, int]]]
"""By state, pairs of a number and a neighbour."""
POSITIONS_PER_CALL = 1024


def reachable_by_rules(
    position: Position,
    *,
    limits: Limits | Deadline | None = None,
    max_states: int | None = None,
    partial: bool = False,
    progress: Callable[[int], None] | None = None,
) -> RulesSpace:
    """Explore a position breadth-first by the rules; the arguments are those of `by_task.reachable`.

    Beyond `max_states` it ends at once or, if `partial`, goes on among the nearest states, leaving out moves to others.
    The space has all that was seen until a limit was reached. Raises ParseError where positions are equal and not the
    same.
    """
    deadline = Deadline.of(limits, "exploring")
    exploring = _Exploring(position, max_states, partial, progress)
    try:
        with ticking(deadline):
            if not exploring.run(deadline):
                raise SpaceLimitError(GAVE_UP, exploring.expanded, max_states)
            space = exploring.space(watch=deadline)
            space.compute()
            return space
    except LimitReached as reached:
        error = SpaceLimitError(reached.status, exploring.expanded, max_states)
        return exploring.space(error.status, str(error))


class _Exploring:
    """One search, and what it has found so far."""

    def __init__(
        self, start: Position, max_states: int | None, partial: bool, progress: Callable[[int], None] | None
    ) -> None:
        self.positions = [start]
        self.edges: Edges = []
        self.operators: dict[tuple[str, int], int] = {}
        self.expanded = 0
        self.whole = True
        self._numbers = {start: 0}
        self._max_states, self._partial, self._progress = max_states, partial, progress
        self._alike = attributes_of(type(start))

    def run(self, watch: Callable[[], None]) -> bool:
        """Expand all positions; return whether that is possible with so many states."""
        for position in self.positions:  # which grow meanwhile
            watch()
            if not self._expand(position):
                return False
            self.expanded += 1
            if self._progress is not None and self.expanded % POSITIONS_PER_CALL == 0:
                self._progress(self.expanded)
        for move, cost in self.operators:
            require_cost(self.positions[0], move, cost)
        return True

    def _expand(self, position: Position) -> bool:
        """Add the moves of a position, and the positions after them; return whether there is room for these."""
        positions, operators, numbers = self.positions, self.operators, self._numbers
        steps: list[tuple[int, int]] = []
        self.edges.append(steps)
        for move in position.moves():
            following = position.apply(move)
            target = numbers.get(following)
            if target is None:
                if len(positions) == self._max_states:
                    if not self._partial:
                        return False
                    self.whole = False
                    continue
                target = numbers[following] = len(positions)
                positions.append(following)
            elif not self._alike(positions[target], following):
                ways = partial(_ways, self.edges, operators, target, self.expanded, move)
                require_same(positions[target], following, ways)
            steps.append((operators.setdefault((move, position.cost(move)), len(operators)), target))
        return True

    def space(
        self, status: str = COMPLETE, message: str = "", *, watch: Callable[[], None] | None = None
    ) -> RulesSpace:
        """Make the space of what was found."""
        if status == COMPLETE and not self.whole:
            status, message = GAVE_UP, f"there are more than {self._max_states:,} states"
        edges = [*self.edges, *[[] for _ in self.positions[len(self.edges) :]]]
        return RulesSpace(self.positions, edges, list(self.operators), status, message, watch=watch)


def _ways(edges: Edges, operators: Iterable[tuple[str, int]], known: int, last: int, move: str) -> tuple[str, str]:
    """Say how a known state was reached, and how by a move from another one."""
    moves = [move for move, _ in operators]
    first: dict[int, tuple[int, str]] = {}
    for state, steps in enumerate(edges):
        for operator, target in steps:
            first.setdefault(target, (state, moves[operator]))
    return after(_way(first, known)), after([*_way(first, last), move])


def _way(first: dict[int, tuple[int, str]], state: int) -> list[str]:
    """Return the moves from state 0; `first` has for each other state where it was reached from, and the move."""
    moves = []
    while state:
        state, move = first[state]
        moves.append(move)
    return moves[::-1]


def _nothing() -> None:
    pass


class RulesSpace(Space[str]):
    """A `Space` whose states are positions: `positions[s]`."""

    def __init__(
        self,
        positions: list[Position],
        edges: Edges,
        operators: list[tuple[str, int]],
        status: str = COMPLETE,
        message: str = "",
        *,
        watch: Callable[[], None] | None = None,
    ) -> None:
        """`edges`: by position, (operator, target); `operators`: moves with their costs.

        The arrays are computed when they are first asked for; `watch` is called often meanwhile, and may raise.
        """
        self.positions: tuple[Position, ...] = tuple(positions)
        self.status, self.message = status, message
        self.actions = tuple([move for move, _ in operators])
        self.costs = tuple([cost for _, cost in operators])
        self.offsets = _view("Q", accumulate(map(len, edges), initial=0))
        self.operators = _view("I", [operator for steps in edges for operator, _ in steps])
        self.targets = _view("I", [target for steps in edges for _, target in steps])
        self._watch = watch or _nothing
        self._edges = edges

    def compute(self) -> None:
        """Compute all arrays now, while the limits are watched, which they are not any more afterwards."""
        for name in FORMATS:
            getattr(self, name)
        self._watch, self._edges = _nothing, []

    @property
    def states(self) -> int:
        """How many positions there are; where the space is not complete, how many were seen."""
        return len(self.positions)

    def _steps(self, costs: tuple[int, ...] | None = None) -> Edges:
        """Return for each state the cost of each transition (1, if none are given) and its target."""
        if costs is None:
            return [[(1, target) for _, target in steps] for steps in self._edges]
        return [[(costs[operator], target) for operator, target in steps] for steps in self._edges]

    @cached_property
    def goals(self) -> memoryview:  # type: ignore[override]
        """By state, 1 for goals."""
        return memoryview(bytes([position.solved() for position in ticked(self.positions, self._watch)]))

    @cached_property
    def depth(self) -> memoryview:  # type: ignore[override]
        """By state, the fewest steps from the start."""
        return _view("I", _distances([0], self._steps(), self._watch))

    @cached_property
    def distance(self) -> memoryview:  # type: ignore[override]
        """By state, the least cost from the start."""
        return _view("q", _distances([0], self._steps(self.costs), self._watch))

    @cached_property
    def goal_distance(self) -> memoryview:  # type: ignore[override]
        """By state, the least cost to a goal, or -1."""
        goals = [state for state, goal in enumerate(self.goals) if goal]
        return _view("q", _distances(goals, _reversed(self._steps(self.costs)), self._watch))

    @cached_property
    def plans(self) -> memoryview:  # type: ignore[override]
        """By state, how many plans of least cost there are: the sum of those of the states that they go to next.

        States are taken in topological order (Kahn 1962); one that never gets its turn can reach a cycle.
        """
        tight = [
            [self.targets[edge] for edge in self._tight(state)] if rest >= 0 else []
            for state, rest in enumerate(self.goal_distance)
        ]
        before = _reversed([[(1, target) for target in targets] for targets in tight])
        waiting = list(map(len, tight))
        plans = [ENDLESS] * len(tight)
        ready = [state for state, number in enumerate(waiting) if not number]
        for state in ready:  # which grows meanwhile
            self._watch()
            plans[state] = min(MANY, self.goals[state] + sum(plans[target] for target in tight[state]))
            for _, previous in before[state]:
                waiting[previous] -= 1
                if not waiting[previous]:
                    ready.append(previous)
        return _view("Q", plans)

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_watch": _nothing, "_edges": []}


def _view(kind: str, numbers: Iterable[int]) -> memoryview:
    return memoryview(array(kind, numbers)).toreadonly()


def _reversed(edges: Edges) -> Edges:
    backward: Edges = [[] for _ in edges]
    for state, steps in enumerate(edges):
        for cost, target in steps:
            backward[target].append((cost, state))
    return backward


def _distances(sources: Iterable[int], edges: Edges, watch: Callable[[], None]) -> list[int]:
    """Return the least cost from any of the sources to each state, -1 where there is no way (Dijkstra 1959)."""
    distances = [-1] * len(edges)
    queue = [(0, source) for source in sources]
    while queue:
        watch()
        cost, state = heapq.heappop(queue)
        if distances[state] < 0:
            distances[state] = cost
            for step, target in edges[state]:
                if distances[target] < 0:
                    heapq.heappush(queue, (cost + step, target))
    return distances
