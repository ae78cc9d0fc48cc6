"""The states and steps of a plan, and plans without needless steps.

    trail = walk(position, moves)      or run(task, actions): states s0 ... sn and the steps between them
    shorten(trail)                     s a t b s ... → s ...       steps that are undone at once, in one pass
    without_loops(trail)               s a ...... z s ... → s ...  all loops; where loops overlap, the best choice

The best choice is a cheapest path through the states of the trail that uses only its steps (E. W. Dijkstra, 1959). Both
keep the first and the last state. `optimise` makes better trails by other steps, window by window.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

from unpuzzle.base.run import checkpoint, current
from unpuzzle.base.values import Record
from unpuzzle.pddl.nodes import Atom, GroundAction, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.planners.native.compiled import core as _core
from unpuzzle.planners.native.grounding import CoreGrounding
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import task_within


class Trail(Record):
    """A plan with its states: `states` (hashable), one more than `steps` (moves or actions), and the steps' `costs`."""

    states: tuple[Any, ...]
    steps: tuple[Any, ...]
    costs: tuple[int, ...]

    @property
    def cost(self) -> int:
        return sum(self.costs)

    def only(self, places: Sequence[int]) -> Trail:
        """Return a trail with only the steps at `places`; omitted steps must lead back to the state before them."""
        states = (self.states[0], *[self.states[place + 1] for place in places])
        return Trail(
            states, tuple([self.steps[place] for place in places]), tuple([self.costs[place] for place in places])
        )


def walk(puzzle: Position, moves: Iterable[str]) -> Trail:
    """Return the states, steps and costs of moves from a position. Raises IllegalMove, LimitReached."""
    states, steps, costs = [puzzle], tuple(moves), []
    for move in steps:
        checkpoint()
        costs.append(states[-1].cost(move))
        states.append(states[-1].apply(move))
    return Trail(tuple(states), steps, tuple(costs))


def run(task: Task, actions: Iterable[GroundAction]) -> Trail:
    """Return the states, steps and costs of a plan. Raises IllegalMove for actions that are not applicable."""
    semantics = Semantics(task)
    states, steps = [semantics.initial], tuple(actions)
    for action in steps:
        states.append(semantics.apply(states[-1], action))
    return Trail(tuple(states), steps, tuple([semantics.cost(action) for action in steps]))


def shorten(trail: Trail) -> Trail:
    """Return a trail without steps that the next step undoes, in one pass: `a b b' a'` leaves `a a'`."""
    places, place, states = list[int](), 0, trail.states
    while place < len(trail.steps):
        if place + 2 < len(states) and states[place] == states[place + 2]:
            place += 2
        else:
            places.append(place)
            place += 1
    return trail.only(places)


def without_loops(trail: Trail) -> Trail:
    """Return the cheapest trail without repeated states that uses only steps of `trail`; ties go to the shortest."""
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


# Window optimisation: stretches of a plan are solved again at least cost, from their first state to their last.
#
#     s0 ─────────────────────────────────────────► sn        a plan
#         [ window ]                                          cheaper? then it takes the place of the old stretch
#             [ window ]  ...                                 until no window of this size gets cheaper
#     [    larger window    ]  ...                            then larger ones, until the budget is spent
#
# Plans that are joined from stages, or found greedily, are bad nearly everywhere, and easily improved even if a search
# of the whole is hopeless (H. Nakhost and M. Müller, Action elimination and plan neighborhood graph search, 2010; F.
# H. Siddiqui and P. Haslum, Plan quality optimisation via block decomposition, 2013). The native core searches the
# windows (`core/plans/windows.cpp`); here a trail of moves or actions becomes a plan of the grounded task, and back.
#
# The budget is a number of expanded states, with all other work at its price in states. So equal calls give equal
# plans on every machine, unless time or memory run out. Then the best plan so far is the answer.

State = tuple[int, ...]
"""A state: the value of each variable; 0 for derived ones."""
BUDGET = 10_000_000


class Windowed(Record):
    """A plan after the optimisation of parts (windows) of the plan.

    Attributes: `steps`; whether it is proved `optimal`; the number of `windows` searched, and of states `expanded` in
    them.
    """

    steps: tuple[Any, ...]
    optimal: bool = False
    windows: int = 0
    expanded: int = 0


def optimise(subject: Position | Task, trail: Trail, *, budget: int = BUDGET) -> Windowed:
    """Return a plan that costs no more than the trail, and is not longer if the costs are equal.

    The trail belongs to a plan for the subject (`trails.walk`, `trails.run`); the budget is a number of states.

    Raises LimitReached if grounding reaches a limit, and as grounding does. Needs the compiled core.
    """
    position = subject if isinstance(subject, Position) else None
    grounding = CoreGrounding(subject if isinstance(subject, Task) else task_within(subject))
    task = _core.Task(**grounding.buffers(), time_limit=None, memory_limit=None)
    atoms = trail.states if position is None else (state.atoms() for state in trail.states)
    plan = operators_along(task, grounding, atoms)
    plan, _, optimal, expanded, _, windows = task.improve(plan, *current().remaining(), budget)
    actions = [grounding.action(operator) for operator in plan]
    steps = actions if position is None else [position.decode(action) for action in actions]
    return Windowed(tuple(steps), optimal, windows, expanded)


def operators_along(task: _core.Task, grounding: CoreGrounding, states: Iterable[frozenset[Atom]]) -> list[int]:
    """Return a cheapest plan, as operators, through given states, each a set of atoms.

    Grounding keeps only one of several equivalent actions, and drops irrelevant facts. So the states define the way,
    not the steps: every relevant change has an operator; other steps are left out.
    """
    variables, costs = grounding.variables(), grounding.buffers()["costs"]
    # For each variable, the value if none of its atoms is true; 0 if one always is, and for derived variables.
    none = [
        variable.values.index(None) if variable.layer < 0 and None in variable.values else 0 for variable in variables
    ]
    places: dict[Atom, list[tuple[int, int]]] = {}
    for number, variable in enumerate(variables):
        for value, atom in enumerate(variable.values if variable.layer < 0 else ()):
            if atom is not None:
                places.setdefault(atom, []).append((number, value))
    path: list[State] = []
    for atoms in states:
        values = none.copy()
        for number, value in (place for atom in atoms for place in places.get(atom, ())):
            values[number] = value
        if not path or path[-1] != tuple(values):
            path.append(tuple(values))

    def stored(values: Sequence[int]) -> State:
        return tuple([0 if it.layer >= 0 else value for value, it in zip(values, variables, strict=True)])

    return [
        min((op for op, after in task.successors(state) if stored(after) == following), key=costs.__getitem__)
        for state, following in pairwise(path)
    ]
