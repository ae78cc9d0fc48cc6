"""Window optimisation: stretches of a plan are solved again at least cost, from their first state to their last.

    s0 ─────────────────────────────────────────► sn        a plan
        [ window ]                                          cheaper? then it takes the place of the old stretch
            [ window ]                                      as cheap, but another way? that, too: see below
                [ window ]  ...                             until no window of this size gets cheaper
    [    larger window    ]  ...                            then larger ones, until the budget is spent

Plans that are joined from stages, or found greedily, are bad nearly everywhere, and easily improved even if a search of
the whole is hopeless (H. Nakhost and M. Müller, Action elimination and plan neighborhood graph search, 2010; F. H.
Siddiqui and P. Haslum, Plan quality optimisation via block decomposition, 2013). A cheapest stretch is also replaced if
the search finds another one: the plan drifts away from the states of its stages, and the next windows find new
improvements.

The native core solves the windows; the task is grounded once. Small windows are searched from both ends or, where the
task does not allow that (`core/inverse.hpp`), blindly; large ones with pattern databases, if the task allows them,
since these take time to build. The last window may end in any goal state.

The budget is a number of expanded states of a search from both ends; `Method` gives the price of all other work. So
equal calls give equal plans on every machine, unless time or memory run out. Then the best plan so far is the answer.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import chain, count, pairwise, repeat
from typing import TYPE_CHECKING, Any

from unpuzzle.limits import Deadline, ticking
from unpuzzle.pddl.nodes import Atom, GroundAction, Task
from unpuzzle.planners.subgoals.trails import Trail, without_loops
from unpuzzle.planning.translating import task_within
from unpuzzle.puzzle.position import Position
from unpuzzle.record import Record
from unpuzzle.result import MEMOUT, TIMEOUT

if TYPE_CHECKING:
    from unpuzzle.planners.native import _core


State = tuple[int, ...]
"""Values by variable; 0 for derived variables."""
BUDGET = 10_000_000
MOST_FOR_ONE = 10
"""One window may take this fraction of the budget."""
SMALL, LARGER = range(8, 28, 4), 24
"""The sizes of small windows, in steps, and the growth of the large ones after them."""
OVERLAP = 4
"""The number of windows through each place."""
PATIENCE = 2
"""The number of tries for a size that led to another plan, but not to a cheaper one."""


class Method(Record):
    """A search for windows, with its prices: of an expanded state, of a window, and of preparing an operator."""

    algorithm: str
    heuristic: str
    expanded: int
    window: int
    operator: int


BOTH_ENDS = Method("bidirectional", "blind", 1, 0, 5)
BLIND = Method("astar", "blind", 1, 0, 5)
DATABASES = Method("astar", "pdb", 4, 50_000, 200)


class Windowed(Record):
    """A plan after window optimization.

    Attributes: `steps`; whether it is proved `optimal`; the number of `windows` solved, and of states `expanded` in
    them.
    """

    steps: tuple[Any, ...]
    optimal: bool = False
    windows: int = 0
    expanded: int = 0


def optimise(subject: Position | Task, trail: Trail, *, budget: int = BUDGET, watch: Deadline) -> Windowed:
    """Return a plan that costs no more than the trail's, and is not longer at the same cost.

    The trail belongs to a plan for the subject (`trails.walk`, `trails.run`); the budget is a number of states.

    Raises LimitReached if grounding reaches a limit, and as grounding does. Needs the compiled core.
    """
    position = subject if isinstance(subject, Position) else None
    ground = GroundTask(subject if isinstance(subject, Task) else task_within(subject, watch), watch)
    states = trail.states if position is None else (state.atoms() for state in trail.states)
    search = _WindowSearch(ground, ground.trail(states), budget, watch)
    actions = [ground.action(operator) for operator in search.run().steps]
    steps = actions if position is None else [position.decode(action) for action in actions]
    return Windowed(tuple(steps), search.optimal, search.windows, search.expanded)


class GroundTask:
    """A task, grounded once, to make tasks with other starts and goals. `operators` is the number of operators.

    Its trails have states with one value a variable, and operators for steps. A trail is followed by its states and not
    by its steps: grounding keeps only one of several equivalent actions, and drops irrelevant facts. So every relevant
    change has an operator; other steps are left out.

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
        return self._grounding.action(operator)

    def between(self, start: State, goal: State | None) -> _core.Task:
        """Return the task of reaching one state from another or, without a goal state, the goal."""
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
        """Return the trail with other steps between two places; they must join the same two states."""
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


class _WindowSearch:
    """One optimisation of a trail of `GroundTask`."""

    def __init__(self, ground: GroundTask, trail: Trail, budget: int, watch: Deadline) -> None:
        self.ground = ground
        self.trail = trail
        self.watch = watch
        self.left = budget
        self.most_for_one = budget // MOST_FOR_ONE
        self.windows = self.expanded = 0
        self.optimal = False
        self.solved: dict[tuple[State, State | None], bool] = {}  # windows, and whether with success

    def run(self) -> Trail:
        """Solve larger and larger windows, until one is the whole plan or the budget is used up."""
        small = BOTH_ENDS if self._supports(BOTH_ENDS) else BLIND
        large = DATABASES if self._supports(DATABASES) else small
        self.to_any_goal = self._supports(small, any_goal=True)
        sizes = chain(zip(SMALL, repeat(small)), zip(count(SMALL.stop, LARGER), repeat(large)))
        for size, method in sizes:
            self._settle(size, method)
            if self.left <= 0 or self.optimal or size >= len(self.trail.steps):
                break
        return self.trail

    def _settle(self, size: int, method: Method) -> None:
        """Solve windows of one size, until the trail stops changing."""
        unchanged = 0
        while unchanged < PATIENCE:
            before = self.trail
            begin, end = 0, 0
            while end < len(self.trail.steps) and self.left > 0:
                end = min(begin + size, len(self.trail.steps))
                self._solve(begin, end, method)
                begin, end = begin + max(1, size // OVERLAP), begin + size
            self.trail = without_loops(self.trail)
            if self.trail.steps == before.steps:
                break
            better = (self.trail.cost, len(self.trail.steps)) < (before.cost, len(before.steps))
            unchanged = 0 if better else unchanged + 1

    def _solve(self, begin: int, end: int, method: Method) -> None:
        """Replace a window by its best plan, unless this was done before."""
        states, last = self.trail.states, end == len(self.trail.steps)
        window = (states[begin], None if last and self.to_any_goal else states[end])
        if window not in self.solved:
            outcome = self._search(method, *window)
            self.windows += 1
            self.solved[window] = outcome.plan is not None
            old = self.trail.costs[begin:end]
            if outcome.plan is not None and (outcome.cost, len(outcome.plan)) <= (sum(old), len(old)):
                self.trail = self.ground.replaced(self.trail, begin, end, outcome.plan)
        self.optimal = self.solved[window] and begin == 0 and window[1] is None

    def _search(self, method: Method, start: State, goal: State | None) -> _core.SearchResult:
        """Search for a plan from a state to another one or, without a goal state, to any goal."""
        ready = method.window + method.operator * self.ground.operators
        most = max(0, min(self.left, self.most_for_one) - ready) // method.expanded
        with ticking(self.watch):
            outcome = self.ground.between(start, goal).search(
                method.algorithm, method.heuristic, self.watch.time_left(), self.watch.memory_left(), most
            )
        self.expanded += outcome.expanded
        self.left -= ready + method.expanded * outcome.expanded
        if outcome.status in (TIMEOUT, MEMOUT):
            self.left = 0
        return outcome

    def _supports(self, method: Method, *, any_goal: bool = False) -> bool:
        from unpuzzle.planners.native._core import UnsupportedTask

        start = self.trail.states[0]
        task = self.ground.between(start, None if any_goal else start)
        try:
            task.search(method.algorithm, method.heuristic, self.watch.time_left(), self.watch.memory_left(), 0)
        except UnsupportedTask:
            return False
        return True
