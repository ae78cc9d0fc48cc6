"""Trails in the terms of the native core: states with one value a variable, operators for steps.

A trail is followed by its states and not by its steps: grounding keeps one of several actions that do the same, and
drops what does not matter for the goal. So every change of what matters has an operator; other steps are left out.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from unpuzzle.limits import Deadline
from unpuzzle.pddl.nodes import Atom, GroundAction, Task
from unpuzzle.planners.subgoals.trails import Trail

if TYPE_CHECKING:
    from unpuzzle.planners.native import _core

State = tuple[int, ...]
"""Values by variable, 0 for derived ones."""


class GroundTask:
    """A task, grounded once, from which tasks with other starts and goals are made.

    Attributes: `operators`, how many there are.

    Raises as `CoreGrounding`; needs the compiled core.
    """

    def __init__(self, task: Task, watch: Deadline) -> None:
        from unpuzzle.planners.native import _core
        from unpuzzle.planners.native.grounding import CoreGrounding

        self._core = _core
        self._grounding = CoreGrounding(task, watch)
        self._arrays = self._grounding.buffers()
        self._task = _core.Task(**self._arrays, time_limit=None, memory_limit=None)
        self.operators: int = self._grounding.operators

    def action(self, operator: int) -> GroundAction:
        """Return the action of an operator."""
        return self._grounding.action(operator)

    def between(self, start: State, goal: State | None) -> _core.Task:
        """Return the task of getting from a state to another or, if that is None, to the goal."""
        arrays = dict(self._arrays, initial=array("i", start))
        if goal is not None:
            layers = self._arrays["layers"]
            facts = [(variable, value) for variable, value in enumerate(goal) if layers[variable] < 0]
            arrays["goal"] = array("i", [number for fact in facts for number in fact])
        return self._core.Task(**arrays, time_limit=None, memory_limit=None)

    def trail(self, states: Iterable[frozenset[Atom]]) -> Trail:
        """Return the trail through states, each a set of atoms."""
        variables = self._grounding.variables()
        # Of each variable the value when none of its atoms is true; 0 if one always is, and for derived variables.
        none = [
            variable.values.index(None) if variable.layer < 0 and None in variable.values else 0
            for variable in variables
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
        return self._trail(path, [self._operator(state, following) for state, following in pairwise(path)])

    def replaced(self, trail: Trail, begin: int, end: int, plan: Sequence[int]) -> Trail:
        """Return the trail with other steps between two places, which lead from the same state to the same one."""
        states = [trail.states[begin]]
        for operator in plan:
            states.append(self._stored(dict(self._task.successors(states[-1]))[operator]))
        states = [*trail.states[:begin], *states, *trail.states[end + 1 :]]
        return self._trail(states, [*trail.steps[:begin], *plan, *trail.steps[end:]])

    def _trail(self, states: Sequence[State], operators: Sequence[int]) -> Trail:
        costs = self._arrays["costs"]
        return Trail(tuple(states), tuple(operators), tuple([costs[operator] for operator in operators]))

    def _operator(self, state: State, following: State) -> int:
        """Return the cheapest operator from one state to another."""
        leading = [operator for operator, after in self._task.successors(state) if self._stored(after) == following]
        return min(leading, key=lambda operator: self._arrays["costs"][operator])

    def _stored(self, values: Sequence[int]) -> State:
        """Return a state with 0 for derived variables."""
        layers = self._arrays["layers"]
        return tuple([0 if layer >= 0 else value for value, layer in zip(values, layers, strict=True)])
