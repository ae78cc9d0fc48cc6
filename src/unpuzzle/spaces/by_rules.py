"""The state space of a position by the rules of its puzzle alone, in plain Python: no PDDL, no compiled core.

The slow twin of `by_task.py`, and what is used where the core was not compiled. State s is the position
`space.positions[s]`, and the actions are the moves.
"""

from __future__ import annotations

import heapq
from array import array
from functools import partial as partial_of
from itertools import accumulate

from unpuzzle.errors import LimitReached
from unpuzzle.limits import Deadline, ticked, ticking
from unpuzzle.puzzle.equality import after, attributes_of, require_same
from unpuzzle.puzzle.faults import require_cost
from unpuzzle.result import GAVE_UP
from unpuzzle.spaces.space import ENDLESS, MANY, Space, SpaceLimitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from unpuzzle.limits import Limits
    from unpuzzle.puzzle.position import Position

    Edges = list[list[tuple[int, int]]]  # by state, (a number, neighbour)

POSITIONS_PER_CALL = 1024


def reachable_by_rules(
    level: Position,
    limits: Limits | Deadline | None = None,
    *,
    max_states: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> RulesSpace:
    """As `by_task.reachable`, for positions; the memory limit is that of the whole process.

    Raises SpaceLimitError where a limit is too small.
    """
    watch = Deadline.of(limits, "exploring")
    expanded = 0

    def told(positions: int) -> None:
        nonlocal expanded
        expanded = positions
        if progress is not None and positions % POSITIONS_PER_CALL == 0:
            progress(positions)

    try:
        with ticking(watch):
            return explored(level, watch, max_states, told)
    except LimitReached as reached:
        raise SpaceLimitError(reached.status, expanded, max_states) from None


def explored(
    level: Position,
    watch: Callable[[], None],
    max_states: int | None,
    told: Callable[[int], None],
    *,
    partial: bool = False,
) -> RulesSpace:
    """The space of a position, found breadth-first.

    Args:
        watch: called for each position; may raise.
        max_states: if there are more, LimitReached is raised; or, if `partial`, moves to others are left out, and
            the space is not `complete`.
        told: called after each position with the number of those expanded.

    Raises ParseError where positions are equal and not the same.
    """
    positions, complete = [level], True
    edges: Edges = []
    alike = attributes_of(type(level))
    operators: dict[tuple[str, int], int] = {}
    numbers = {level: 0}
    for position in positions:  # which grow meanwhile
        watch()
        found: list[tuple[int, int]] = []
        for move in position.moves():
            following = position.apply(move)
            target = numbers.get(following)
            if target is None:
                if len(positions) == max_states:
                    if not partial:
                        raise LimitReached(GAVE_UP, f"there are more than {max_states:,} states")
                    complete = False
                    continue
                target = numbers[following] = len(positions)
                positions.append(following)
            elif not alike(positions[target], following):
                ways = partial_of(_ways, [*edges, found], operators, target, len(edges), move)
                require_same(positions[target], following, ways)
            found.append((operators.setdefault((move, position.cost(move)), len(operators)), target))
        edges.append(found)
        told(len(edges))
    for move, cost in operators:
        require_cost(level, move, cost)
    return RulesSpace(positions, edges, list(operators), complete, watch)


def _ways(edges: Edges, operators: Iterable[tuple[str, int]], known: int, last: int, move: str) -> tuple[str, str]:
    """How a known state was reached, and how by a move from another one, in words."""
    moves = [move for move, _ in operators]
    first: dict[int, tuple[int, str]] = {}
    for state, found in enumerate(edges):
        for operator, target in found:
            first.setdefault(target, (state, moves[operator]))
    return after(_way(first, known)), after([*_way(first, last), move])


def _way(first: dict[int, tuple[int, str]], state: int) -> list[str]:
    """The moves from state 0; `first` has for each other state the one that it was reached from, and the move."""
    moves = []
    while state:
        state, move = first[state]
        moves.append(move)
    return moves[::-1]


class RulesSpace(Space[str]):
    """A `Space` whose states are positions: `positions[s]`. `complete`: these are all that can be reached."""

    def __init__(
        self,
        positions: list[Position],
        edges: Edges,
        operators: list[tuple[str, int]],
        complete: bool,
        watch: Callable[[], None],
    ) -> None:
        """`edges`: by position, (operator, target); `operators`: moves with their costs."""
        self.positions = positions
        self.complete = complete
        self.actions = tuple([move for move, _ in operators])
        self.costs = tuple([cost for _, cost in operators])
        self.offsets = memoryview(array("Q", accumulate(map(len, edges), initial=0)))
        self.operators = memoryview(array("I", [operator for found in edges for operator, _ in found]))
        self.targets = memoryview(array("I", [target for found in edges for _, target in found]))
        self.goals = memoryview(bytes([position.solved() for position in ticked(positions, watch)]))
        steps: Edges = [[(1, target) for _, target in found] for found in edges]
        forward: Edges = [[(self.costs[operator], target) for operator, target in found] for found in edges]
        self.depth = memoryview(array("I", _distances([0], steps, watch)))
        self.distance = memoryview(array("q", _distances([0], forward, watch)))
        goals = [state for state, goal in enumerate(self.goals) if goal]
        self.goal_distance = memoryview(array("q", _distances(goals, _reversed(forward), watch)))
        self.plans = memoryview(array("Q", self._plans(watch)))

    def _plans(self, watch: Callable[[], None]) -> list[int]:
        """How many plans of least cost each state has: those of the states that such plans go to next, summed.

        Each state comes after all that its sum needs (Kahn 1962). One that never gets its turn can reach a cycle.
        """
        tight = [
            [self.targets[edge] for edge in self._tight(state)] if rest >= 0 else []
            for state, rest in enumerate(self.goal_distance)
        ]
        before = _reversed([[(1, target) for target in found] for found in tight])
        waiting = list(map(len, tight))
        plans = [ENDLESS] * len(tight)
        ready = [state for state, number in enumerate(waiting) if not number]
        for state in ready:  # which grows meanwhile
            watch()
            plans[state] = min(MANY, self.goals[state] + sum(plans[target] for target in tight[state]))
            for _, previous in before[state]:
                waiting[previous] -= 1
                if not waiting[previous]:
                    ready.append(previous)
        return plans


def _reversed(edges: Edges) -> Edges:
    backward: Edges = [[] for _ in edges]
    for state, found in enumerate(edges):
        for cost, target in found:
            backward[target].append((cost, state))
    return backward


def _distances(sources: Iterable[int], edges: Edges, watch: Callable[[], None]) -> list[int]:
    """The least cost from any of the sources to each state, -1 where there is no way (Dijkstra 1959)."""
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
