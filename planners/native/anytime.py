"""Anytime planning: first some plan, then better ones, then the proof that the last one is optimal.

Five kinds of work take turns, in rounds with growing budgets, since it is unknown beforehand which will succeed:

    search     greedy searches in turn until one has a plan, see `schedule`; then weighted A* with 5, 3, 2, 1 and again,
               which leaves out states that cost as much as the best plan (Richter, Thayer and Ruml 2010; LAMA, Richter
               and Westphal 2010)
    proof      a turn of `schedule`, which may also find the first plan, or that there is none
    databases  weighted A* with 5, 3, 2 and pattern databases, if they fold a variable (see `schedule`), since nothing
               else guides as well then
    windows    stretches of the best plan are solved again (`core/plans/windows.cpp`)
    boxes      where the task is a board on which boxes are pushed, first of all (`boxes.py`): a search made for
               boards, and then windows made for them

So each of them gets its share of the time, and work that is started again has cost less than the work that follows.
Budgets are numbers of states, never seconds, so equal tasks give equal plans on every machine, as far as the time
allows. How long a state takes is guessed: where it is judged by landmarks or relaxed plans, from the number of
operators; elsewhere from the successors that states had so far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from unpuzzle.base.outcomes import GAVE_UP, MEMOUT, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.base.run import current
from unpuzzle.base.type_hints import TYPE_CHECKING
from unpuzzle.planners.native.boxes import GLANCE_STATES, REASON, Boxes, is_board
from unpuzzle.planners.native.compiled import core as _core
from unpuzzle.planners.native.schedule import Schedule, Stage, StageOutcome, folds_a_variable

if TYPE_CHECKING:
    AnyOutcome = _core.SearchResult | StageOutcome
    Perform = Callable[[Stage, int | None, int | None], AnyOutcome | None]
    Turns = Iterator[tuple[Stage, AnyOutcome]]

WEIGHTS = (5, 3, 2, 1)
IMPROVING = {"ff,landmarks": 1, "hadd,landmarks": 2}
"""Heuristics of weighted A*; the second is used if the first fails, with this fraction of the states: if one misleads,
the other usually does not.
"""
DATABASE_WEIGHTS = (5, 3, 2)
"""Weights of weighted A* with pattern databases; weight 1 is the proof."""
CHEAP_RIVAL, RIVALS = "landmarks", ("hadd,landmarks", "ff,landmarks")
"""Heuristics of other greedy searches after the first plan: they may lead to much cheaper ones."""
LONG = 200
"""The least number of steps of a plan to which all of them are compared in the first round."""
EFFORT = 4_000_000
"""States of the first search after these, times operators and conditional effects."""
LEAST_STATES = 250
BOARD_WINDOWS = 20_000
"""Positions of the first windows of a board."""
WINDOW_SUCCESSORS = 500_000
"""Successors in the first windows; the preceding search gives the number of states."""
PATIENCE = 2
"""The number of tries for a weight before the next one."""
GROWTH, GROWTH_WITHOUT = 2, 4
"""The growth from round to round, with a plan and without one."""
CHEAP_EFFORT = 16
"""The effort for a successor in search with databases or landmarks, in operators."""
OPERATORS_PER_TICK = 24
"""The effort in operators that the schedule counts as one."""
SOON = 3
"""The ratio of the effort for a first plan to the effort for other work."""


class Anytime:
    """One run of anytime planning.

    `run` runs a stage with a number of states and a bound on the cost of plans; it returns None if the stage is
    optional and does not support the task. `left` returns the number of states that may still be expanded, None for no
    limit.
    """

    def __init__(
        self, task: _core.Task, run: Perform, schedule: Schedule, soon: Schedule, left: Callable[[], int | None]
    ) -> None:
        self._task, self._run, self._left = task, run, left
        self._schedule, self._proved = schedule, 0  # the effort of the schedule
        self._soon, self._sought = soon, 0  # the effort for some plan
        self._best: AnyOutcome | None = None
        self._boxes = Boxes(task) if is_board(task) else None
        self._weights: list[int] = []
        self._database_weights = list(DATABASE_WEIGHTS) if folds_a_variable(task) else []
        self._failures = 0  # consecutive turns of searches without success
        self._started = False
        self._rivals = list(RIVALS)  # not yet compared with the first plan; one in the first round
        self._full = False  # whether searches run out of memory
        self._settled = 0  # states of windows without a change of the best plan
        rules = task.operators + task.features.conditional_effects  # of the delete relaxation
        self._states = max(LEAST_STATES, EFFORT // max(rules, 1))
        self._expanded = self._generated = 0

    def turns(self) -> Turns:
        """Yield all turns: each `solved` one has a better plan than before, and the last one has the answer."""
        growth = 1
        while True:
            worked = False
            for kind in (self._push, self._search, self._prove, self._databases, self._windows):
                for stage, outcome in kind(growth):
                    worked = worked or kind not in (self._push, self._windows) or outcome.status == SOLVED
                    self._expanded += outcome.expanded
                    self._generated += outcome.generated
                    yield stage, outcome
                    if outcome.status not in {GAVE_UP, SOLVED, MEMOUT}:
                        return
            if not worked:
                return
            growth *= GROWTH_WITHOUT if self._best is None else GROWTH

    def _push(self, growth: int) -> Turns:
        """Search a board for some plan or, if there is one, improve it."""
        left = self._left()
        if self._boxes is None or left == 0:
            return
        stage = Stage("boxes", "boxes", "blind", GLANCE_STATES * growth, REASON)
        if self._best is None:
            most = stage.most_expanded or 0
            outcome = self._boxes.search(most if left is None else min(most, left))
            if outcome is not None:
                self._started = True
                yield stage, self._remember(outcome)
        if self._best is not None:
            self._boxes.best = StageOutcome(SOLVED, self._best.plan, self._best.cost, 0, 0, 0)
            self._boxes.improve([BOARD_WINDOWS * growth])
            better = self._cheaper(self._boxes.best)
            yield stage.replace(name="windows"), self._remember(better)

    def _search(self, growth: int) -> Turns:
        """Search for a first plan, then with smaller and smaller weights as long as plans get better."""
        if self._best is None:
            yield from self._first_plan(growth)
        better = self._best is not None
        while better and not self._full:
            before = self._best
            yield from self._first_of(IMPROVING, growth)
            better = self._best is not before
            self._failures = 0 if better else self._failures + 1
            if self._weights and self._failures % PATIENCE == 0:  # also after a better plan
                self._weights.pop(0)
            while self._rivals and (growth > 1 or len(self._rivals) == len(RIVALS) or self._is_long()):
                yield from self._improve(_greedy(self._rivals.pop(0)), self._states * growth)

    def _is_long(self) -> bool:
        """Return whether the best plan is so long that another search may find a much cheaper one."""
        return self._best is not None and len(self._best.plan or ()) >= LONG

    def _first_plan(self, growth: int) -> Turns:
        """Continue the greedy searches until one finds a plan or their effort is spent."""
        left = self._left()
        if self._soon.full or (left == 0 and self._started):
            return
        self._started = True
        self._sought += SOON * EFFORT * growth // OPERATORS_PER_TICK
        most = None if left is None else left + self._soon.expanded
        for stage, outcome in self._soon.turn(most, self._sought):
            yield stage, self._remember(outcome)
        if self._best is not None:
            self._soon.close()
            yield from self._windows(1)
            yield from self._improve(_greedy(CHEAP_RIVAL), self._cheap_states(growth))

    def _first_of(self, guides: dict[str, int], growth: int) -> Turns:
        """Search with one heuristic after the other until one search finds a plan."""
        self._weights = self._weights or list(WEIGHTS)
        for guide, parts in guides.items():
            weight, before = self._weights[0], self._best
            stage = Stage(f"lazywastar={weight}", "lazywastar", guide, None, "a better plan", weight=weight)
            yield from self._improve(stage, max(1, self._states * growth // parts))
            if self._best is not before or self._full:
                return

    def _improve(self, stage: Stage, states: int) -> Turns:
        """Search for a plan that costs less than the best one."""
        outcome = self._run_stage(stage, states)
        if outcome is None:
            return
        self._full = self._full or outcome.status == MEMOUT
        if outcome.status == UNSOLVABLE and self._best is not None:  # there is no better plan
            counts = outcome.expanded, outcome.evaluated, outcome.generated
            outcome = StageOutcome(SOLVED_OPTIMALLY, self._best.plan, self._best.cost, *counts)
        yield stage, self._remember(outcome)
        if outcome.status == SOLVED:
            yield from self._windows(1)

    def _prove(self, growth: int) -> Turns:
        """Continue the schedule of searches for a cheapest plan; a bound on the cost may prove the best one."""
        left = self._left()
        if self._schedule.full or left == 0:
            return
        self._started = True
        self._proved += EFFORT * growth // OPERATORS_PER_TICK
        most = None if left is None else left + self._schedule.expanded
        cost = None if self._best is None else self._best.cost
        for stage, outcome in self._schedule.turn(most, self._proved, cost):
            proved = outcome.status == SOLVED_OPTIMALLY and outcome.plan is None and self._best is not None
            known = outcome.replace(plan=self._best.plan, cost=self._best.cost) if proved and self._best else outcome
            yield stage, self._remember(known)

    def _databases(self, growth: int) -> Turns:
        """Search with databases and decreasing weights; each weight gets more and more states until it finds a plan."""
        states = self._cheap_states(growth)
        while self._database_weights and self._best is not None and self._proved > 0:
            weight = self._database_weights[0]
            stage = Stage(f"wastar={weight}(pdb)", "astar", "pdb", None, "a plan, by databases", weight=weight)
            outcome = self._run_stage(stage, states, bounded=False)
            if outcome is None:
                return
            if outcome.status == SOLVED:
                self._database_weights.pop(0)
            elif outcome.status == MEMOUT:
                self._database_weights = []
            before = self._best
            yield stage, self._remember(self._cheaper(outcome))
            if self._best is not before:
                yield from self._windows(1)
            if outcome.status != SOLVED:
                return

    def _cheaper(self, outcome: AnyOutcome) -> AnyOutcome:
        """Return the outcome, without its plan if that is no better than the best one."""
        if outcome.status != SOLVED or self._best is None or (outcome.cost or 0) < (self._best.cost or 0):
            return outcome
        return StageOutcome(GAVE_UP, None, None, outcome.expanded, outcome.evaluated, outcome.generated)

    def _windows(self, growth: int) -> Turns:
        states = WINDOW_SUCCESSORS * growth // self._branching()
        if self._best is None or self._best.plan is None or self._settled >= states:
            return
        left = self._left()
        if left == 0:
            return
        limits = current().remaining()
        plan, cost, optimal, expanded, generated, _ = self._task.improve(
            self._best.plan, *limits, states if left is None else min(left, states)
        )
        self._settled = states
        better = cost < (self._best.cost or 0)
        status = SOLVED_OPTIMALLY if optimal else SOLVED if better else GAVE_UP
        outcome = StageOutcome(status, list(plan), cost, expanded, 0, generated)
        if len(plan) < len(self._best.plan):
            self._best = outcome
        if status == GAVE_UP:
            outcome = outcome.replace(plan=None, cost=None)
        yield Stage("windows", "windows", "blind", states, "the best plan, improved"), self._remember(outcome)

    def _cheap_states(self, growth: int) -> int:
        return max(1, EFFORT * growth // (CHEAP_EFFORT * self._branching()))

    def _branching(self) -> int:
        return max(1, self._generated // max(self._expanded, 1))

    def _run_stage(self, stage: Stage, states: int | None, bounded: bool = True) -> AnyOutcome | None:
        left = self._left()
        if left == 0 and self._started:
            return None
        self._started = True
        cost = None if self._best is None or not bounded else self._best.cost
        return self._run(stage, states if left is None or states is None else min(left, states), cost)

    def _remember(self, outcome: AnyOutcome) -> AnyOutcome:
        """Return the outcome, and keep its plan if it is the best so far."""
        if outcome.plan is not None and (self._best is None or (outcome.cost or 0) < (self._best.cost or 0)):
            self._best, self._settled = outcome, 0
        return outcome


def _greedy(guide: str) -> Stage:
    return Stage("gbfs", "gbfs", guide, None, "some plan, soon")
