"""Window optimisation: stretches of a plan are solved again at least cost, from their first state to their last.

    s0 ─────────────────────────────────────────► sn        a plan
        [ window ]                                          cheaper? then it takes the place of the old stretch
            [ window ]                                      as cheap, but another way? that, too: see below
                [ window ]  ...                             until no window of this size gets cheaper
    [    larger window    ]  ...                            then larger ones, until the budget is spent

Plans that are joined from stages, or found greedily, are bad nearly everywhere, and easily made better where a search
of the whole is hopeless (H. Nakhost and M. Müller, Action elimination and plan neighborhood graph search, 2010; F. H.
Siddiqui and P. Haslum, Plan quality optimisation via block decomposition, 2013). A stretch that is as cheap as can be
is exchanged all the same if the search comes back with another one: the plan drifts off the states that its stages went
through, and the next windows find what was hidden.

The native core solves the windows; the task is grounded once. Small windows are searched from both ends or, where the
task does not allow that (`core/inverse.hpp`), blindly; large ones with pattern databases, if there are such for the
task, since these cost some time to build. The last window may end in any goal state.

The budget is of expanded states, as many as a search from both ends would make in the time: `Method` says what else
counts how much. So equal calls give equal plans on every machine, unless time or memory run out. Then the best plan so
far is the answer.
"""

from __future__ import annotations

from array import array
from itertools import chain, count, repeat

from unpuzzle.planners.subgoals.trails import Trail, without_loops
from unpuzzle.result import MEMOUT, TIMEOUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from unpuzzle.pddl.nodes import GroundAction, Task
    from unpuzzle.planners.native import _core
    from unpuzzle.planners.native._core import Outcome
    from unpuzzle.planners.watch import Watch

    State = tuple[int, ...]

BUDGET = 10_000_000
MOST_FOR_ONE = 10
"""One window may take this part of the budget."""
SMALL, LARGER = range(8, 28, 4), 24
"""The sizes of small windows, in steps, and by how much the large ones grow that follow."""
OVERLAP = 4
"""So many windows go through one place."""
PATIENCE = 2
"""How often a size is tried again that has led to another plan, but not to a cheaper one."""


class Method:
    """A search for windows, and what it counts: `expanded` for a state, `window` and `operator` for making it ready."""

    __slots__ = ("algorithm", "expanded", "heuristic", "operator", "window")

    def __init__(self, algorithm: str, heuristic: str, expanded: int, window: int, operator: int) -> None:
        self.algorithm = algorithm
        self.heuristic = heuristic
        self.expanded = expanded
        self.window = window
        self.operator = operator


BOTH_ENDS = Method("bidirectional", "blind", 1, 0, 5)
BLIND = Method("astar", "blind", 1, 0, 5)
DATABASES = Method("astar", "pdb", 4, 50_000, 200)


class Windowed:
    """The better plan: `steps`; whether it is proved `optimal`; how many `windows` were solved, `expanded` in them."""

    __slots__ = ("expanded", "optimal", "steps", "windows")

    def __init__(self, steps: tuple[Any, ...], optimal: bool, windows: int, expanded: int) -> None:
        self.steps = steps
        self.optimal = optimal
        self.windows = windows
        self.expanded = expanded


def optimise(
    task: Task,
    steps: Sequence[Any],
    label: Callable[[GroundAction], Any] = lambda action: action,
    *,
    budget: int = BUDGET,
    watch: Watch,
) -> Windowed:
    """A plan for the task that costs no more than the one given, and is not longer at the same cost.

    Args:
        task: the plan is one for it.
        steps: the actions or, with `label`, what they stand for: `optimise(puzzle.task(), moves, puzzle.decode)`.
        label: ground action → step.
        budget: of states; see the module's docstring.
        watch: over time and memory.

    Raises LimitReachedError where grounding reaches a limit, and else as grounding does. It needs the compiled core.
    """
    search = _Search(task, label, budget, watch)
    search.follow(steps)
    search.run()
    return Windowed(
        tuple([search.label(o) for o in search.trail.steps]), search.optimal, search.windows, search.expanded
    )


class _Search:
    """One optimisation. The trail's states have one value a variable, its steps are operators."""

    def __init__(self, task: Task, label: Callable[[GroundAction], Any], budget: int, watch: Watch) -> None:
        from unpuzzle.planners.native import _core
        from unpuzzle.planners.native.ground_core import CoreGrounding

        self.core = _core
        self.watch = watch
        self.found = CoreGrounding(task, watch.time_left(), watch.memory_left())
        self.arrays = self.found.buffers()
        self.task = _core.Task(**self.arrays)
        self.labels: dict[int, Any] = {}
        self._label = label
        self.left = budget
        self.most_for_one = budget // MOST_FOR_ONE
        self.windows = self.expanded = 0
        self.optimal = False
        self.solved: set[tuple[State, State | None]] = set()

    def label(self, operator: int) -> Any:
        """What an operator stands for."""
        if operator not in self.labels:
            self.labels[operator] = self._label(self.found.action(operator))
        return self.labels[operator]

    # ---- from steps to operators

    def follow(self, steps: Sequence[Any]) -> None:
        """Make the trail. A step that grounding has dropped changes nothing that matters, and is dropped, too."""
        state, states, operators = self._initial(), [], []
        states.append(state)
        for step in steps:
            for operator, following in self.task.successors(state):
                if self.label(operator) == step:
                    state = self._stored(following)
                    operators.append(operator)
                    states.append(state)
                    break
        self.trail = self._trail(states, operators)

    def _initial(self) -> State:
        return tuple(self.arrays["initial"])

    def _stored(self, values: Sequence[int]) -> State:
        """A state with 0 for what is derived."""
        return tuple([0 if layer >= 0 else value for value, layer in zip(values, self.arrays["layers"], strict=True)])

    def _trail(self, states: Sequence[State], operators: Sequence[int]) -> Trail:
        return Trail(states, operators, [self.arrays["costs"][operator] for operator in operators])

    # ---- windows

    def run(self) -> None:
        """Larger and larger windows, until one is the whole plan or the budget is spent."""
        small, large = self._methods()
        sizes = chain(zip(SMALL, repeat(small)), zip(count(SMALL.stop, LARGER), repeat(large)))
        for size, method in sizes:
            self._settle(size, method)
            if self.left <= 0 or self.optimal or size >= len(self.trail.steps):
                break

    def _settle(self, size: int, method: Method) -> None:
        """Windows of one size, until they change no more."""
        unchanged = 0
        while unchanged < PATIENCE:
            before = self.trail
            self._sweep(size, method)
            if self.trail.steps == before.steps:
                break
            better = (self.trail.cost, len(self.trail.steps)) < (before.cost, len(before.steps))
            unchanged = 0 if better else unchanged + 1

    def _sweep(self, size: int, method: Method) -> None:
        begin, end = 0, 0
        while end < len(self.trail.steps) and self.left > 0:
            end = min(begin + size, len(self.trail.steps))
            self._solve(begin, end, method)
            begin, end = begin + max(1, size // OVERLAP), begin + size
        self.trail = without_loops(self.trail)

    def _solve(self, begin: int, end: int, method: Method) -> None:
        """Put the best plan for a window into its place."""
        states, last = self.trail.states, end == len(self.trail.steps)
        goal = None if last and self.to_any_goal else states[end]
        if (states[begin], goal) in self.solved:
            return
        self.solved.add((states[begin], goal))
        outcome = self._search(method, states[begin], goal)
        self.windows += 1
        if outcome.plan is None or outcome.cost is None:
            return
        self.optimal = begin == 0 and last and self.to_any_goal
        old = self.trail.costs[begin:end]
        if (outcome.cost, len(outcome.plan)) <= (sum(old), len(old)):
            self._replace(begin, end, outcome.plan)

    def _replace(self, begin: int, end: int, plan: Sequence[int]) -> None:
        states = [self.trail.states[begin]]
        for operator in plan:
            states.append(self._stored(dict(self.task.successors(states[-1]))[operator]))
        steps = (*self.trail.steps[:begin], *plan, *self.trail.steps[end:])
        self.trail = self._trail((*self.trail.states[:begin], *states, *self.trail.states[end + 1 :]), steps)

    def _search(self, method: Method, start: State, goal: State | None) -> Outcome:
        """From a state to another or, if that is None, to any goal."""
        ready = method.window + method.operator * len(self.arrays["costs"])
        most = max(0, min(self.left, self.most_for_one) - ready) // method.expanded
        outcome = self._task(start, goal).search(
            method.algorithm, method.heuristic, self.watch.time_left(), self.watch.memory_left(), most
        )
        self.expanded += outcome.expanded
        self.left -= ready + method.expanded * outcome.expanded
        if outcome.status in (TIMEOUT, MEMOUT):
            self.left = 0
        return outcome

    def _task(self, start: State, goal: State | None) -> _core.Task:
        arrays = dict(self.arrays, initial=array("i", start))
        if goal is not None:
            layers = self.arrays["layers"]
            facts = [(variable, value) for variable, value in enumerate(goal) if layers[variable] < 0]
            arrays["goal"] = array("i", [number for fact in facts for number in fact])
        return self.core.Task(**arrays)

    def _methods(self) -> tuple[Method, Method]:
        """What the task allows, for small and for large windows."""
        start = self.trail.states[0]
        small = BOTH_ENDS if self._supports(BOTH_ENDS, start) else BLIND
        self.to_any_goal = self._supports(small, None)
        return small, DATABASES if self._supports(DATABASES, start) else small

    def _supports(self, method: Method, goal: State | None) -> bool:
        task = self._task(self.trail.states[0], goal)
        try:
            task.search(method.algorithm, method.heuristic, self.watch.time_left(), self.watch.memory_left(), 0)
        except self.core.UnsupportedTask:
            return False
        return True
