"""What anytime planning does: some plan soon, then better ones, then the proof that there is none better.

Four kinds of work take turns, in rounds whose budgets grow, since nobody knows beforehand which of them will do it:

    search     greedy, then weighted A* with 5, 3, 2, 1 and again, which leaves out what costs as much as the best plan
               (Richter, Thayer and Ruml 2010; LAMA, Richter and Westphal 2010)
    proof      the next stages of `schedule`, which may also find the first plan, or that there is none
    databases  weighted A* with 5, 3, 2 and pattern databases: once where the first searches found no plan, and again
               and again beside a hub (see `schedule`), since there nothing else guides as well
    windows    stretches of the best plan are solved again (`core/plan_windows.cpp`)

So each of them gets its part of the time, and what is begun anew has cost less than what follows. Budgets are numbers
of states, never seconds, so equal tasks give equal plans on every machine, as far as the time goes. How long a state
takes is guessed: where it is judged by landmarks or relaxed plans, from the number of operators; elsewhere from the
successors that states had so far.
"""

from __future__ import annotations

from unpuzzle.limits import ticking
from unpuzzle.planners.native.schedule import BLIND_STATES, Stage, StageOutcome, beside_a_hub, effort_of, schedule
from unpuzzle.result import GAVE_UP, MEMOUT, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from unpuzzle.limits import Deadline
    from unpuzzle.planners.native._core import Outcome, Task
    from unpuzzle.planners.native.grounding import CoreGrounding

WEIGHTS = (5, 3, 2, 1)
GUIDES = {"ff,landmarks": 1, "ff": 2}
"""Of greedy search, the second where the first fails, with such a part of its states: where one is misled, the other
mostly is not."""
IMPROVING = {"ff,landmarks": 1, "hadd,landmarks": 2}
"""Of weighted A*."""
DATABASE_WEIGHTS = (5, 3, 2)
"""Of weighted A* with pattern databases; with 1 it is the proof."""
RIVALS = {"hadd,landmarks": 1}
"""Of greedy search once more, after the first plan: it may lead to another one that is far shorter."""
GLANCES = {"ff,landmarks": 4, "ff": 4, "hadd,landmarks": 4, "landmarks": 1}
"""Of greedy search first of all, for a moment each, since one of them often leads straight to some plan."""
EFFORT = 4_000_000
"""States of the first search after that, times operators."""
LEAST_STATES = 250
WINDOW_SUCCESSORS = 500_000
"""Of the first windows; how many states that are, the search before them tells."""
PATIENCE = 2
"""So often a weight is tried until the next one gets its turn."""
GROWTH, GROWTH_WITHOUT = 2, 4
"""From round to round, with a plan and without one."""
DATABASES_FROM, DATABASES_WITHOUT = 2, 64
"""Growth from which pattern databases are worth building, with a plan and without one."""
BLIND_EFFORT, DATABASES_EFFORT = 8, 16
"""What a successor costs that is not judged, or by databases, in operators."""


class Anytime:
    """One run of anytime planning.

    Args:
        found: the ground task.
        run: runs a stage with a number of states and a cost below which plans are wanted; None if it is optional and
            does not support the task.
        left: how many states may still be expanded, None for any number.
        watch: over time and memory.
    """

    def __init__(
        self,
        found: CoreGrounding,
        task: Task,
        run: Callable[[Stage, int | None, int | None], Outcome | StageOutcome | None],
        left: Callable[[], int | None],
        watch: Deadline,
    ) -> None:
        self.task = task
        self.run = run
        self.left = left
        self.watch = watch
        self.best: Outcome | StageOutcome | None = None
        self.weights: list[int] = []
        self.beside_a_hub: bool = beside_a_hub(found)
        self.database_weights = [] if found.has_axioms else list(DATABASE_WEIGHTS)
        self.failures = 0  # of turns of searches, one after the other
        self.started = False
        self.compared = False  # the first plan with that of a rival
        self.first = 0  # growth when the first plan was found by a search; 0: none was
        stages = schedule(found)
        self.proofs = [stage for stage in before_databases(stages) if not stage.after_memout]
        self.after_memout = [stage for stage in stages if stage.after_memout]
        self.full: set[str] = set()  # what ran out of memory and would do so again
        self.settled = 0  # states of windows that did not change the best plan
        self.effort: int = effort_of(found)
        self.states: int = max(LEAST_STATES, EFFORT // self.effort)
        self.expanded = self.generated = 0

    def turns(self) -> Iterator[tuple[Stage, Outcome | StageOutcome]]:
        """Yield all turns: those that are `solved` have a better plan than before, and the last one has the answer."""
        growth = 1
        while True:
            ran = False
            for kind in (self._search, self._prove, self._databases, self._windows):
                for stage, found in kind(growth):
                    ran = ran or kind != self._windows or found.status == SOLVED
                    self.expanded, self.generated = self.expanded + found.expanded, self.generated + found.generated
                    yield stage, found
                    if found.status not in {GAVE_UP, SOLVED, MEMOUT}:
                        return
            if not ran:
                return
            growth *= GROWTH_WITHOUT if self.best is None else GROWTH

    def _search(self, growth: int) -> Iterator[tuple[Stage, Outcome | StageOutcome]]:
        """Search with ever smaller weights, as long as each search finds a better plan."""
        if not self.started:
            yield from self._first_of(GLANCES, 1)
        better = True
        while better and "search" not in self.full:
            before = self.best
            yield from self._first_of(GUIDES if before is None else IMPROVING, growth)
            better = self.best is not before
            self._count(better)
            if self.best is not None and not self.compared:
                self.compared = True
                yield from self._first_of(RIVALS, growth, greedy=True)

    def _first_of(
        self, guides: dict[str, int], growth: int, greedy: bool = False
    ) -> Iterator[tuple[Stage, Outcome | StageOutcome]]:
        """Search with one guide after the other, until one search has a plan."""
        for guide, parts in guides.items():
            stage = self._stage(guide, greedy)
            found = self._ran(stage, max(1, self.states * growth // parts))
            if found is None:
                return
            found = self._judged(found)
            yield stage, self._kept(found)
            if found.status == SOLVED:
                self.first = self.first or growth
                yield from self._windows(1)
            if found.status in {SOLVED, MEMOUT}:
                return

    def _judged(self, found: Outcome | StageOutcome) -> Outcome | StageOutcome:
        """Return the outcome of a search; where there is no better plan, the best one is optimal."""
        if found.status == MEMOUT:
            self.full.add("search")
        if found.status != UNSOLVABLE or self.best is None:
            return found
        best = self.best
        return StageOutcome(SOLVED_OPTIMALLY, best.plan, best.cost, found.expanded, found.evaluated, found.generated)

    def _stage(self, guide: str, greedy: bool) -> Stage:
        if greedy or self.best is None:
            return Stage("gbfs", "gbfs", guide, None, "some plan, soon")
        if not self.weights:
            self.weights = list(WEIGHTS)
        weight = self.weights[0]
        return Stage(f"lazywastar={weight}", "lazywastar", guide, None, "a better plan", weight=weight)

    def _count(self, better: bool) -> None:
        """Go on to the next weight, after a better plan and where patience is at its end."""
        self.failures = 0 if better else self.failures + 1
        if self.weights and self.failures % PATIENCE == 0:
            self.weights.pop(0)

    def _prove(self, growth: int) -> Iterator[tuple[Stage, Outcome | StageOutcome]]:
        """Run the next stages of the schedule; a stage without its full budget waits for another turn."""
        effort = EFFORT * growth
        while self.proofs and effort > 0:
            stage = next((stage for stage in self.proofs if not self._waits(stage, growth)), None)
            if stage is None:
                return
            self.proofs.remove(stage)
            each = self._effort(stage)
            most = max(1, effort // each)
            whole = stage.most_expanded is not None and stage.most_expanded <= most
            found = self._ran(stage, stage.most_expanded if whole else most, bounded=False)
            if found is None:
                continue
            effort -= each * found.expanded
            if found.status == MEMOUT and stage.most_expanded is None:
                self.proofs += self.after_memout
                self.after_memout = []
            elif not whole and found.status != MEMOUT:
                self.proofs.append(stage)
            yield stage, self._kept(found)
            if not whole:
                return

    def _databases(self, growth: int) -> Iterator[tuple[Stage, Outcome | StageOutcome]]:
        """Search by databases with ever smaller weights, each with more and more states until it has a plan."""
        states = max(1, EFFORT * growth // (DATABASES_EFFORT * self.branching()))
        while self.database_weights and self._want_databases():
            weight = self.database_weights[0]
            stage = Stage(f"wastar={weight}(pdb)", "astar", "pdb", None, "a plan, by databases", weight=weight)
            found = self._ran(stage, states, bounded=False)
            if found is None:
                return
            if found.status == SOLVED:
                self.database_weights.pop(0)
            elif found.status == MEMOUT or not self.beside_a_hub:
                self.database_weights = []
            before = self.best
            yield stage, self._kept(self._cheaper(found))
            if self.best is not before:
                self.first = self.first or growth
                yield from self._windows(1)
            if found.status != SOLVED:
                return

    def _want_databases(self) -> bool:
        """Return whether databases are due: beside a hub after blind search, which ends with small tasks."""
        if not self.beside_a_hub:
            return self.best is None
        return not any(stage.heuristic == "blind" for stage in self.proofs)

    def _cheaper(self, found: Outcome | StageOutcome) -> Outcome | StageOutcome:
        """Return the outcome, without its plan where that is no better than the best one."""
        if found.status != SOLVED or self.best is None or (found.cost or 0) < (self.best.cost or 0):
            return found
        return StageOutcome(GAVE_UP, None, None, found.expanded, found.evaluated, found.generated)

    def _windows(self, growth: int) -> Iterator[tuple[Stage, Outcome | StageOutcome]]:
        states = WINDOW_SUCCESSORS * growth // self.branching()
        if self.best is None or self.best.plan is None or self.settled >= states:
            return
        left = self.left()
        if left == 0:
            return
        limits = self.watch.time_left(), self.watch.memory_left()
        with ticking(self.watch):
            plan, cost, optimal, expanded, generated = self.task.improve(
                self.best.plan, *limits, states if left is None else min(left, states)
            )
        self.settled = states
        better = cost < (self.best.cost or 0)
        status = SOLVED_OPTIMALLY if optimal else SOLVED if better else GAVE_UP
        found = StageOutcome(status, list(plan), cost, expanded, 0, generated)
        if len(plan) < len(self.best.plan):
            self.best = found
        if not better and not optimal:
            found = StageOutcome(status, None, None, expanded, 0, generated)
        yield Stage("windows", "windows", "blind", states, "the best plan, improved"), self._kept(found)

    def _effort(self, stage: Stage) -> int:
        """Return about how much work an expansion is in a stage of the schedule."""
        by_heuristic = {"lmcut": self.effort, "blind": BLIND_EFFORT}
        return by_heuristic.get(stage.heuristic, DATABASES_EFFORT) * self.branching()

    def _waits(self, stage: Stage, growth: int) -> bool:
        """Return whether it is too early for a stage that takes long to prepare."""
        if stage.heuristic != "pdb" or "search" in self.full:
            return False
        return growth < (max(DATABASES_FROM, GROWTH * self.first) if self.first else DATABASES_WITHOUT)

    def branching(self) -> int:
        """Return how many successors a state had so far."""
        return max(1, self.generated // max(self.expanded, 1))

    def _ran(self, stage: Stage, states: int | None, bounded: bool = True) -> Outcome | StageOutcome | None:
        left = self.left()
        if left == 0 and self.started:
            return None
        self.started = True
        cost = None if self.best is None or not bounded else self.best.cost
        return self.run(stage, states if left is None or states is None else min(left, states), cost)

    def _kept(self, found: Outcome | StageOutcome) -> Outcome | StageOutcome:
        """Return the outcome; a better plan is the best from now on."""
        if found.plan is None:
            return found
        assert found.cost is not None
        if self.best is None or self.best.cost is None or found.cost < self.best.cost:
            self.best, self.settled = found, 0
        return found


def before_databases(stages: list[Stage]) -> list[Stage]:
    """Return the stages with more blind search just before databases: small tasks end with it."""
    most = max(stage.most_expanded or 0 for stage in stages if stage.heuristic == "blind")
    at = next((number for number, stage in enumerate(stages) if stage.heuristic == "pdb"), len(stages))
    more = Stage("blind", "astar", "blind", BLIND_STATES, "most levels are small")
    return stages if most >= BLIND_STATES else [*stages[:at], more, *stages[at:]]
