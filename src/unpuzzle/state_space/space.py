"""State spaces as arrays: all reachable states and transitions of a task or a position, with queries on them.

    space.states, space.transitions            their numbers
    space.depth[s]                             fewest steps from the start, which is state 0
    space.distance[s], space.goal_distance[s]  least cost from the start, and to a goal; -1: never (a dead end)
    space.targets[space.offsets[s] : space.offsets[s + 1]]      successors, and `operators` beside them
    space.plans[s]                             the number of plans of least cost from s to a goal

The arrays are memoryviews: they index and slice like lists, and `numpy.asarray(view)` takes one without copying. States
are numbered breadth-first. Goals have successors, too.

`reachable` makes a `StateSpace` in the compiled core: its states are sets of atoms; `space.atoms(s)` equals
`Position.atoms()`. `Spaces` does so for many levels, grounded together. `reachable_by_rules`, in plain Python, makes a
`RulesSpace`: state s is the position `space.positions[s]`, and the actions are the moves.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import accumulate
from typing import Any, Final, Generic, TypeVar

from unpuzzle.base.distances import Explorer, distances, least_costs
from unpuzzle.base.errors import DependencyMissing, LimitReached, UnsupportedFeature, UsageError
from unpuzzle.base.outcomes import GAVE_UP, MEMOUT, TIMEOUT
from unpuzzle.base.run import Limits, Run, checkpoint, current, phase, within_limits
from unpuzzle.base.text import count
from unpuzzle.base.values import Immutable, Record
from unpuzzle.model.capabilities import SelfExploring, StateArrays, offered
from unpuzzle.model.faults import require_cost, require_once, require_same_after, require_unchanged
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import decoded_anywhere, looks_at_position, task_within
from unpuzzle.pddl.nodes import Atom, Condition, GroundAction, Task
from unpuzzle.planners.native import missing
from unpuzzle.planners.native.compiled import core as _core
from unpuzzle.planners.native.families import CommonGround, Union, groups

Action = TypeVar("Action")

COMPLETE: Final = "complete"
MANY, ENDLESS = 2**64 - 2, 2**64 - 1

FORMATS: dict[str, Any] = {
    **dict.fromkeys(("depth", "targets", "operators"), "I"),
    **dict.fromkeys(("offsets", "plans"), "Q"),
    **dict.fromkeys(("distance", "goal_distance"), "q"),
    "goals": "B",
}
"""The number type of each array, in the codes of the module `array`."""
Edges = list[list[tuple[int, int]]]
"""For each state, pairs of a number and a neighbour."""
POSITIONS_PER_CALL = 1024


class SpaceLimitError(LimitReached):
    """The error for an exploration that reached a limit; `states` is a lower bound for the number of states."""

    def __init__(self, status: str, expanded: int, max_states: int | None, ended: str = "") -> None:
        ended = ended or f"the {'memory' if status == MEMOUT else 'time'} limit was reached"
        states = count(expanded, "expanded state")  # more were reached, and other figures count these
        message = f"{ended} while exploring the state space, after {states}"
        self.states: int = expanded
        if status == GAVE_UP and max_states is not None:
            self.states, message = max_states, f"there are more than {count(max_states, 'state')}"
        super().__init__(status, message)


class Space(Generic[Action]):
    """All reachable states and transitions of a task or a position. A space is immutable and compares by value.

    Attributes:
        status: `complete`, or the limit that ended the exploring: `timeout`, `memout`, `cancelled` or `gave_up`.
        message: a sentence about that limit; empty if the space is complete.
        actions, costs: by operator number; actions are ground actions of PDDL, or moves of a puzzle.
        depth, offsets, targets, operators, distance, goal_distance: see above.
        goals: 1 for goals, 0 for other states.
        plans: stops at `MANY`; `ENDLESS` if a cycle of cost 0 allows any number; see `optimal_plans`.

    If the space is not complete, it may have no states and distances, only the number of states that were seen.
    """

    status: str
    message: str
    actions: tuple[Action, ...]
    costs: tuple[int, ...]
    depth: memoryview
    offsets: memoryview
    targets: memoryview
    operators: memoryview
    goals: memoryview
    distance: memoryview
    goal_distance: memoryview
    plans: memoryview

    def __init__(
        self,
        actions: tuple[Action, ...],
        costs: tuple[int, ...],
        values: Mapping[str, Any],
        status: str = COMPLETE,
        message: str = "",
    ) -> None:
        """Make a state space from the operators' actions and costs, and the arrays in `values` by name."""
        vars(self).update(values, actions=actions, costs=costs, status=status, message=message)

    __setattr__ = Immutable.__setattr__
    __delattr__ = Immutable.__delattr__

    @property
    def complete(self) -> bool:
        """Whether the space has all reachable states."""
        return self.status == COMPLETE

    @property
    def states(self) -> int:
        """The number of states; in an incomplete space, the number of states seen."""
        return len(self.offsets) - 1

    @property
    def transitions(self) -> int:
        """The number of transitions: applicable actions or legal moves, summed over all states."""
        return len(self.targets)

    @property
    def dead_ends(self) -> list[int]:
        """The states from which no goal can be reached."""
        return [state for state, distance in enumerate(self.goal_distance) if distance < 0]

    def is_dead_end(self, state: int) -> bool:
        """Return whether no goal can be reached from a state."""
        return self.goal_distance[state] < 0

    def traps(self, state: int) -> list[int]:
        """Return the transitions of a state that are traps: they lead from a solvable state into a dead end."""
        if self.goals[state] or self.is_dead_end(state):
            return []
        return [edge for edge in self.edges(state) if self.is_dead_end(self.targets[edge])]

    @property
    def hardest(self) -> int | None:
        """The first state with the largest distance from the goals; None if all states are dead ends."""
        farthest = max(self.goal_distance)
        return None if farthest < 0 else self.goal_distance.tolist().index(farthest)

    def depths(self) -> list[int]:
        """Return the number of states at each depth, which is the fewest steps from the start."""
        return [number for _, number in sorted(Counter(self.depth).items())]

    def successors(self, state: int) -> list[tuple[Action, int]]:
        """Return the applicable actions of a state, each with the number of the state after it."""
        return [(self.actions[self.operators[edge]], self.targets[edge]) for edge in self.edges(state)]

    def plan(self, state: int = 0) -> tuple[Action, ...] | None:
        """Return a plan of least cost from a state to a goal; None if the state is a dead end."""
        if self.goal_distance[state] < 0:
            return None
        edges = []
        while not self.goals[state]:
            edges.append(self._step(state))
            state = self.targets[edges[-1]]
        return tuple([self.actions[self.operators[edge]] for edge in edges])

    def path(self, state: int) -> tuple[Action, ...]:
        """Return a path of fewest steps from the start to a state."""
        edges = []
        while state:
            edges.append(self.first[state])
            state = self.previous(state)
        return tuple([self.actions[self.operators[edge]] for edge in reversed(edges)])

    def previous(self, state: int) -> int:
        """Return the state before `state` on a path of fewest steps; the start state has none."""
        return bisect_right(self.offsets, self.first[state]) - 1

    @cached_property
    def first(self) -> dict[int, int]:
        """For each state the transition by which it was first reached, on a path of fewest steps."""
        return {self.targets[edge]: edge for edge in reversed(range(self.transitions))}

    def optimal_plans(self, state: int = 0) -> int | None:
        """Return the exact number of least-cost plans from a state to a goal; None if there are infinitely many."""
        number = self.plans[state]
        return number if number < MANY else None if number == ENDLESS else self._count(state)

    def edges(self, state: int) -> range:
        """Return the numbers of a state's transitions, as a range."""
        return range(self.offsets[state], self.offsets[state + 1])

    def following(self, state: int) -> memoryview:
        """Return the states that the transitions of a state lead to."""
        return self.targets[self.offsets[state] : self.offsets[state + 1]]

    def tight(self, state: int) -> list[int]:
        """Return the transitions of a state with which a least-cost plan can begin."""
        rest, own = self.goal_distance, self.goal_distance[state]
        return [
            edge
            for edge in self.edges(state)
            if rest[self.targets[edge]] >= 0 and own == rest[self.targets[edge]] + self.costs[self.operators[edge]]
        ]

    def _step(self, state: int) -> int:
        """Return the first transition of a least-cost plan from a state, chosen so that plans never run in a cycle."""
        tight = self.tight(state)
        if all(self.costs[self.operators[edge]] for edge in tight):
            return tight[0]
        return min(tight, key=lambda edge: self._free_steps[self.targets[edge]])

    @cached_property
    def _free_steps(self) -> dict[int, int]:
        """The fewest steps of a least-cost plan from each state that is not a dead end."""
        before: dict[int, list[int]] = {}
        for state in range(self.states):
            for target in self._onward(state) if self.goal_distance[state] >= 0 else ():
                before.setdefault(target, []).append(state)
        return distances([state for state, goal in enumerate(self.goals) if goal], lambda state: before.get(state, ()))

    def optimal_states(self, start: int = 0) -> list[int]:
        """Return the states on least-cost plans from a state, the nearest first; for a dead end, only itself."""
        return list(distances([start], self._onward))

    def _onward(self, state: int) -> list[int]:
        return [self.targets[edge] for edge in self.tight(state)]

    def _count(self, start: int) -> int:
        """Return the number of least-cost plans from a state as an integer of any size."""
        onward = {state: self._onward(state) for state in self.optimal_states(start)}
        counts: dict[int, int] = {}
        for state in TopologicalSorter(onward).static_order():
            counts[state] = int(self.goals[state]) + sum([counts[target] for target in onward[state]])
        return counts[start]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = ("status", "actions", "costs", *FORMATS)
        return all(getattr(self, name) == getattr(other, name) for name in names)

    def __hash__(self) -> int:
        return hash((self.status, self.states, self.transitions))

    def __getstate__(self) -> dict[str, Any]:
        arrays = {name: getattr(self, name).tobytes() for name in FORMATS}
        return {**vars(self), **arrays}

    def __setstate__(self, values: dict[str, Any]) -> None:
        vars(self).update(values, **arrays_of(values.__getitem__))

    def __repr__(self) -> str:
        kind = "" if self.complete else f", {self.status}"
        return f"{type(self).__name__}({count(self.states, 'state')}, {count(self.transitions, 'transition')}{kind})"


class SeenSpace(Space[Any]):
    """A state space that was not finished because of a limit; only the number of states seen is known."""

    _number: int

    def __init__(self, reached: LimitReached) -> None:
        number = getattr(reached, "states", 0)  # none if a limit ended the grounding
        super().__init__((), (), {**arrays_of(lambda _: b""), "_number": number}, reached.status, str(reached))

    @property
    def states(self) -> int:
        """The number of states seen."""
        return self._number


def arrays_of(data: Callable[[str], bytes]) -> dict[str, memoryview]:
    """Return the arrays of a state space by name, made from the bytes that `data(name)` returns."""
    return {name: memoryview(data(name)).cast(kind) for name, kind in FORMATS.items()}


class StateSpace(Space[GroundAction]):
    """The state space of a PDDL task, made by `reachable`; each state is a set of atoms."""

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
        rows = StateValues(
            array("I", [value for state in range(self.states) for value in self._values(state)]), self.states
        )
        return super().__getstate__() | {"_values": rows}


class StateValues(Record):
    """The values of all variables in all states, stored in one array."""

    values: array[int]
    states: int

    def __call__(self, state: int) -> list[int]:
        if not 0 <= state < self.states:
            raise IndexError(f"there is no state {state}: the states are 0 to {self.states - 1}")
        width = len(self.values) // self.states
        return self.values[state * width : (state + 1) * width].tolist()


def _arrays(core: _core.StateSpace | StateArrays) -> dict[str, memoryview]:
    """Return the arrays of a state space by name, from the methods of `core` that have these names."""
    return arrays_of(lambda name: getattr(core, name)())


def reachable(
    subject: Position | Task,
    *,
    limits: Limits | None = None,
    max_states: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Space[Any]:
    """Explore all reachable states of a position or task, in the compiled core or by the game's own exploration.

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
    """The state spaces of many levels with one grounding; each is explored when it is first used.

    The arguments are as for `reachable`. Raises LimitReached.
    """

    def __init__(self, levels: Iterable[Position | Task], *, max_states: int | None = None) -> None:
        self._levels = list(levels)
        self._tasks = [task_within(level) if isinstance(level, Position) else level for level in self._levels]
        self._members = {number: members for members in groups(self._tasks) for number in members}
        self._grounds: dict[int, tuple[Union, CommonGround]] = {}
        self._max_states = max_states

    def of(self, number: int) -> StateSpace:
        """Return the state space of level `number`, counted from 0. Raises LimitReached and errors as `reachable`."""
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
    """Return a grounding of the task that preserves all reachable states and transitions."""
    absent = missing()
    if absent is not None:
        raise DependencyMissing(f"the state space of a PDDL task cannot be explored: {absent}", dependency="native")
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
    """Explore the state space of one level in the compiled core, given a grounding for several levels."""
    expressible, facts = common.goal(task.problem.goal if goal is None else goal)
    assert expressible, "a grounding must be able to express the goal for which it was made"
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
    """Return a function from PDDL actions to moves. Raises UnsupportedFeature if a move depends on the position."""
    moves = decoded_anywhere(level, common.actions)
    if moves is None:
        raise looks_at_position(level, common.actions)
    return dict(zip(common.actions, moves, strict=True)).__getitem__


def reachable_by_rules(
    position: Position,
    *,
    max_states: int | None = None,
    partial: bool = False,
    progress: Callable[[int], None] | None = None,
) -> RulesSpace:
    """Explore a position breadth-first by the rules of the game.

    Beyond `max_states` it ends at once or, if `partial`, continues among the nearest states, leaving out moves to
    others. At a limit, the space has all states seen so far. Raises ParseError for equal positions that are not the
    same.
    """
    explorer, whole = Explorer(position, steps_by_rules, require_same_after), True
    try:
        with phase("exploring"):
            while explorer.depth is not None:
                checkpoint()
                whole &= explorer.expand(max_states)
                if not whole and not partial:
                    raise LimitReached(GAVE_UP, f"there are more than {count(max_states or 0, 'state')}")
                if progress is not None and len(explorer.edges) % POSITIONS_PER_CALL == 0:
                    progress(len(explorer.edges))
            message = "" if whole else f"there are more than {count(max_states or 0, 'state')}"
            space = space_of(explorer, COMPLETE if whole else GAVE_UP, message)
            for move, cost in zip(space.actions, space.costs, strict=True):
                require_cost(position, move, cost)
            space.compute()  # while the limits still apply
            return space
    except LimitReached as reached:
        error = SpaceLimitError(reached.status, len(explorer.edges), max_states)
        return space_of(explorer, error.status, str(error))


def steps_by_rules(position: Position) -> Iterator[tuple[int, Position, str]]:
    """Yield (cost, position after the move, move) for each move of a position.

    Raises GameFault for a move that changes the position, or is offered twice.
    """
    moves, known = [], hash(position)
    for move in position.moves():
        moves.append(move)
        following = position.apply(move)
        require_unchanged(position, known)
        yield position.cost(move), following, move
    require_once(position, moves)


def space_of(explorer: Explorer, status: str, message: str = "") -> RulesSpace:
    """Return the state space of the states that an `Explorer` has found."""
    operators: dict[tuple[str, int], int] = {}
    edges: Edges = [
        [(operators.setdefault((move, cost), len(operators)), target) for cost, target, move in steps]
        for steps in explorer.edges
    ]
    unexpanded: list[tuple[int, int]] = []  # one for all, since memory may be short
    edges += [unexpanded] * (len(explorer.states) - len(edges))
    return RulesSpace(explorer.states, edges, operators, status, message)


class RulesSpace(Space[str]):
    """The state space of a position by the rules of the game; `positions[s]` is the position of state `s`."""

    positions: tuple[Position, ...]

    def __init__(
        self,
        positions: Iterable[Position],
        edges: Edges,
        operators: Iterable[tuple[str, int]],
        status: str = COMPLETE,
        message: str = "",
    ) -> None:
        """Make a state space from the positions, their transitions `edges`, and the moves with their costs."""
        values = {
            "positions": tuple(positions),
            "offsets": _view("Q", accumulate(map(len, edges), initial=0)),
            "operators": _view("I", (operator for steps in edges for operator, _ in steps)),
            "targets": _view("I", (target for steps in edges for _, target in steps)),
        }
        moves, costs = [move for move, _ in operators], [cost for _, cost in operators]
        super().__init__(tuple(moves), tuple(costs), values, status, message)

    def atoms(self, state: int) -> frozenset[Atom]:
        """Return the fluents that are true in a state."""
        return self.positions[state].atoms()

    def compute(self) -> None:
        """Compute all arrays now instead of when they are first used, so that the limits of the run apply."""
        for name in FORMATS:
            getattr(self, name)

    @cached_property
    def goals(self) -> memoryview:  # type: ignore[override]
        return memoryview(bytes([position.solved() for position in within_limits(self.positions)]))

    @cached_property
    def depth(self) -> memoryview:  # type: ignore[override]
        steps = distances([0], self.following)
        return _view("I", [steps[state] for state in range(self.states)])

    @cached_property
    def distance(self) -> memoryview:  # type: ignore[override]
        return self._least_costs([0], self._steps)

    @cached_property
    def goal_distance(self) -> memoryview:  # type: ignore[override]
        backward: Edges = [[] for _ in self.positions]
        for state in within_limits(range(self.states)):
            for cost, target in self._steps(state):
                backward[target].append((cost, state))
        return self._least_costs([state for state, goal in enumerate(self.goals) if goal], backward.__getitem__)

    def _least_costs(self, starts: Iterable[int], steps: Callable[[int], list[tuple[int, int]]]) -> memoryview:
        """Return the least cost from any of the start states to each state; -1 for an unreachable state."""
        costs = least_costs(dict.fromkeys(starts, 0), steps)
        return _view("q", [costs.get(state, -1) for state in range(self.states)])

    def _steps(self, state: int) -> list[tuple[int, int]]:
        """Return (cost, target state) for each transition of a state."""
        return [(self.costs[self.operators[edge]], self.targets[edge]) for edge in self.edges(state)]

    @cached_property
    def plans(self) -> memoryview:  # type: ignore[override]
        """Return the number of least-cost plans from each state.

        A state that never gets its turn after the next ones can reach a cycle.
        """
        onward = [self._onward(state) for state in within_limits(range(self.states))]
        order = TopologicalSorter(dict(enumerate(onward)))
        with suppress(CycleError):
            order.prepare()
        plans = [ENDLESS] * self.states
        while ready := order.get_ready():
            for state in within_limits(ready):
                plans[state] = min(MANY, self.goals[state] + sum([plans[target] for target in onward[state]]))
            order.done(*ready)
        return _view("Q", plans)


def _view(kind: str, numbers: Iterable[int]) -> memoryview:
    try:
        return memoryview(array(kind, numbers)).toreadonly()
    except OverflowError:
        message = "the least cost of a position is more than 2^63 - 1, the most that a state space takes"
        raise UnsupportedFeature(message, feature="costs of 2^63 and more") from None
