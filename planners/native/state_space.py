"""Whole state spaces: every state that can be reached, every transition, and what follows from them.

    space = reachable(level)                   a position of a puzzle, or a PDDL task
    space.states, space.transitions            how many
    space.depth[s]                             fewest steps from the start, which is state 0
    space.distance[s], space.goal_distance[s]  least cost from the start, and to a goal; -1: never (a dead end)
    space.targets[space.offsets[s] : space.offsets[s + 1]]      successors, and `operators` beside them
    space.plans[s]                             how many plans of least cost lead from s to a goal

    Spaces(levels).of(3)                       the same for one of many, which are grounded together

The arrays are memoryviews: they index and slice like lists, and `numpy.asarray(view)` takes one without copying. States
are the PDDL's own: their atoms are `space.atoms(s)`, equal to `Puzzle.atoms()`. They go on through solved positions.
"""

from __future__ import annotations

from unpuzzle.errors import PlannerMissing
from unpuzzle.planners.watch import LimitReachedError, Watch
from unpuzzle.puzzle import Puzzle
from unpuzzle.result import MEMOUT, TIMEOUT, Limits

from .common_ground import CommonGround
from .merging import Union, groups

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from unpuzzle.pddl.nodes import Atom, Condition, GroundAction, Task

    from . import _core

MANY = 2**64 - 2
ENDLESS = 2**64 - 1


class StateSpace:
    """See the module's docstring; `reachable` makes it.

    Attributes:
        task: the PDDL task.
        actions: the ground action of each operator number.
        depth ("I"), offsets ("Q"), targets ("I"), operators ("I"), goals ("B"): see above; `goals` has 1 for goals.
        distance, goal_distance ("q"): costs, -1 for never.
        plans ("Q"): stops at `MANY`; `ENDLESS` where a cycle of cost 0 allows any number; see `optimal_plans`.
    """

    def __init__(
        self, task: Task, common: CommonGround, core: _core.StateSpace, varying: frozenset[str] = frozenset()
    ) -> None:
        self.task = task
        self.actions: tuple[GroundAction, ...] = tuple([operator.action for operator in common.fdr.operators])
        self._costs = tuple([operator.cost for operator in common.fdr.operators])
        self._values = core.values
        # Static facts that differ from level to level have variables, too.
        self._facts = [
            [None if fact is None or fact.predicate in varying else fact for fact in variable.values]
            for variable in common.fdr.variables
        ]
        self._certain = frozenset([atom for atom in common.certain() if atom.predicate not in varying])
        self.depth = memoryview(core.depth()).cast("I")
        self.offsets = memoryview(core.offsets()).cast("Q")
        self.targets = memoryview(core.targets()).cast("I")
        self.operators = memoryview(core.operators()).cast("I")
        self.goals = memoryview(core.goals())
        self.distance = memoryview(core.distance()).cast("q")
        self.goal_distance = memoryview(core.goal_distance()).cast("q")
        self.plans = memoryview(core.plans()).cast("Q")

    @property
    def states(self) -> int:
        """How many there are."""
        return len(self.depth)

    @property
    def transitions(self) -> int:
        """How many there are: applicable actions, over all states."""
        return len(self.targets)

    @property
    def dead_ends(self) -> list[int]:
        """The states from which no goal can be reached."""
        return [state for state, distance in enumerate(self.goal_distance) if distance < 0]

    @property
    def hardest(self) -> int | None:
        """The first state that is farthest from any goal; None if all are dead ends."""
        farthest = max(self.goal_distance)
        return None if farthest < 0 else self.goal_distance.tolist().index(farthest)

    def depths(self) -> list[int]:
        """How many states there are at each depth."""
        counts = [0] * (max(self.depth) + 1)
        for depth in self.depth:
            counts[depth] += 1
        return counts

    def atoms(self, state: int) -> frozenset[Atom]:
        """The fluents that are true in a state. Raises IndexError for a number that no state has."""
        values = zip(self._facts, self._values(state), strict=True)
        true = [facts[value] for facts, value in values]
        return self._certain.union([atom for atom in true if atom is not None])

    def successors(self, state: int) -> list[tuple[GroundAction, int]]:
        """The applicable actions, each with the state it leads to."""
        return [(self.actions[self.operators[edge]], self.targets[edge]) for edge in self._edges(state)]

    def plan(self, state: int = 0) -> tuple[GroundAction, ...] | None:
        """A plan of least cost from a state to a goal; None from a dead end."""
        if self.goal_distance[state] < 0:
            return None
        actions = []
        while not self.goals[state]:
            edge = self._step(state)
            actions.append(self.actions[self.operators[edge]])
            state = self.targets[edge]
        return tuple(actions)

    def optimal_plans(self, state: int = 0) -> int | None:
        """How many plans of least cost lead from a state to a goal, exactly; None if there is no end to them."""
        if self.plans[state] == ENDLESS:
            return None
        if self.plans[state] < MANY:
            return self.plans[state]
        return self._count(state)

    def _edges(self, state: int) -> range:
        return range(self.offsets[state], self.offsets[state + 1])

    def _tight(self, state: int) -> list[int]:
        """The transitions that a plan of least cost may begin with."""
        rest, own = self.goal_distance, self.goal_distance[state]
        return [
            edge
            for edge in self._edges(state)
            if rest[self.targets[edge]] >= 0 and own == rest[self.targets[edge]] + self._costs[self.operators[edge]]
        ]

    def _step(self, state: int) -> int:
        """A transition of a plan of least cost that ends: where costs are 0, one of fewest steps."""
        tight = self._tight(state)
        if all(self._costs[self.operators[edge]] for edge in tight):
            return tight[0]
        steps = self._free_steps()
        return min(tight, key=lambda edge: steps[self.targets[edge]])

    def _free_steps(self) -> dict[int, int]:
        """For each state that is no dead end, the fewest steps of a plan of least cost."""
        before: dict[int, list[int]] = {}
        for state in range(self.states):
            if self.goal_distance[state] >= 0:
                for edge in self._tight(state):
                    before.setdefault(self.targets[edge], []).append(state)
        steps = {state: 0 for state in range(self.states) if self.goals[state]}
        layer = list(steps)
        while layer:
            following = [previous for state in layer for previous in before.get(state, ())]
            depth = steps[layer[0]] + 1
            layer = [state for state in dict.fromkeys(following) if state not in steps]
            steps.update(dict.fromkeys(layer, depth))
        return steps

    def _count(self, start: int) -> int:
        """`plans` in whole numbers of any size: the same sums, each state after its successors."""
        counts: dict[int, int] = {}
        stack = [start]
        while stack:
            state = stack[-1]
            following = [self.targets[edge] for edge in self._tight(state)]
            missing = [target for target in following if target not in counts]
            if missing:
                stack.extend(missing)
            else:
                counts[state] = int(self.goals[state]) + sum(counts[target] for target in following)
                stack.pop()
        return counts[start]

    def __repr__(self) -> str:
        return f"StateSpace({self.states} states, {self.transitions} transitions)"


def reachable(level: Puzzle | Task, limits: Limits | None = None, *, max_states: int | None = None) -> StateSpace:
    """The state space of a position or task.

    Args:
        level: where to start.
        limits: `time` in seconds; `memory` in bytes, of the arrays.
        max_states: the most states that it may have.

    Raises LimitReachedError where a limit is too small (its `status` is `timeout`, `memout` or, for `max_states`,
    `gave_up`); PlannerMissing without the compiled core; else as grounding does.
    """
    limits = Limits() if limits is None else limits
    watch = Watch(limits, "grounding")
    task = level.task() if isinstance(level, Puzzle) else level
    common = _grounded(task, [frozenset(task.problem.init)], [task.problem.goal], watch)
    return _explored(task, common, 0, task.problem.goal, watch, max_states)


class Spaces:
    """The state spaces of many levels: grounded together (see `merging`), each explored when it is asked for.

    Args as in `reachable`; the time is that of all of them.
    """

    def __init__(
        self, levels: Iterable[Puzzle | Task], limits: Limits | None = None, *, max_states: int | None = None
    ) -> None:
        self._tasks = [level.task() if isinstance(level, Puzzle) else level for level in levels]
        self._members = {number: members for members in groups(self._tasks) for number in members}
        self._grounds: dict[int, tuple[Union, CommonGround]] = {}
        self._watch = Watch(Limits() if limits is None else limits, "grounding")
        self._max_states = max_states

    def of(self, number: int) -> StateSpace:
        """The space of a level, by its number from 0. Raises as `reachable` does."""
        members = self._members[number]
        if members[0] not in self._grounds:
            self._grounds[members[0]] = self._ground([self._tasks[member] for member in members])
        union, common = self._grounds[members[0]]
        task = self._tasks[number]
        start, goal = members.index(number), union.goal(task)
        return _explored(task, common, start, goal, self._watch, self._max_states, union.varying)

    def _ground(self, tasks: list[Task]) -> tuple[Union, CommonGround]:
        union = Union(tasks)
        starts, goals = [union.start(task) for task in tasks], [union.goal(task) for task in tasks]
        return union, _grounded(union.task, starts, goals, self._watch, union.varying)


def _grounded(
    task: Task,
    starts: list[frozenset[Atom]],
    goals: list[Condition],
    watch: Watch,
    varying: frozenset[str] = frozenset(),
) -> CommonGround:
    """A grounding that keeps the states and transitions of the task as they are."""
    try:
        from . import _core  # noqa: F401
    except ImportError:
        raise PlannerMissing("state spaces need the compiled core of the native planner", planner="native") from None
    return CommonGround(task, starts, goals, varying=varying, faithful=True, tick=watch)


def _explored(
    task: Task,
    common: CommonGround,
    start: int,
    goal: Condition,
    watch: Watch,
    max_states: int | None,
    varying: frozenset[str] = frozenset(),
) -> StateSpace:
    """The space of one of the starts, by its number, with one of the goals."""
    from . import _core

    told, facts = common.goal(goal)
    assert told, "a goal can be told in a grounding that was made for it"
    buffers = common.fdr.buffers()
    integers = type(buffers["goal"])
    buffers["initial"] = integers("i", common.encoding.initial(start))
    buffers["goal"] = integers("i", [number for fact in facts or () for number in fact])
    core = _core.StateSpace(
        _core.Task(**buffers), common.action_numbers(), facts is not None, watch.time_left(), watch.memory, max_states
    )
    reasons = {TIMEOUT: "time limit", MEMOUT: "memory limit"}
    if core.status != "complete":
        reason = reasons.get(core.status, f"limit of {max_states} states")
        raise LimitReachedError(core.status, f"the {reason} was reached while exploring the state space")
    return StateSpace(task, common, core, varying)
