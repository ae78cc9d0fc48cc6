"""The state space of a task or a puzzle's position: every state that can be reached, every transition.

`reachable` makes a `StateSpace`: the arrays of `planners/space.py`, filled by the core. States are the PDDL's own:
their atoms are `space.atoms(s)`, equal to `Puzzle.atoms()`.
"""

from __future__ import annotations

from unpuzzle.errors import PlannerMissing
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.planners.space import Space, SpaceLimitError
from unpuzzle.planners.watch import Watch
from unpuzzle.puzzle import Puzzle
from unpuzzle.result import Limits

from . import missing
from .common_ground import CommonGround

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from unpuzzle.pddl.nodes import Atom, Task

    from . import _core


class StateSpace(Space[GroundAction]):
    """A `Space` whose states are known as atoms; `task` is the PDDL task. `reachable` makes it."""

    def __init__(self, task: Task, common: CommonGround, core: _core.StateSpace) -> None:
        self.task = task
        self.actions = tuple([operator.action for operator in common.fdr.operators])
        self.costs = tuple([operator.cost for operator in common.fdr.operators])
        self._values = core.values
        self._facts = [variable.values for variable in common.fdr.variables]
        self._certain = common.certain()
        self.depth = memoryview(core.depth()).cast("I")
        self.offsets = memoryview(core.offsets()).cast("Q")
        self.targets = memoryview(core.targets()).cast("I")
        self.operators = memoryview(core.operators()).cast("I")
        self.goals = memoryview(core.goals())
        self.distance = memoryview(core.distance()).cast("q")
        self.goal_distance = memoryview(core.goal_distance()).cast("q")
        self.plans = memoryview(core.plans()).cast("Q")

    def atoms(self, state: int) -> frozenset[Atom]:
        """The fluents that are true in a state. Raises IndexError for a number that no state has."""
        values = zip(self._facts, self._values(state), strict=True)
        true = [facts[value] for facts, value in values]
        return self._certain.union([atom for atom in true if atom is not None])


def reachable(
    level: Puzzle | Task,
    limits: Limits | None = None,
    *,
    max_states: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> StateSpace:
    """The state space of a position or task.

    Args:
        level: where to start. From a position there is one transition for each legal move: actions that stand for the
            same move count once.
        limits: `time` in seconds; `memory` in bytes, of the arrays.
        max_states: the most states that it may have.
        progress: called now and then with the number of states whose successors are known.

    Raises SpaceLimitError where a limit is too small, LimitReachedError if that is so while grounding; PlannerMissing
    without the compiled core; else as grounding does.
    """
    absent = missing()
    if absent is not None:
        raise PlannerMissing(f"no state spaces of PDDL: {absent}", planner="native")
    from . import _core

    limits = Limits() if limits is None else limits
    watch = Watch(limits, "grounding")
    task = level.task() if isinstance(level, Puzzle) else level
    common = CommonGround(task, [frozenset(task.problem.init)], [task.problem.goal], faithful=True, tick=watch)
    _, goal = common.goal(task.problem.goal)
    buffers = common.fdr.buffers()
    buffers["goal"] = type(buffers["goal"])("i", [number for fact in goal or () for number in fact])
    core = _core.StateSpace(
        _core.Task(**buffers),
        common.action_numbers(level.decode if isinstance(level, Puzzle) else None),
        goal is not None,
        watch.time_left(),
        limits.memory,
        max_states,
        None if progress is None else lambda expanded, *others: progress(expanded),
    )
    if core.status != "complete":
        raise SpaceLimitError(core.status, core.expanded, max_states)
    return StateSpace(task, common, core)
