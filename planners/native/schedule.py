"""The configuration `auto`: a fixed schedule of searches, each with a budget of states, until one has the answer.

Most puzzle levels are small, and nothing beats blind search on them; so it goes first. Harder tasks are worth the
effort of heuristics: landmarks, which need no preparation, and pattern databases, which cost time to build but then
guide millions of states a second. The strongest heuristic that the task allows goes last, without a budget. Blind
search and landmarks take turns: a task that is easy for either costs little more than if the other had not been tried.

    a folded variable  blind ──10,000──► lmcut ──a glance──► pdb
                                (a variable that nearly all operators change, such as the blank of sliding tiles:
                                databases are small, sums of them strong)
    axioms             blind ──300,000─► lmcut     (databases do not support them)
    otherwise          blind ──30,000──► lmcut ──a glance──► blind ──300,000──► bidirectional ──100,000,000──►
                       lmcut ──a look──► pdb

A landmark cut costs time in proportion to the number of operators, and more with conditional effects, so the number of
states in the glance makes this product about the same for all tasks, and likewise in the longer look. Breadth-first
search from both ends is skipped if it cannot be used: it needs operators that can be undone and a goal that leaves few
states open, as in Rubik's cube, where nothing else comes near.

If the ground task has symmetries, states that they map to each other count as one (see `core/symmetries/orbits.hpp`).
Looking for symmetries takes about as long as expanding half a dozen states for each operator, mostly one or two if
there are none; so a multiple of that is expanded first, by all stages together. Blind search and databases, with their
cheap states, use symmetries only if one keeps the initial state: from anywhere else a search hardly ever comes to
states that are symmetric to each other.

A stage that runs out of memory ends like one that runs out of budget: its memory is freed, and the next stage begins.
After pattern databases this is another search with landmarks, which needs the fewest states.

Every stage is optimal, and budgets are numbers of states, so equal tasks give equal plans and counts on every machine.

If the task has a walker and operators of cost 0, A* folds walks away (`core/walking/`): plans are as cheap, and states
are far fewer.

Tasks that the first searches left unsolved are analysed by pairs of facts (h^2 forwards and backwards, Alcazar and
Torralba 2015; `core/task/h2_pruning.hpp`): operators that no plan contains are left out by all later stages. The budget
for this grows with the work so far, and if it runs out, a later stage continues. (With a folded variable, the first two
searches take a millisecond or two, so it waits for the third.)
"""

from __future__ import annotations

from unpuzzle.limits import ticking
from unpuzzle.planners.native.grounding import limits_of
from unpuzzle.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from unpuzzle.limits import Deadline
    from unpuzzle.planners.native import _core
    from unpuzzle.planners.native._core import SearchResult

FIRST_BLIND_STATES = 30_000
BLIND_STATES = 300_000
BIDIRECTIONAL_STATES = 100_000_000
BLIND_STATES_IF_FOLDED = 10_000
LANDMARKS, LEAST_LANDMARKS, MOST_LANDMARKS = 12_000_000, 1_000, 60_000
"""States of the second search with landmarks, times operators; its smallest and largest number of states."""
GLANCE, GLANCE_IF_FOLDED, LEAST_GLANCE, MOST_GLANCE = 600_000, 60_000, 20, 5_000
"""The same for the first search with landmarks; a conditional effect counts as several operators."""
OPERATORS_PER_CONDITIONAL_EFFECT = 10
LEAST_BEFORE_SYMMETRIES, STATES_PER_OPERATOR, STATES_PER_CONDITIONAL_EFFECT = 10_000, 50, 8
"""The number of states expanded before symmetries are searched."""
STATES_PER_LANDMARK_STATE = 20
"""A state evaluated by landmarks takes about as long as this many other states."""
PRUNING_AT_FIRST, PRUNING_LATER, MOST_PRUNING = 2**20, 2**22, 2**25
PRUNING_IF_FOLDED = 2**21
"""Operations on words for finding operators that no plan contains."""
FOLDED = 0.9
"""A folded variable is changed by at least this fraction of the operators."""


class Stage(Record):
    """One search of the schedule.

    Attributes:
        name: the name of its configuration.
        most_expanded: the largest number of states it may expand; None is no limit.
        reason: the reason for this stage, for people.
        optional: whether it is skipped if it does not support the task.
        pruning: the work before it to find operators that no plan contains, see `_core.Task.pruned`.
        after_memout: whether it runs only if the stage before ran out of memory.
        symmetries_after: after so many expansions, those of earlier stages included, symmetries of the task are looked
            for; None: never.
        symmetric_start: whether symmetries are used only if one keeps the initial state.
        pruned_by: the method that leaves out successors, see `core/state/pruning.hpp`; "": none.
    """

    name: str
    algorithm: str
    heuristic: str
    most_expanded: int | None
    reason: str
    weight: int = 1
    optional: bool = False
    pruning: int = 0
    after_memout: bool = False
    symmetries_after: int | None = None
    symmetric_start: bool = False
    pruned_by: str = ""


class StageOutcome(Record):
    """The outcome of a stage, with the fields of `_core.SearchResult`; `expanded` and so on count this stage alone."""

    status: str
    plan: list[int] | None
    cost: int | None
    expanded: int
    evaluated: int
    generated: int


def schedule(task: _core.Task) -> list[Stage]:
    """Return the stages for a task; the last one has no budget."""
    return [
        stage.replace(
            symmetries_after=symmetries_after(task, stage.heuristic),
            symmetric_start=stage.algorithm == "astar" and stage.heuristic != "lmcut",
        )
        for stage in _stages(task)
    ]


def symmetries_after(task: _core.Task, heuristic: str) -> int:
    """Return the number of states that a search expands before it looks for symmetries."""
    size = STATES_PER_OPERATOR * task.operators + STATES_PER_CONDITIONAL_EFFECT * task.features.conditional_effects
    return max(LEAST_BEFORE_SYMMETRIES, size) // _states_per_state(heuristic)


def walks_cost_nothing(task: _core.Task, watch: Deadline) -> bool:
    """Return whether a task has a walker and operators of cost 0, as in Sokoban of the IPC.

    Then a search should treat all places connected by walks as one; plans stay as cheap. Without the memory to tell, it
    goes on as without a walker. Raises LimitReached.
    """
    if task.features.least_cost != 0:
        return False
    with limits_of("looking for who walks"):
        try:
            return task.walker(None, watch.time_left(), watch.memory_left()) is not None
        except MemoryError:
            return False


def left_before_symmetries(stage: Stage, before: Iterable[tuple[Stage, SearchResult | StageOutcome]]) -> int | None:
    """Return the number of states that a stage expands before it looks for symmetries, given the earlier searches."""
    if stage.symmetries_after is None:
        return None
    spent = sum(ran.expanded * _states_per_state(earlier.heuristic) for earlier, ran in before)
    return max(stage.symmetries_after - spent // _states_per_state(stage.heuristic), 0)


def _states_per_state(heuristic: str) -> int:
    return STATES_PER_LANDMARK_STATE if heuristic == "lmcut" else 1


def _stages(task: _core.Task) -> list[Stage]:
    frugal = Stage("lmcut", "astar", "lmcut", None, "landmarks need little memory", after_memout=True)
    reason = "pattern databases guide millions of states a second"
    pruning = PRUNING_IF_FOLDED if folds_a_variable(task) else PRUNING_LATER
    databases = Stage("pdb", "astar", "pdb", None, reason, pruning=pruning)
    if task.features.axioms:
        landmarks = Stage("lmcut", "astar", "lmcut", None, "the task has axioms, so no pattern databases")
        return [_blind(BLIND_STATES), landmarks]
    if folds_a_variable(task):
        return [_blind(BLIND_STATES_IF_FOLDED), _glance(task, GLANCE_IF_FOLDED), databases, frugal]
    look = min(max(LANDMARKS // effort_of(task), LEAST_LANDMARKS), MOST_LANDMARKS)
    landmarks = Stage("lmcut", "astar", "lmcut", look, "landmarks need no preparation", pruning=MOST_PRUNING)
    reason = "operators can be undone and the goal is nearly a state, so two short searches meet"
    both_ends = Stage("bidirectional", "bidirectional", "blind", BIDIRECTIONAL_STATES, reason, optional=True)
    quick = [_blind(FIRST_BLIND_STATES), _glance(task, GLANCE, PRUNING_AT_FIRST), _blind(BLIND_STATES, PRUNING_LATER)]
    return [*quick, both_ends, landmarks, databases, frugal]


def _blind(states: int, pruning: int = 0) -> Stage:
    return Stage("blind", "astar", "blind", states, "most levels are small", pruning=pruning)


def _glance(task: _core.Task, effort: int, pruning: int = 0) -> Stage:
    states = min(max(effort // effort_of(task), LEAST_GLANCE), MOST_GLANCE)
    reason = "landmarks may see at a glance what blind search does not"
    return Stage("lmcut", "astar", "lmcut", states, reason, pruning=pruning)


def folds_a_variable(task: _core.Task) -> bool:
    """Return whether nearly all operators change one variable, which makes databases small and their sums strong."""
    return not task.features.axioms and task.features.most_changed >= FOLDED


def effort_of(task: _core.Task) -> int:
    """Return the duration of a landmark cut, in operators."""
    return max(task.operators + OPERATORS_PER_CONDITIONAL_EFFECT * task.features.conditional_effects, 1)


class PrunedTask:
    """A task without operators that no plan contains, as far as stages ask for this pruning."""

    def __init__(self, task: _core.Task, watch: Deadline) -> None:
        self._task = task
        self._watch = watch
        self._complete = False  # no more can be left out
        self._smaller = False  # something was left out

    def before(self, stage: Stage) -> _core.Task:
        """Return the task for a stage, after the pruning work that the stage asks for."""
        if stage.pruning and not self._complete:
            limits = self._watch.time_left(), self._watch.memory_left()
            with ticking(self._watch):
                smaller, self._complete = self._task.pruned(stage.pruning, *limits)
            self._task = smaller or self._task
            self._smaller = self._smaller or smaller is not None
        return self._task

    @property
    def smaller(self) -> bool:
        return self._smaller

    @property
    def empty(self) -> bool:
        """Whether no action is left that could be part of a plan."""
        return self._smaller and self._task.operators == 0
