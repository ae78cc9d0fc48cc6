"""Search for plans with the fewest pushes, in which walking actions cost nothing.

`planning.walking` finds the walker; the core proves which actions are walks in all states (`core/walking/walker.hpp`),
and searches over the other actions. The validator looks at single steps: an action that is a walk only in some states
may be a push for the core. If this is possible, or if nothing is proved, the reference planner, which asks the
validator about each step, searches some states. If it has no answer, the status of a plan is only `solved`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.base.outcomes import SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.base.run import current, within_limits
from unpuzzle.pddl.nodes import GroundAction, Task
from unpuzzle.pddl.walker_detection import Stride, Thing, moves_under_conditions, strides_of
from unpuzzle.planners.native.compiled import core as _core
from unpuzzle.planners.native.grounding import CoreGrounding, limits_of
from unpuzzle.planners.reference import Reference
from unpuzzle.planning.planner import SearchOptions
from unpuzzle.planning.result import Result
from unpuzzle.planning.walking import walker_of

STATES_BY_STEPS = 1_000
"""The most states that the reference planner expands."""
UNSURE = "the plan may not be the best for the objective: some actions can be undone only in some states"


def searched_by_steps(task: Task, objective: str, most: int | None) -> Result | None:
    """Solve a task with the reference planner; return None if it finds no answer in a limited number of states."""
    options = SearchOptions(min(STATES_BY_STEPS, STATES_BY_STEPS if most is None else most), objective=objective)
    answer = Reference().solve(task, options)
    return answer if answer.status in (SOLVED_OPTIMALLY, UNSOLVABLE) else None


class Walks:
    """The walking actions of a task, as operator numbers: those that may be walks, and those proved to be walks."""

    def __init__(self, task: Task, ground: CoreGrounding, compiled: _core.Task) -> None:
        walker = walker_of(task)
        self._ground, self._compiled, self._judge, self._task = ground, compiled, walker, task
        thing: Thing | None = getattr(walker, "thing", None)
        self._thing = thing
        shadow: str | None = getattr(walker, "shadow", None)
        strides = strides_of(
            task.domain, {} if thing is None or not shadow else {(thing.predicate, thing.place): shadow}
        )
        self._most_changed = 1 if shadow is None else 3  # the thing, and its shadow in two places
        self._ends = {} if thing is None else dict(self._strides(strides, thing))
        self.among = list(self._ends)
        with limits_of("looking for the walker"):
            proved = compiled.walker(self.among, *current().remaining()) if self.among else None
        if proved is None:
            raise UnsupportedFeature(
                "the native planner finds no walker: no action is proved to be reversible wherever it is applied",
                feature="objectives",
            )
        self._variable, self._walks = proved[0], frozenset(proved[1])

    def _strides(self, strides: Iterable[Stride], thing: Thing) -> Iterator[tuple[int, tuple[str, str]]]:
        """Yield each operator that moves `thing`: its number, and the thing's places before and after the move."""
        by_name: dict[str, list[Stride]] = {}
        for stride in strides:
            if stride.moves(thing):
                by_name.setdefault(stride.action.name, []).append(stride)
        for number in within_limits(range(self._compiled.operators)):
            action = self._ground.action(number)
            for stride in by_name.get(action.name, ()):
                names = [parameter.name for parameter in stride.action.parameters]
                binding = dict(zip(names, action.arguments, strict=True))
                if stride.thing(binding) == thing:
                    yield number, stride.ends(binding)

    def sure(self, plan: list[int], actions: Iterable[GroundAction]) -> bool:
        """Return whether the C++ core and the validator certainly count equally many pushes in an optimal plan."""
        if self._thing is None or any(
            moves_under_conditions(action, self._thing) for action in self._task.domain.actions
        ):
            return False  # it may walk by an action that is not a stride
        left_out = {ends for number, ends in self._ends.items() if number not in self._walks}
        back = {(end, start) for start, end in self._ends.values()}
        judged = self._judge.pushes(self._task, actions) if self._judge else None
        return not left_out & back and self._pushes(plan) == judged

    def _pushes(self, plan: list[int]) -> int:
        """Return the number of steps of a plan that the C++ core counts as pushes."""
        state, number = self._compiled.initial, 0
        for step in plan:
            after = dict(self._compiled.successors(state))[step]
            changed = [variable for variable, value in enumerate(after) if value != state[variable]]
            only_walks = self._variable in changed and len(changed) <= self._most_changed
            number += step not in self._walks or not only_walks
            state = after
        return number
