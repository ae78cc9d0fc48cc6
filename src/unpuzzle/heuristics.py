"""check_heuristic(): is a heuristic what it says it is? Looks at every position that can be reached from a level.

    admissible   no estimate is more than the least cost from there to a goal (so 0 at goals)
    consistent   no move lowers the estimate by more than it costs: estimate ≤ cost + estimate of the successor

(P. E. Hart, N. J. Nilsson and B. Raphael, A formal basis for the heuristic determination of minimum cost paths, 1968.)
The least costs are Dijkstra's, backwards from the goals over the moves that were found. Of the counterexamples, the
one that is fewest moves from the level is reported. Where not all can be looked at, a counterexample still holds, since
what is left out can only make costs less; but that there is none remains unknown.
"""

from __future__ import annotations

from unpuzzle.heuristic_reports import HeuristicCheck, Inconsistency, Overestimate
from unpuzzle.planners.watch import Watch
from unpuzzle.puzzle import heuristic_of
from unpuzzle.result import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from unpuzzle.puzzle import Heuristic, Puzzle

    Edge = tuple[int, str, int, int]

TOLERANCE = 1e-9
"""By so much, sums of square roots may miss."""


def check_heuristic(
    level: Puzzle,
    heuristic: Heuristic | str,
    limits: Limits | None = None,
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

    Raises ParseError for an unknown name or a heuristic that does not fit the level, LimitReachedError at a limit.
    """
    if max_states is not None and max_states < 1:
        raise ValueError(f"max_states must be at least 1, not {max_states}")
    if isinstance(heuristic, str):
        heuristic = heuristic_of(level, heuristic)
    space = _Space(level, heuristic, Watch(Limits() if limits is None else limits, "checking a heuristic"), progress)
    exhaustive = space.explore(max_states)
    return HeuristicCheck(
        heuristic,
        len(space.positions),
        len(space.edges),
        exhaustive,
        space.inconsistency(),
        space.overestimate(),
    )


class _Space:
    """Positions by number in the order in which they are found, their estimates, and the moves between them."""

    def __init__(
        self, level: Puzzle, heuristic: Heuristic, watch: Watch, progress: Callable[[int], None] | None
    ) -> None:
        self.positions = [level]
        self.edges: list[Edge] = []  # from, move, cost, to
        self._numbers = {level: 0}
        self._estimate = heuristic.watched(watch.look)
        self._estimates: list[float] = []
        self._first_edge: list[int | None] = [None]
        self._watch = watch
        self._progress = progress

    def explore(self, max_states: int | None) -> bool:
        """Breadth first; whether all was found. Moves to positions beyond `max_states` are left out."""
        complete = True
        for number, position in enumerate(self.positions):
            self._estimates.append(self._estimate(position))
            if self._progress is not None and number % 256 == 0:
                self._progress(len(self.positions))
            for move in position.moves():
                self._watch()
                successor = position.apply(move)
                target = self._numbers.get(successor)
                if target is None:
                    if len(self.positions) == max_states:
                        complete = False
                        continue
                    target = self._numbers[successor] = len(self.positions)
                    self.positions.append(successor)
                    self._first_edge.append(len(self.edges))
                self.edges.append((number, move, position.cost(move), target))
        return complete

    def inconsistency(self) -> Inconsistency | None:
        """The first edge that shows that the heuristic is not consistent."""
        estimates = self._estimates
        for start, move, cost, end in self.edges:
            if not estimates[start] <= cost + estimates[end] + TOLERANCE:
                both = (estimates[start], estimates[end])
                return Inconsistency(self._way(start), self.positions[start], move, cost, both)
        return None

    def overestimate(self) -> Overestimate | None:
        """The first position that shows that the heuristic is not admissible."""
        costs, edges = self._costs_to_goal()
        for number, estimate in enumerate(self._estimates):
            if number in costs and not estimate <= costs[number] + TOLERANCE:
                solution, place = [], number
                while (edge := edges[place]) is not None:
                    _, move, _, place = edge
                    solution.append(move)
                return Overestimate(self._way(number), self.positions[number], estimate, costs[number], tuple(solution))
        return None

    def _costs_to_goal(self) -> tuple[dict[int, int], dict[int, Edge | None]]:
        """For each position from which a goal is reached: the least cost, and the first edge of the way."""
        from heapq import heappop, heappush

        incoming: list[list[Edge]] = [[] for _ in self.positions]
        for edge in self.edges:
            incoming[edge[3]].append(edge)
        costs = {number: 0 for number, position in enumerate(self.positions) if position.solved()}
        first: dict[int, Edge | None] = dict.fromkeys(costs)
        queue = [(0, number) for number in costs]
        while queue:
            self._watch()
            cost, end = heappop(queue)
            if cost > costs[end]:
                continue
            for edge in incoming[end]:
                start, total = edge[0], cost + edge[2]
                if start not in costs or total < costs[start]:
                    costs[start], first[start] = total, edge
                    heappush(queue, (total, start))
        return costs, first

    def _way(self, number: int) -> tuple[str, ...]:
        """The moves by which a position was found."""
        moves: list[str] = []
        while (edge := self._first_edge[number]) is not None:
            number, move, _, _ = self.edges[edge]
            moves.append(move)
        return tuple(reversed(moves))
