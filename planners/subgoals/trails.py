"""The states and steps of a plan, and plans without needless steps.

    trail = walk(position, moves)      or run(task, actions): states s0 ... sn and the steps between them
    shorten(trail)                     s a t b s ... → s ...       what is undone at once, in one pass
    without_loops(trail)               s a ...... z s ... → s ...  all loops; where loops overlap, the best choice

The best choice is a cheapest path through the states of the trail that uses only its steps (E. W. Dijkstra, 1959). Both
keep the first and the last state. (For better trails by other steps see `windows`.)
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from heapq import heappop, heappush
from typing import Any

from unpuzzle.pddl.nodes import GroundAction, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.puzzle.position import Position
from unpuzzle.record import Record
from unpuzzle.run import checkpoint


class Trail(Record):
    """`states` (hashable, one more than there are steps), `steps` (moves or actions) and the `costs` of the steps."""

    states: tuple[Any, ...]
    steps: tuple[Any, ...]
    costs: tuple[int, ...]

    @property
    def cost(self) -> int:
        return sum(self.costs)

    def only(self, places: Sequence[int]) -> Trail:
        """Return the trail of the steps at some indices; omitted steps must lead from a state back to it."""
        states = (self.states[0], *[self.states[place + 1] for place in places])
        return Trail(
            states, tuple([self.steps[place] for place in places]), tuple([self.costs[place] for place in places])
        )


def walk(puzzle: Position, moves: Iterable[str]) -> Trail:
    """Return the trail of moves. Raises IllegalMove, LimitReached."""
    states, steps, costs = [puzzle], tuple(moves), []
    for move in steps:
        checkpoint()
        costs.append(states[-1].cost(move))
        states.append(states[-1].apply(move))
    return Trail(tuple(states), steps, tuple(costs))


def run(task: Task, actions: Iterable[GroundAction]) -> Trail:
    """Return the trail of a plan. Raises IllegalMove for actions that are not applicable."""
    semantics = Semantics(task)
    states, steps = [semantics.initial], tuple(actions)
    for action in steps:
        states.append(semantics.apply(states[-1], action))
    return Trail(tuple(states), steps, tuple([semantics.cost(action) for action in steps]))


def shorten(trail: Trail) -> Trail:
    """Return the trail without steps that are undone at once, in one pass: `a b b' a'` leaves `a a'`."""
    places, place, states = list[int](), 0, trail.states
    while place < len(trail.steps):
        if place + 2 < len(states) and states[place] == states[place + 2]:
            place += 2
        else:
            places.append(place)
            place += 1
    return trail.only(places)


def without_loops(trail: Trail) -> Trail:
    """Return the cheapest trail (the shortest among equals) by the same steps that visits no state twice."""
    ways: dict[Hashable, list[int]] = {}
    for place, state in enumerate(trail.states[:-1]):
        ways.setdefault(state, []).append(place)
    arrivals: dict[Hashable, int] = {}  # by state: the step that leads there
    queue: list[tuple[int, int, int]] = [(0, 0, -1)]
    while trail.states[-1] not in arrivals:
        cost, count, step = heappop(queue)
        state = trail.states[step + 1]
        if state in arrivals:
            continue
        arrivals[state] = step
        for place in ways.get(state, ()):
            heappush(queue, (cost + trail.costs[place], count + 1, place))
    steps, step = [], arrivals[trail.states[-1]]
    while step >= 0:
        steps.append(step)
        step = arrivals[trail.states[step]]
    return trail.only(steps[::-1])
