"""The state space of a task or a puzzle's position: every state that can be reached, every transition.

`reachable` makes a `StateSpace`: the arrays of `space.py`, filled by the core. States are the PDDL's own:
their atoms are `space.atoms(s)`, equal to `Position.atoms()`. `Spaces` does so for many levels, grounded together.
"""

from __future__ import annotations

from array import array

from unpuzzle.errors import DependencyMissing
from unpuzzle.limits import Deadline, Limits, ticking
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.planners.native import missing
from unpuzzle.planners.native.families.merging import Union, groups
from unpuzzle.planners.native.grounding.common_ground import CommonGround
from unpuzzle.planning.translating import task_within
from unpuzzle.puzzle.capabilities import SelfExploring, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import decoded_anywhere, looks_at_position
from unpuzzle.result import MEMOUT, TIMEOUT
from unpuzzle.spaces.space import Space, SpaceLimitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from unpuzzle.pddl.nodes import Atom, Condition, Task
    from unpuzzle.planners.native import _core
    from unpuzzle.puzzle.capabilities.answers import StateArrays


class StateSpace(Space[GroundAction]):
    """A `Space` whose states are known as atoms; `task` is the PDDL task. `reachable` makes it."""

    def __init__(
        self, task: Task, common: CommonGround, core: _core.StateSpace, varying: frozenset[str] = frozenset()
    ) -> None:
        self.task = task
        self.actions = common.actions
        self.costs = tuple(common.arrays["costs"])
        self._values = core.values
        # Static facts that differ from level to level have variables, too.
        self._facts = [
            [None if fact is None or fact.predicate in varying else fact for fact in variable.values]
            for variable in common.variables()
        ]
        self._certain = frozenset([atom for atom in common.certain() if atom.predicate not in varying])
        self._view(core)

    def atoms(self, state: int) -> frozenset[Atom]:
        """The fluents that are true in a state. Raises IndexError for a number that no state has."""
        values = zip(self._facts, self._values(state), strict=True)
        true = [facts[value] for facts, value in values]
        return self._certain.union([atom for atom in true if atom is not None])


class MoveSpace(Space[str]):
    """A `Space` whose actions are moves, each of cost 1, explored by the game itself."""

    def __init__(self, moves: tuple[str, ...], arrays: StateArrays) -> None:
        self.actions = moves
        self.costs = (1,) * len(moves)
        self._view(arrays)


def reachable(
    level: Position | Task,
    limits: Limits | Deadline | None = None,
    *,
    max_states: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> StateSpace | MoveSpace:
    """Return the state space of a position or task; some games explore it themselves, by their rules.

    Args:
        level: where to start. From a position there is one transition for each legal move: actions that stand for the
            same move count once.
        limits: of time and memory, of grounding and exploring together.
        max_states: the most states that it may have.
        progress: called now and then with the number of states whose successors are known.

    Raises SpaceLimitError where a limit is too small, LimitReached if that is so while grounding; DependencyMissing
    without the compiled core; UnsupportedFeature for a position whose `decode` looks at it; else as grounding does.
    """
    explorer = offered(level, SelfExploring) if isinstance(level, Position) else None
    if explorer is not None:
        moves, arrays = explorer.explore_states(Deadline.of(limits, "exploring"), max_states, progress)
        if arrays.status != "complete":
            raise SpaceLimitError(arrays.status, arrays.expanded, max_states)
        return MoveSpace(moves, arrays)
    watch = Deadline.of(limits, "grounding")
    task = task_within(level, watch) if isinstance(level, Position) else level
    common = _grounded(task, [frozenset(task.problem.init)], [task.problem.goal], watch)
    return _Explorer(watch, max_states, progress).space(level, task, common)


class Spaces:
    """The state spaces of many levels: grounded together (see `merging`), each explored when it is asked for.

    Args as in `reachable`; the time is that of all of them.
    """

    def __init__(
        self,
        levels: Iterable[Position | Task],
        limits: Limits | Deadline | None = None,
        *,
        max_states: int | None = None,
    ) -> None:
        self._levels = list(levels)
        self._watch = Deadline.of(limits, "grounding")
        self._tasks = [
            task_within(level, self._watch) if isinstance(level, Position) else level for level in self._levels
        ]
        self._members = {number: members for members in groups(self._tasks) for number in members}
        self._grounds: dict[int, tuple[Union, CommonGround]] = {}
        self._explorer = _Explorer(self._watch, max_states)

    def of(self, number: int) -> StateSpace:
        """The space of a level, by its number from 0. Raises as `reachable` does."""
        members = self._members[number]
        if members[0] not in self._grounds:
            self._grounds[members[0]] = self._ground([self._tasks[member] for member in members])
        union, common = self._grounds[members[0]]
        level, task = self._levels[number], self._tasks[number]
        return self._explorer.space(level, task, common, members.index(number), union.goal(task), union.varying)

    def _ground(self, tasks: list[Task]) -> tuple[Union, CommonGround]:
        union = Union(tasks)
        starts, goals = [union.start(task) for task in tasks], [union.goal(task) for task in tasks]
        return union, _grounded(union.task, starts, goals, self._watch, union.varying)


def _grounded(
    task: Task,
    starts: list[frozenset[Atom]],
    goals: list[Condition],
    watch: Deadline,
    varying: frozenset[str] = frozenset(),
) -> CommonGround:
    """A grounding that keeps the states and transitions of the task as they are."""
    absent = missing()
    if absent is not None:
        raise DependencyMissing(f"no state spaces of PDDL: {absent}", dependency="native")
    return CommonGround(task, starts, goals, varying=varying, faithful=True, watch=watch)


class _Explorer:
    """What limits the exploring and is told of it; see `reachable`."""

    def __init__(self, watch: Deadline, max_states: int | None, progress: Callable[[int], None] | None = None) -> None:
        self.watch = watch
        self.max_states = max_states
        self.progress = None if progress is None else lambda expanded, *others: progress(expanded)

    def space(
        self,
        level: Position | Task,
        task: Task,
        common: CommonGround,
        start: int = 0,
        goal: Condition | None = None,
        varying: frozenset[str] = frozenset(),
    ) -> StateSpace:
        """The space of a level from one of the grounding's starts, by its number; `goal` where it is not the task's."""
        from unpuzzle.planners.native import _core

        told, facts = common.goal(task.problem.goal if goal is None else goal)
        assert told, "a goal can be told in a grounding that was made for it"
        initial = array("i", common.initial(start))
        wanted = array("i", [number for fact in facts or () for number in fact])
        numbers = common.action_numbers(_meaning(level, common) if isinstance(level, Position) else None)
        compiled = self._compiled({**common.arrays, "initial": initial, "goal": wanted})
        limits = self.watch.time_left(), self.watch.memory_left()
        with ticking(self.watch):
            core = _core.StateSpace(compiled, numbers, facts is not None, *limits, self.max_states, self.progress)
        if core.status != "complete":
            raise SpaceLimitError(core.status, core.expanded, self.max_states)
        return StateSpace(task, common, core, varying)

    def _compiled(self, arrays: dict[str, array[int]]) -> _core.Task:
        from unpuzzle.planners.native import _core

        try:
            return _core.Task(**arrays, time_limit=self.watch.time_left(), memory_limit=self.watch.memory_left())
        except (MemoryError, TimeoutError) as error:
            status = MEMOUT if isinstance(error, MemoryError) else TIMEOUT
            raise SpaceLimitError(status, 0, self.max_states) from None


def _meaning(level: Position, common: CommonGround) -> Callable[[GroundAction], str]:
    """The move of each action. Raises UnsupportedFeature where that depends on the position."""
    actions = common.actions
    moves = decoded_anywhere(level, actions)
    if moves is None:
        raise looks_at_position(level, actions)
    return dict(zip(actions, moves, strict=True)).__getitem__
