"""Exploration of a task or position in the compiled core: all reachable states and all transitions.

`reachable` makes a `StateSpace`, the arrays of `space.py`; atoms of states, `space.atoms(s)`, equal `Position.atoms()`.
`Spaces` does so for many levels, grounded together.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import Any

from unpuzzle.base.errors import DependencyMissing, LimitReached, UsageError
from unpuzzle.base.limits import Limits
from unpuzzle.base.outcomes import MEMOUT, TIMEOUT
from unpuzzle.base.run import Run, current
from unpuzzle.base.values import Record
from unpuzzle.pddl.nodes import Atom, Condition, GroundAction, Task
from unpuzzle.planners.native import missing
from unpuzzle.planners.native.compiled import core as _core
from unpuzzle.planners.native.families.merging import Union, groups
from unpuzzle.planners.native.grounding.common_ground import CommonGround
from unpuzzle.planning.translating import task_within
from unpuzzle.puzzle.capabilities import SelfExploring, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.protocols import StateArrays
from unpuzzle.puzzle.replaying import decoded_anywhere, looks_at_position
from unpuzzle.spaces.space import COMPLETE, SeenSpace, Space, SpaceLimitError, arrays_of


class StateSpace(Space[GroundAction]):
    """A `Space` whose states are sets of atoms; `task` is the PDDL task. Made by `reachable`."""

    task: Task
    _values: Callable[[int], list[int]]
    _facts: list[list[Atom | None]]
    _certain: frozenset[Atom]

    def __init__(
        self, task: Task, common: CommonGround, core: _core.StateSpace, varying: frozenset[str] = frozenset()
    ) -> None:
        values = {
            "task": task,
            "_values": core.values,
            # Static facts that differ from level to level have variables, too.
            "_facts": [
                [None if fact is None or fact.predicate in varying else fact for fact in variable.values]
                for variable in common.variables()
            ],
            "_certain": frozenset([atom for atom in common.certain() if atom.predicate not in varying]),
        }
        super().__init__(common.actions, tuple(common.arrays["costs"]), values | _arrays(core))

    def atoms(self, state: int) -> frozenset[Atom]:
        """Return the fluent atoms that are true in a state. Raises IndexError for an unknown state number."""
        true = [facts[value] for facts, value in zip(self._facts, self._values(state), strict=True)]
        return self._certain.union([atom for atom in true if atom is not None])

    def __getstate__(self) -> dict[str, Any]:
        rows = Rows(array("I", [value for state in range(self.states) for value in self._values(state)]), self.states)
        return super().__getstate__() | {"_values": rows}


class Rows(Record):
    """The values of the variables in all states, in one array."""

    values: array[int]
    states: int

    def __call__(self, state: int) -> list[int]:
        if not 0 <= state < self.states:
            raise IndexError(f"there is no state {state}")
        width = len(self.values) // self.states
        return self.values[state * width : (state + 1) * width].tolist()


def _arrays(core: _core.StateSpace | StateArrays) -> dict[str, memoryview]:
    """Return arrays by name, from an object that has a method of the same name for each array."""
    return arrays_of(lambda name: getattr(core, name)())


def reachable(
    subject: Position | Task,
    *,
    limits: Limits | None = None,
    max_states: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Space[Any]:
    """Explore a position or task in the compiled core, or with the game's own exploration if there is one.

    At a limit, the space is not `complete`: its `status` names the limit, and only the number of states seen is known.
    From a position there is one transition for each legal move: actions of the same move count once. `progress` is
    called now and then with the number of states whose successors are known.

    Raises UsageError for a subject that is neither a position nor a task, DependencyMissing without the compiled core,
    UnsupportedFeature for a position whose `decode` depends on the position; otherwise as grounding does.
    """
    if not isinstance(subject, Position | Task):
        raise UsageError(f"a state space needs a position or a task, not a {type(subject).__name__}")
    try:
        explorer = offered(subject, SelfExploring) if isinstance(subject, Position) else None
        if explorer is not None:
            with Run(limits, "exploring") as run:
                run.look()  # a small game is explored before the core asks whether it was cancelled
                moves, arrays = explorer.explore_states(max_states, progress)
            if arrays.status != COMPLETE:
                raise SpaceLimitError(arrays.status, arrays.expanded, max_states)
            return Space(moves, (1,) * len(moves), _arrays(arrays))
        with Run(limits, "grounding"):
            task = task_within(subject) if isinstance(subject, Position) else subject
            common = _grounded(task, [frozenset(task.problem.init)], [task.problem.goal], frozenset())
            return _explored(subject, task, common, max_states, progress)
    except LimitReached as reached:
        return SeenSpace(reached)


class Spaces:
    """The state spaces of many levels, grounded together (see `merging`), each explored when first used.

    The arguments are as for `reachable`. Raises LimitReached.
    """

    def __init__(self, levels: Iterable[Position | Task], *, max_states: int | None = None) -> None:
        self._levels = list(levels)
        self._tasks = [task_within(level) if isinstance(level, Position) else level for level in self._levels]
        self._members = {number: members for members in groups(self._tasks) for number in members}
        self._grounds: dict[int, tuple[Union, CommonGround]] = {}
        self._max_states = max_states

    def of(self, number: int) -> StateSpace:
        """Return the state space of the level `number` (from 0). Raises LimitReached, and the errors of `reachable`."""
        members = self._members[number]
        if members[0] not in self._grounds:
            tasks = [self._tasks[member] for member in members]
            union = Union(tasks)
            starts, goals = [union.start(task) for task in tasks], [union.goal(task) for task in tasks]
            common = _grounded(union.task, starts, goals, union.varying)
            self._grounds[members[0]] = union, common
        union, common = self._grounds[members[0]]
        level, task, start = self._levels[number], self._tasks[number], members.index(number)
        return _explored(level, task, common, self._max_states, None, start, union.goal(task), union.varying)


def _grounded(
    task: Task, starts: list[frozenset[Atom]], goals: list[Condition], varying: frozenset[str]
) -> CommonGround:
    """Return a grounding that preserves all states and transitions of the task."""
    absent = missing()
    if absent is not None:
        raise DependencyMissing(f"no state spaces of PDDL: {absent}", dependency="native")
    return CommonGround(task, starts, goals, varying=varying, faithful=True)


def _explored(
    level: Position | Task,
    task: Task,
    common: CommonGround,
    max_states: int | None,
    progress: Callable[[int], None] | None,
    start: int = 0,
    goal: Condition | None = None,
    varying: frozenset[str] = frozenset(),
) -> StateSpace:
    """Explore a level from the start with number `start` in the grounding; `goal` replaces the level's goal."""
    expressible, facts = common.goal(task.problem.goal if goal is None else goal)
    assert expressible, "a grounding that was made for a goal can express it"
    initial = array("i", common.initial(start))
    goals = array("i", [number for fact in facts or () for number in fact])
    numbers = common.action_numbers(_meaning(level, common) if isinstance(level, Position) else None)
    arrays = {**common.arrays, "initial": initial, "goal": goals}
    run = current()
    try:
        compiled = _core.Task(**arrays, time_limit=run.time_left(), memory_limit=run.memory_left())
    except (MemoryError, TimeoutError) as error:
        status = MEMOUT if isinstance(error, MemoryError) else TIMEOUT
        raise SpaceLimitError(status, 0, max_states) from None
    seen = 0

    def observe(expanded: int, *_: float) -> None:
        nonlocal seen
        seen = expanded
        if progress is not None:
            progress(expanded)

    try:
        core = _core.StateSpace(compiled, numbers, facts is not None, *run.remaining(), max_states, observe)
    except LimitReached as reached:
        ended = str(reached).partition(" while ")[0]
        raise SpaceLimitError(reached.status, seen, max_states, ended) from None
    if core.status != COMPLETE:
        raise SpaceLimitError(core.status, core.expanded, max_states)
    return StateSpace(task, common, core, varying)


def _meaning(level: Position, common: CommonGround) -> Callable[[GroundAction], str]:
    """Return a function from actions to moves. Raises UnsupportedFeature if moves depend on the position."""
    moves = decoded_anywhere(level, common.actions)
    if moves is None:
        raise looks_at_position(level, common.actions)
    return dict(zip(common.actions, moves, strict=True)).__getitem__
