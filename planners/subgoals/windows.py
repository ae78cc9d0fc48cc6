"""Window optimisation: stretches of a plan are solved again at least cost, from their first state to their last.

    s0 ─────────────────────────────────────────► sn        a plan
        [ window ]                                          cheaper? then it takes the place of the old stretch
            [ window ]  ...                                 until no window of this size gets cheaper
    [    larger window    ]  ...                            then larger ones, until the budget is spent

Plans that are joined from stages, or found greedily, are bad nearly everywhere, and easily improved even if a search of
the whole is hopeless (H. Nakhost and M. Müller, Action elimination and plan neighborhood graph search, 2010; F. H.
Siddiqui and P. Haslum, Plan quality optimisation via block decomposition, 2013). The native core searches the windows
(`core/plans/windows.cpp`); here a trail of moves or actions becomes a plan of the grounded task, and back.

The budget is a number of expanded states, with all other work at its price in states. So equal calls give equal plans
on every machine, unless time or memory run out. Then the best plan so far is the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from unpuzzle.pddl.nodes import Atom, Task
from unpuzzle.planners.native.compiled import core as _core
from unpuzzle.planners.native.grounding import CoreGrounding
from unpuzzle.planners.subgoals.trails import Trail
from unpuzzle.planning.translating import task_within
from unpuzzle.puzzle.position import Position
from unpuzzle.record import Record
from unpuzzle.run import current

State = tuple[int, ...]
"""Values by variable; 0 for derived variables."""
BUDGET = 10_000_000


class Windowed(Record):
    """A plan after window optimization.

    Attributes: `steps`; whether it is proved `optimal`; the number of `windows` searched, and of states `expanded` in
    them.
    """

    steps: tuple[Any, ...]
    optimal: bool = False
    windows: int = 0
    expanded: int = 0


def optimise(subject: Position | Task, trail: Trail, *, budget: int = BUDGET) -> Windowed:
    """Return a plan that costs no more than the trail's, and is not longer at the same cost.

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

    Grounding keeps only one of several equivalent actions, and drops irrelevant facts. So the states tell the way, not
    the steps: every relevant change has an operator; other steps are left out.
    """
    variables, costs = grounding.variables(), grounding.buffers()["costs"]
    # Of each variable the value when none of its atoms is true; 0 if one always is, and for derived variables.
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
