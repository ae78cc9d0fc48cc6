"""One grounding for several starts and goals, the basis of `Family` and `StateSpace`.

It is made from the *union* of starts (what is reachable from any of them), and records its assumptions. So it can
decide whether it is also correct for another start or goal: see `core/grounding/common.hpp`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property

from unpuzzle.base.run import current, within_limits
from unpuzzle.pddl.nodes import Atom, Condition, GroundAction, Task
from unpuzzle.planners.native.compiled import core as _core

from . import CoreGrounding, ground, limit_reached
from .flatten import Flat

Start = frozenset[Atom]


class CommonGround(CoreGrounding):
    """A grounding of a task for several starts; the first start is the initial state in the arrays.

    `starts` are sets of atoms, at least one; static facts that are not the task's do not count. `goals` are the
    conditions allowed in `goal`; with `any_goal` all conditions are allowed, and relevance prunes nothing. Facts of the
    `varying` predicates, which no action changes, come from the start. `faithful` keeps everything, even if it is
    irrelevant for the goal, so that states and transitions are the same as in the task. Raises as `ground` does.
    """

    def __init__(
        self,
        task: Task,
        starts: Sequence[Start],
        goals: Iterable[Condition],
        *,
        any_goal: bool = False,
        varying: frozenset[str] = frozenset(),
        faithful: bool = False,
    ) -> None:
        flat = Flat(task, starts=starts, goals=goals, varying=varying, faithful=faithful)
        self._keep(flat, ground(flat, common=True, any_goal=any_goal))

    @cached_property
    def actions(self) -> tuple[GroundAction, ...]:
        return tuple([self.action(number) for number in within_limits(range(self.operators))])

    @cached_property
    def arrays(self) -> dict[str, array[int]]:
        """The arrays of the task; they must not be changed."""
        return self.buffers()

    def initial(self, start: int) -> list[int]:
        """Return the values of all variables in the start with the given number."""
        return self._grounding.initial(start)

    def goal(self, goal: Condition) -> tuple[bool, list[tuple[int, int]] | None]:
        """Return whether a goal fits this grounding, and its facts (variable, value); None if the goal is impossible.

        Raises LimitReached.
        """
        limits = current().remaining()
        status, facts = self._grounding.goal(*self._flat.goal(goal), *limits)
        if status in ("timeout", "memout"):
            raise limit_reached(status, "grounding the goal")
        return status == "told", facts

    @cached_property
    def start_facts(self) -> list[tuple[Atom, tuple[int, int], bool]]:
        """The fluents that a start can have, each with variable (-1 if none), value, and whether it is required."""
        predicates, objects = list(self._flat.predicates), self._flat.names
        return [
            (Atom(predicates[name[0]], tuple([objects[number] for number in name[1:]])), (variable, value), certain)
            for name, variable, value, certain in within_limits(self._grounding.start_facts())
        ]

    def certain(self) -> frozenset[Atom]:
        """Return the fluents that are true in every state and have no variable."""
        return frozenset([atom for atom, (variable, _), certain in self.start_facts if certain and variable < 0])

    def action_numbers(self, meaning: Callable[[GroundAction], Hashable] | None = None) -> list[int]:
        """Return a number for each operator's action; equal actions, or actions of equal `meaning`, share a number."""
        numbers: dict[Hashable, int] = {}
        actions = within_limits(self.actions)
        return [numbers.setdefault(meaning(action) if meaning else action, len(numbers)) for action in actions]

    def family(self) -> _core.Family:
        """Return the C++ object that encodes and solves starts. Call only once, because it takes over the arrays."""
        facts = self.start_facts
        numbers = {atom: number for number, (atom, _, _) in enumerate(facts)}
        # All static facts share the number after the others: it does not matter which of them a start mentions.
        static = [atom for atom in self._flat.task.problem.init if atom.predicate not in self._flat.fluent]
        numbers |= dict.fromkeys(static, len(facts))
        return _core.Family(self.task(), self._grounding, numbers, self.actions)
